# SPDX-License-Identifier: BSD-3-Clause
"""The arithmetic of calibration: from goal and measured rates to a machine's next figures.

Two figures are searched: the clock, to which MIPS are proportional, and the time that copying one
line spends in memory, to which the difference of uncached and cached copying is proportional.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, floor

import pandas as pd

from osgap.analysis.relative import geometric_mean
from osgap.base.errors import OsgapError
from osgap.engines.rvsim_config import TIMEBASE_MHZ
from osgap.engines.rvsim_memory import MISS_PATH_CYCLES
from osgap.machines.figure import Figure
from osgap.machines.machine import Fit, Machine
from osgap.machines.processor import Core
from osgap.suites.ousterhout.published import Paper

MIN_TIME_SCALE = 20
"""Simulated 20 times as fast or more, the 25-Hz tick takes what 1.25 Hz would on the machine."""
CLOCK_STEP_MHZ = TIMEBASE_MHZ
"""rvsim's clocks are multiples of its timebase, so the time scale makes every clock one."""
CLOSE = 0.01
LIMIT = 0.05
_STEP = 4.0


@dataclass(frozen=True)
class Rates:
    """The rates of a machine: MIPS, and copying in MB/s of 10^6 bytes."""

    mips: float
    cached: float
    uncached: float


@dataclass(frozen=True)
class Guess:
    """The clock (MHz), and the time in memory for a copied line (ns), in the machine's own time."""

    clock_mhz: float
    line_ns: float


@dataclass(frozen=True)
class Shape:
    """A model of the memory time of an engine's core for a line copied: latency L, transfer X.

    With `overlapped` it is the larger of L and three transfers (rvsim), else 2 L + X (gem5's
    waiting core): docs/results/validation.md.  Lines have at least `smallest_line` bytes, L at
    least `floor_cycles`.  A written-through line costs one fill: X is a third of L, so that L is
    the whole time where they overlap.  A written-back line costs two fills and a write-back: L is
    60 % of L + X.
    """

    overlapped: bool
    share: Mapping[str, float]  # of a line's time that L is, by what the cache does with writes
    smallest_line: int
    floor_cycles: int
    mips_per_mhz: float  # of the base machine: where the search begins
    core: Core | None = None  # in place of the machine's own


SHAPES = {
    "rvsim": Shape(True, {"through": 1.0, "back": 1 / 2}, 64, MISS_PATH_CYCLES + 1, 0.55),
    "gem5": Shape(False, {"through": 3 / 7, "back": 3 / 8}, 16, 2, 0.74),
}
PIPELINED = {
    # MinorCPU's stores do not wait, so that a line's fill hides what is written back.
    "gem5": Shape(True, {"through": 1.0, "back": 1 / 2}, 16, 2, 0.74, "in-order-pipelined"),
}
"""The same with that core in place of the machine's own."""


def target(tables: pd.DataFrame, machine: str, source: int = 1990) -> Rates:
    """The rates to fit: MIPS of Table 1 in the paper of `source`, and copying of Table 5 of 1990.

    Copying rates are means over the operating systems. Raises OsgapError.
    """
    cells = tables[(tables["source"] == 1990) & (tables["machine"] == machine)]
    cells = cells[cells["value"] != "--"]
    rates = [
        [float(value) for value in cells[cells["metric"] == metric]["value"]]
        for metric in ("bcopy_cached", "bcopy_uncached")
    ]
    mips = Paper(tables, source).mips(machine)
    if not all(rates) or mips != mips:
        raise OsgapError(f"{machine}: the paper of {source} has no MIPS or no Table 5 for it")
    return Rates(mips, geometric_mean(rates[0]), geometric_mean(rates[1]))


def line_bytes(machine: Machine, shape: Shape) -> int:
    """The machine's cache line in bytes, or the engine's smallest line if that is longer."""
    return max(int(machine.l1d.line_bytes.value), shape.smallest_line)


def first_guess(machine: Machine, goal: Rates, shape: Shape) -> Guess:
    """The first guess, from the base machine's MIPS per MHz and the paper's copying rates."""
    per_byte = max(1 / goal.uncached - 1 / goal.cached, 0.0) * 1000
    return Guess(goal.mips / shape.mips_per_mhz, per_byte * line_bytes(machine, shape))


def improved(guess: Guess, goal: Rates, measured: Rates, shape: Shape) -> Guess:
    """The next guess: both figures by proportion, the memory's by a factor of 1/4 to 4.

    A line's time below the engine's least latency was simulated as that latency.
    """
    cost = 1 / measured.uncached - 1 / measured.cached
    needed = 1 / goal.uncached - 1 / measured.cached
    factor = needed / cost if cost > 0 and needed > 0 else 1 / _STEP
    factor = min(max(factor, 1 / _STEP), _STEP)
    least = shape.floor_cycles * 1000 / guess.clock_mhz
    return Guess(guess.clock_mhz * goal.mips / measured.mips, max(guess.line_ns, least) * factor)


def to_fit(guess: Guess, machine: Machine, shape: Shape, refill_cycles: int | None = None) -> Fit:
    """The figures in an engine's machine file for a guess.

    The latency is whole cycles; the bandwidth takes the remainder of the rounding.
    """
    simulated = CLOCK_STEP_MHZ * ceil(MIN_TIME_SCALE * guess.clock_mhz / CLOCK_STEP_MHZ)
    scale = round(simulated / guess.clock_mhz, 4)
    clock = simulated / scale
    cycles = guess.line_ns * clock / 1000
    share = shape.share[machine.l1d.write]
    latency = max(shape.floor_cycles, floor(cycles * share + 1e-9))
    transfer = cycles / 3 if shape.overlapped else cycles - 2 * latency
    line = line_bytes(machine, shape)
    bandwidth = line / (max(transfer, _LEAST_TRANSFER) / clock)
    return Fit(
        time_scale=scale,
        core=shape.core,
        refill_cycles=refill_cycles,
        line_bytes=line,
        clock_mhz=Figure(value=_written(clock), source=SOURCES[0]),
        latency_ns=Figure(value=_written(latency * 1000 / clock), source=SOURCES[1]),
        bandwidth_mb_s=Figure(value=_written(bandwidth), source=SOURCES[1]),
    )


def _written(value: float) -> float:
    return float(f"{value:.10g}")


_LEAST_TRANSFER = 0.05  # cycles: a transfer that is not seen
SOURCES = ("fitted to Table 1's MIPS", "fitted to Table 5's uncached copying")


def distance(goal: Rates, measured: Rates) -> float:
    """Returns the larger relative error of MIPS and of uncached copying."""
    pairs = ((measured.mips, goal.mips), (measured.uncached, goal.uncached))
    return max(abs(got / want - 1) for got, want in pairs)


def close(goal: Rates, measured: Rates, limit: float = CLOSE) -> bool:
    """Returns whether MIPS and uncached copying are within `limit`."""
    return distance(goal, measured) <= limit
