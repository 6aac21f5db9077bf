# SPDX-License-Identifier: BSD-3-Clause
"""The names of the analysis's figures in a stats.txt of osgap's or gem5's.

gem5 names a statistic by its object in the configuration, so a figure has a name for each kind of
machine; the first that a dump has counts. Latencies are in ticks.
"""

import math
import re
from collections import ChainMap, defaultdict
from collections.abc import Mapping, MutableMapping
from itertools import chain
from typing import cast

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
    # Each of several harts counts all cycles.
    "cycles": ("system.cpu.numCycles", "system.cpu0.numCycles", f"{_CORE}.numCycles"),
}
OPTIONAL: Mapping[str, tuple[str, ...]] = {
    "user_insts": ("osgap.insts.user",),
    # The sums over harts: user, kernel and idle together are the cycles times the harts.
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
FIRST_OF_SEVERAL = "board.processor.cores0.core.numCycles"
_BUSY = f"{_CORE}.exec_context.thread_0.notIdleFraction"
_SUMMED = tuple(
    sorted(
        name[len(prefix) :]
        for names in (*REQUIRED.values(), *OPTIONAL.values(), _MISS_LATENCIES, (_BUSY,))
        for name in names
        for prefix in (_CORE, *(f"{_CACHES}.{cache}" for cache in ("l1icache", "l1dcache")))
        if name.startswith(f"{prefix}.")
    )
)
"""The ends of the names that figures need of numbered cores and caches."""
FIGURES = frozenset(
    (*chain(*REQUIRED.values(), *OPTIONAL.values()), *_MISS_LATENCIES, _BOARD, "simTicks")
)
"""The names that figures need of a dump of one core."""
# Statistics that gem5 leaves out of a dump while they are 0.
_NOZERO = ("bytesRead::total", "bytesWritten::total", "quiesceCycles")


def find(scalars: Scalars, names: tuple[str, ...]) -> float | None:
    """Returns the first of `names` in a dump, 0 for one that gem5 left out as zero, or None."""
    value = next((float(scalars[name]) for name in names if name in scalars), None)
    if value is None and _BOARD in scalars and any(name.endswith(_NOZERO) for name in names):
        return 0.0
    return value


def sum_cores(scalars: Scalars) -> Scalars:
    """Returns a dump with the sums of gem5's numbered cores and L1 caches, by one core's names.

    Sums are of the figures in REQUIRED and OPTIONAL, and what they are computed from.

    Leaves a dump of one core, and of rvsim, unchanged. Idle cycles are computed from the time that
    each core was not idle, because gem5 counts a whole wait in the region in which its core wakes;
    they are NaN if no core has that time (Minor, O3).
    """
    if FIRST_OF_SEVERAL not in scalars:
        return scalars
    sums: defaultdict[str, float] = defaultdict(float)
    counts: defaultdict[str, int] = defaultdict(int)
    for name in scalars:
        if name.endswith(_SUMMED) and (numbered := _NUMBERED.match(name)):
            shared_name = f"{numbered[1]}{numbered[2]}"
            sums[shared_name] += scalars[name]
            counts[shared_name] += 1
    sums[_QUIESCED] = math.nan
    if _BUSY in sums:
        sums[_IDLE] = (counts[_BUSY] - sums[_BUSY]) * elapsed_cycles(scalars, 0)
    # The values that are not summed are converted from text only if they are read.
    return ChainMap(dict(sums), cast(MutableMapping[str, float], scalars))


def elapsed_cycles(scalars: Scalars, cycles: float) -> float:
    """Returns a region's cycles, idle ones included, if its core or cores counted `cycles`."""
    if FIRST_OF_SEVERAL in scalars:
        return scalars["simTicks"] / scalars[_BOARD]
    return cycles + scalars.get(_QUIESCED, 0.0)


def miss_cycles(scalars: Scalars, clock_ticks: float) -> float | None:
    """Returns the cycles of demand misses of gem5's L1 caches; None for a non-blocking core.

    On a blocking core (TimingSimpleCPU) they are the memory stall, with page-table walks that miss
    the data cache. A core that overlaps misses counts each in full: there the sum is no stall.
    """
    ticks = [scalars[name] for name in _MISS_LATENCIES if name in scalars]
    blocking = _IDLE in scalars
    # A cache without a miss leaves its row out.
    return sum(ticks) / clock_ticks if blocking and _BOARD in scalars else None
