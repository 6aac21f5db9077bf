# SPDX-License-Identifier: BSD-3-Clause
"""Latencies of caches and memory, misses at once and bandwidth, from measured chases and copies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from osgap.machines.figure import Figure
from osgap.native.template.caches import ShapedCache
from osgap.native.template.core import LEAST_TLB, MeasuredCore
from osgap.native.template.times import MeasuredChase, MeasuredTimes
from osgap.native.text import size_text

_LEAST_LOAD_CYCLES = 3
"""rvsim's in-order core takes no less from a load to its use (osgap/engines/rvsim_config.py)."""
_LEAST_RISE = 3
"""Cycles from one cache's load_cycles to the next's: gem5 takes two beside the cache's latency
(configs/gem5/latencies.py), rvsim one."""
_MISS_CYCLES = 4
"""Cycles of a miss beside the caches: rvsim's miss path of 3, and one of the memory."""
_MOST_LOAD_CYCLES, _MOST_LATENCY_NS, _MOST_MB_S = 1000, 100_000, 1_000_000
"""Limits of a machine file."""
_AT_ONCE = 8
_MOVED_LINES = 3
"""A copied line is read, and the line that it goes to is read and written back."""
_FAR, _NEAR = 4, 2
"""A chase over so many times a cache's size misses in it always, or mostly."""
_HIDDEN = 3
"""A larger set takes less than so many times as long where memory is behind both: a page-table walk
may double a load, and a cache that is not reported is at least five times as fast as memory."""
_LINE_BYTES = 64


@dataclass(frozen=True)
class MemoryTimes:
    """Figures of the data caches by name, and of memory; `remarks` say what seems wrong."""

    load_cycles: Mapping[str, Figure]
    mshrs: Figure | None
    latency_ns: Figure
    bandwidth_mb_s: Figure
    remarks: Sequence[str]


def memory_times(
    caches: Sequence[ShapedCache], times: MeasuredTimes, core: MeasuredCore
) -> MemoryTimes:
    """The figures of the data caches `caches`, from the first on, and of the memory behind them.

    `times` has a chase at least.
    """
    hits = [
        _chase_inside(smaller, cache.size_bytes, times.chases)
        for smaller, cache in zip((0, *(c.size_bytes for c in caches)), caches, strict=False)
    ]
    beyond, remarks = _beyond(caches[-1], times.chases)
    cycles = _load_cycles(caches, hits, beyond, core)
    behind = int(cycles[caches[-1].name].value - cycles[caches[0].name].value)
    latency = _latency(beyond, hits[0], behind, core)
    return MemoryTimes(
        load_cycles=cycles,
        mshrs=_mshrs(times.eight),
        latency_ns=latency,
        bandwidth_mb_s=_bandwidth(times.copy_mb_s, latency.value),
        remarks=remarks,
    )


def _chase_inside(smaller: int, size: int, chases: Sequence[MeasuredChase]) -> MeasuredChase | None:
    """The first chase that hits in a cache of `size` bytes and not in the one before it."""
    always = [c for c in chases if _NEAR * smaller <= c.size_bytes <= size // _NEAR]
    mostly = [c for c in chases if smaller < c.size_bytes <= size]
    return next(iter(always or mostly), None)


def _beyond(
    last: ShapedCache, chases: Sequence[MeasuredChase]
) -> tuple[MeasuredChase, Sequence[str]]:
    """The first chase that misses in the last cache, and a remark where that seems wrong."""
    largest = max(chases, key=lambda chase: chase.size_bytes)
    far, near = (
        [c for c in chases if c.size_bytes >= times * last.size_bytes] for times in (_FAR, _NEAR)
    )
    beyond = far or near
    if not last.is_reported:
        return largest, ()
    if not beyond:
        remark = (
            f"[memory] latency_ns: a load takes {largest.brief}, much of which the last cache holds"
        )
        return largest, (remark,)
    first = beyond[0]
    if first.ns * _HIDDEN >= largest.ns:
        return first, ()
    return largest, (
        f"[{last.name}]: a load takes {first.brief}, but {largest.brief}: there seems to be a "
        "cache behind it that the machine does not report",
    )


def _load_cycles(
    caches: Sequence[ShapedCache],
    hits: Sequence[MeasuredChase | None],
    beyond: MeasuredChase,
    core: MeasuredCore,
) -> dict[str, Figure]:
    """The load_cycles of each data cache, each more than those of the cache before."""
    figures: dict[str, Figure] = {}
    least, before = _LEAST_LOAD_CYCLES, 1.0
    most = _MOST_LOAD_CYCLES - _LEAST_RISE * len(caches)
    for number, cache in enumerate(caches):
        chase = hits[number]
        if chase is None:
            following = next((hit for hit in hits[number:] if hit), beyond)
            cycles = math.sqrt(before * max(core.cycles(following.ns), before))
            source = "assumed: between those before and behind it; no measured chase lies inside"
        else:
            cycles = core.cycles(chase.ns)
            source = f"{chase.words}{_translation(chase, core)}"
        value = max(min(round(cycles), most), least)
        if value != round(cycles):
            source += f"; of these {cycles:.3g} cycles the simulators make {value}"
        figures[cache.name] = Figure(value=value, source=source)
        least, before = value + _LEAST_RISE, float(value)
    return figures


def _latency(
    beyond: MeasuredChase, hit: MeasuredChase | None, behind: int, core: MeasuredCore
) -> Figure:
    """The latency of memory in whole cycles: a chase less a hit in the first cache.

    `behind` are the cycles from a hit in the first cache to a hit in the last.
    """
    hit_ns = hit.ns if hit else 0.0
    exact = max(beyond.ns - hit_ns, 0.0) * core.written_mhz / 1000
    # A machine file's least latency is 1 ns.
    least = max(behind + _MISS_CYCLES, math.ceil(core.written_mhz / 1000))
    cycles = max(round(exact), least)
    less = f", less {hit_ns:.3g} ns of a hit in the l1d" if hit else ""
    source = f"{beyond.words}{less}{_translation(beyond, core)}"
    if cycles > exact + 1:
        source += "; raised to what a miss takes in the simulators' caches"
    ns = round(cycles * 1000 / core.written_mhz, 1)
    return Figure(value=min(ns, _MOST_LATENCY_NS), source=source)


def _translation(chase: MeasuredChase, core: MeasuredCore) -> str:
    """Words for the page-table walks that a chase's time may have in it."""
    if chase.pages <= (core.tlb.value if core.tlb else LEAST_TLB):
        return ""
    if core.tlb is None:
        return f"; {chase.pages} pages, so page-table walks may still be in it"
    return f"; {chase.pages} pages, so a second TLB or page-table walks are still in it"


def _mshrs(eight: Mapping[int, float]) -> Figure | None:
    """The misses that the first cache has at once: the most that eight chases show."""
    if not eight:
        return None
    size, ratio = min(eight.items(), key=lambda item: item[1])
    count = round(_AT_ONCE / max(ratio, 1.0)) or 1
    limit = "; more cannot be seen" if count == _AT_ONCE else ""
    return Figure(
        value=count,
        source=f"{_AT_ONCE} chases at once over {size_text(size)} take {ratio:.2f} times as long "
        f"as one, measured here{limit}",
    )


def _bandwidth(copy_mb_s: float | None, latency_ns: float) -> Figure:
    if copy_mb_s is None:
        value, source = _LINE_BYTES * 1000 / latency_ns, "assumed: a line in each latency"
    else:
        value = _MOVED_LINES * copy_mb_s
        source = (
            f"{copy_mb_s:.0f} MB/s copied, measured here, and three lines move for each one copied"
        )
    return Figure(value=min(max(round(value), 1), _MOST_MB_S), source=source)
