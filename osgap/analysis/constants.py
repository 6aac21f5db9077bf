# SPDX-License-Identifier: BSD-3-Clause
"""Constants of every run: the benchmarks of the suite `checks`, units, series, limits."""

from osgap.machines.series import parse_series

EMPTY_LOOP = "empty_loop"
INTEGER_MIX = "integer_mix"
DHRYSTONE = "dhrystone"
INSTRUCTIONS = "instructions"
"""The counter of instructions on a measured machine, which has no simulator's statistics."""
CHASE_L1 = "pointer_chase_l1"
CHASE_MEMORY = "pointer_chase_memory"
STREAM_COPY = "stream_copy"
CHECKS = (EMPTY_LOOP, INTEGER_MIX, DHRYSTONE, CHASE_L1, CHASE_MEMORY, STREAM_COPY)

# Not corrected for the empty loop: the ratings, and the pointer chases, which loop once per ten
# loads.
RATING = (INTEGER_MIX, DHRYSTONE, CHASE_L1, CHASE_MEMORY)

SERIES = ("fixed", "memory", "disk", "both")
"""The series of a sweep in which memory and disk are fixed and scaled."""

BANDWIDTH = "MB/s"
RATE = "MIPS"
UNIT_NS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}

# A region whose two clocks differ by more is flagged; so is a pair of batches that is not steady.
DISAGREEMENT_LIMIT = 0.02
STEADY_LIMIT = 0.01


def series_rank(name: str) -> tuple[int, tuple[float, ...], str]:
    """A sort key: by policies, then by figures, then by name."""
    return parse_series(name).rank


def higher_is_better(metric: str) -> bool:
    """True if a metric is a rate (MB/s, MIPS) rather than a time."""
    return metric in (BANDWIDTH, RATE)
