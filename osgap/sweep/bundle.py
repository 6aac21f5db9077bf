# SPDX-License-Identifier: BSD-3-Clause
"""Points into jobs: one each on one machine, several on a cluster, whose jobs cost a start."""

from __future__ import annotations

import math
from collections.abc import Sequence

from osgap.points.spec import Spec

USEFUL_JOB_S = 900.0
"""A cluster's job is to take this long: its scheduler and Snakemake's own start take seconds."""
ASSUMED_POINT_S = 120.0
"""Before any point is finished: the mean of the default sweep on rvsim (README)."""
Bundles = tuple[tuple[str, ...], ...]


def bundles(keys: Sequence[str], size: int) -> Bundles:
    """`keys` in order, `size` at a time."""
    return tuple(tuple(keys[at : at + size]) for at in range(0, len(keys), size))


def useful_size(points: int, slots: int, point_s: float | None) -> int:
    """Points for a job of USEFUL_JOB_S, but no more than leave a job for each of `slots`."""
    long_enough = math.ceil(USEFUL_JOB_S / max(point_s or ASSUMED_POINT_S, 0.001))
    return max(1, min(long_enough, points // max(1, slots)))


def longest_first(specs: Sequence[Spec]) -> list[Spec]:
    """The points that a simulator is likely to need longest for first, so that none ends alone.

    A stalled cycle is simulated like any other: the longer memory takes in cycles, and the more
    harts there are, the more there is to simulate of the same instructions.
    """
    return sorted(specs, key=_stall_cycles, reverse=True)


def _stall_cycles(spec: Spec) -> float:
    system = spec.system
    return system.memory.latency_ns * system.clock_mhz / 1000 * system.harts
