# SPDX-License-Identifier: BSD-3-Clause
"""Where each figure of the analysis stands in a stats.txt: osgap's own layout and gem5's.

gem5 names a statistic by the object's place in the configuration, so a figure has one name for
each kind of machine; the first that a dump has is taken.  Latencies are in ticks.
"""

import math
import re
from collections import defaultdict
from collections.abc import Mapping

Scalars = Mapping[str, float]

_CORE = "board.processor.cores.core"
_CACHES = "board.cache_hierarchy"
# Minor and O3 stop counting numCycles while they wait for an interrupt.
_QUIESCED = f"{_CORE}.quiesceCycles"
_IDLE = f"{_CORE}.exec_context.thread_0.numIdleCycles"
_MEMORY = ("system.mem_ctrls", "board.memory.module", "board.memory.mem_ctrl.dram")

REQUIRED: Mapping[str, tuple[str, ...]] = {
    # gem5's simInsts goes on counting when the statistics are reset.
    "insts": (f"{_CORE}.commitStats0.numInsts", "simInsts"),
    "sim_freq": ("simFreq",),
    "clock_ticks": ("system.clk_domain.clock", "board.clk_domain.clock"),
    # Of several harts each counts all cycles.
    "cycles": ("system.cpu.numCycles", "system.cpu0.numCycles", f"{_CORE}.numCycles"),
}
OPTIONAL: Mapping[str, tuple[str, ...]] = {
    "user_insts": ("osgap.insts.user",),
    # With several harts those of all: user, kernel and idle sum to that many times the cycles.
    "user_cycles": ("osgap.cycles.user", "osgap.cycles.user::total"),
    "kernel_cycles": ("osgap.cycles.kernel", "osgap.cycles.kernel::total"),
    "idle_cycles": (
        "osgap.cycles.idle",
        "osgap.cycles.idle::total",
        _IDLE,  # simple CPUs
        _QUIESCED,
    ),
    "stall_cycles": ("osgap.cycles.memoryStall", "osgap.cycles.memoryStall::total"),
    "bytes_read": tuple(f"{name}.bytesRead::total" for name in _MEMORY),
    "bytes_written": tuple(f"{name}.bytesWritten::total" for name in _MEMORY),
}
_MISS_LATENCIES = tuple(
    f"{_CACHES}.{name}.overallMissLatency::total" for name in ("l1icache", "l1dcache")
)


_BOARD = "board.clk_domain.clock"
_NUMBERED = re.compile(rf"({re.escape(_CORE[:-5])}|{re.escape(_CACHES)}\.l1[id]cache)\d+(\..+)")
_FIRST_OF_SEVERAL = "board.processor.cores0.core.numCycles"
_BUSY = f"{_CORE}.exec_context.thread_0.notIdleFraction"
# What gem5 leaves out of a dump while it is 0.
_NOZERO = ("bytesRead::total", "bytesWritten::total", "quiesceCycles")


def find(scalars: Scalars, names: tuple[str, ...]) -> float | None:
    """The first of `names` that a dump has, 0 where gem5 left it out as zero, or None."""
    found = next((float(scalars[name]) for name in names if name in scalars), None)
    if found is None and _BOARD in scalars and any(name.endswith(_NOZERO) for name in names):
        return 0.0
    return found


def of_all_cores(scalars: Scalars) -> Scalars:
    """A dump with, for gem5's numbered cores and L1 caches, their sums under one core's names.

    A dump of one core, and any of rvsim's, comes back as it is.  Idle cycles are those of the
    region: gem5 books a wait whole in the region in which its core wakes, so that they come from
    the time that each core was not idle, and are NaN where no core tells it (Minor, O3).
    """
    if _FIRST_OF_SEVERAL not in scalars:
        return scalars
    sums: defaultdict[str, float] = defaultdict(float)
    counts: defaultdict[str, int] = defaultdict(int)
    for name, value in scalars.items():
        numbered = _NUMBERED.match(name)
        if numbered:
            place = f"{numbered[1]}{numbered[2]}"
            sums[place] += value
            counts[place] += 1
    sums[_QUIESCED] = math.nan
    if _BUSY in sums:
        sums[_IDLE] = (counts[_BUSY] - sums[_BUSY]) * elapsed_cycles(scalars, 0)
    return {**scalars, **sums}


def elapsed_cycles(scalars: Scalars, cycles: float) -> float:
    """All cycles of a region, idle ones included, of a core (or several) that counted `cycles`."""
    if _FIRST_OF_SEVERAL in scalars:
        return scalars["simTicks"] / scalars[_BOARD]
    return cycles + scalars.get(_QUIESCED, 0.0)


def miss_cycles(scalars: Scalars, clock_ticks: float) -> float | None:
    """Cycles that demand misses of gem5's L1 caches took; None where a dump has no such core.

    On a blocking core (TimingSimpleCPU) each of them waits, so that they are its memory stall;
    page-table walks that miss the data cache are among them.  A core that overlaps misses
    counts each in full: there the sum is no stall, and is not taken.
    """
    ticks = [scalars[name] for name in _MISS_LATENCIES if name in scalars]
    blocking = _IDLE in scalars
    # A cache without a miss leaves its row out.
    return sum(ticks) / clock_ticks if blocking and _BOARD in scalars else None
