# SPDX-License-Identifier: BSD-3-Clause
"""Translates rvsim's statistics of a region to gem5's names (docs/reference/run-directory.md).

A machine of one hart has gem5's `system.cpu`. One of several harts has `system.cpu0` and so on, and
for each attribution one row a hart, `::0` and so on, and their sum, `::total`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from osgap.base import units
from osgap.base.quoting import quoted
from osgap.engines.contract import EngineError, Value
from osgap.machines.system import System

TICKS_PER_S = 1_000_000_000_000
"""Ticks of gem5: one is a picosecond."""


def region_stats(raw: Any, system: System) -> Mapping[str, Value]:
    """Returns a region's rvsim `Stats` as numbers by gem5's names. Raises EngineError."""
    counters = _by_path(raw.query("**"))
    translate = _single_hart if system.harts == 1 else _several_harts
    try:
        stats = translate(counters, system)
    except KeyError as error:
        raise EngineError(f"rvsim's statistics have no {quoted(error.args[0])}") from None
    return {**stats, **{f"rvsim.{path}": value for path, value in counters.items() if value}}


def _by_path(rows: Iterable[tuple[str, float]]) -> dict[str, Value]:
    counters: dict[str, Value] = {}
    for path, value in sorted(rows):
        if path in counters:
            raise EngineError(f"rvsim's statistics have {quoted(path)} twice")
        if not math.isfinite(value):
            raise EngineError(f"rvsim's {quoted(path)}: found {value}; allowed: a finite number")
        counters[path] = int(value) if float(value).is_integer() else value
    return counters


def _single_hart(counters: Mapping[str, Value], system: System) -> dict[str, Value]:
    cycles, insts = counters["core0.pipeline.cycles.total"], counters["hart0.retired_insts"]
    attribution = _attribution(counters, system, 0)
    return {
        **_time(cycles, insts, system),
        **_core(counters, 0, "system.cpu"),
        **_cache(counters, "core0.cache.l1i", "system.cpu.icache"),
        **_cache(counters, "core0.cache.l1d", "system.cpu.dcache"),
        **_memory(*_lines(counters, system), system),
        **{f"osgap.cycles.{name}": value for name, value in attribution.items()},
    }


def _several_harts(counters: Mapping[str, Value], system: System) -> dict[str, Value]:
    harts = range(system.harts)
    cycles = counters["core0.pipeline.cycles.total"]
    stats = _time(cycles, sum(counters[f"hart{hart}.retired_insts"] for hart in harts), system)
    for hart in harts:
        cpu, source = f"system.cpu{hart}", f"core{hart}.cache"
        stats |= _core(counters, hart, cpu)
        stats[f"{cpu}.commitStats0.numInsts"] = counters[f"hart{hart}.retired_insts"]
        stats |= _cache(counters, f"{source}.l1i", f"{cpu}.icache")
        stats |= _cache(counters, f"{source}.l1d", f"{cpu}.dcache")
    stats |= _cache(counters, "llc", "system.l2")
    stats |= _memory(*_lines(counters, system), system)
    return stats | _summed([_attribution(counters, system, hart) for hart in harts])


def _summed(attributions: Sequence[Mapping[str, Value]]) -> dict[str, Value]:
    """Returns each hart's attributions and their sums over the harts, as gem5 prints a vector."""
    stats: dict[str, Value] = {}
    for name in attributions[0]:
        values = [attribution[name] for attribution in attributions]
        rows = {**{str(hart): value for hart, value in enumerate(values)}, "total": sum(values)}
        stats |= {f"osgap.cycles.{name}::{row}": value for row, value in rows.items()}
    return stats


def _time(cycles: Value, insts: Value, system: System) -> dict[str, Value]:
    period = round(TICKS_PER_S / (system.clock_mhz * 1e6))
    return {
        "simSeconds": cycles / (system.clock_mhz * 1e6),
        "simTicks": int(cycles) * period,
        "simFreq": TICKS_PER_S,
        "simInsts": insts,
        "system.clk_domain.clock": period,
    }


def _core(counters: Mapping[str, Value], hart: int, cpu: str) -> dict[str, Value]:
    cycles = counters[f"core{hart}.pipeline.cycles.total"]
    insts = counters[f"hart{hart}.retired_insts"]
    return {
        f"{cpu}.numCycles": cycles,
        f"{cpu}.idleCycles": counters[f"core{hart}.pipeline.cycles.wfi"],
        f"{cpu}.cpi": cycles / insts if insts else float("nan"),
    }


def _cache(counters: Mapping[str, Value], source: str, target: str) -> dict[str, Value]:
    return {
        f"{target}.overallHits::total": counters[f"{source}.hits"],
        f"{target}.overallMisses::total": counters[f"{source}.misses"],
        f"{target}.writebacks::total": counters[f"{source}.writebacks"],
    }


def _memory(reads: Value, writes: Value, system: System) -> dict[str, Value]:
    line = system.l1d.line_bytes
    return {
        "system.mem_ctrls.numReads::total": reads,
        "system.mem_ctrls.numWrites::total": writes,
        "system.mem_ctrls.bytesRead::total": reads * line,
        "system.mem_ctrls.bytesWritten::total": writes * line,
    }


def _lines(counters: Mapping[str, Value], system: System) -> tuple[Value, Value]:
    """Returns the lines that memory reads and writes: fills and write-backs of the last cache."""
    if system.harts > 1 or system.l3 is not None:
        return counters["llc.fills"], counters["llc.writebacks"]
    if system.l2 is not None:
        return counters["core0.cache.l2.fills"], counters["core0.cache.l2.writebacks"]
    return _l1_fills(counters, system), counters["core0.cache.l1d.writebacks"]


def _l1_fills(counters: Mapping[str, Value], system: System) -> Value:
    """Returns the fills of the first caches of all harts."""
    caches = [f"core{hart}.cache.{name}" for hart in range(system.harts) for name in ("l1i", "l1d")]
    return sum(counters[f"{cache}.fills"] for cache in caches)


def _attribution(counters: Mapping[str, Value], system: System, hart: int) -> dict[str, Value]:
    user, idle = counters[f"hart{hart}.cycles.user"], counters[f"core{hart}.pipeline.cycles.wfi"]
    kernel = counters[f"core{hart}.pipeline.cycles.total"] - user - idle
    return {
        "user": user,
        "kernel": kernel,
        "idle": idle,
        "memoryStall": _memory_stall(counters, system, f"core{hart}", user + kernel),
    }


def _memory_stall(counters: Mapping[str, Value], system: System, core: str, busy: Value) -> int:
    """Returns the estimated cycles of waiting for memory, which rvsim does not count.

    Of the data side fills times the time of a fill, which with an l2 is memory's only for the last
    cache's misses, and else the l2's; at most the busy cycles in which no instruction retires.
    docs/method/overview.md has the estimate's error.
    """
    reads, writes = _lines(counters, system)
    without_retirement = counters[f"{core}.commit.retire_histogram.zero"]
    busy_without_retirement = without_retirement - counters[f"{core}.pipeline.cycles.wfi"]
    latency = system.memory_cycles
    line_s = system.l1d.line_bytes / (system.memory.bandwidth_mb_s * units.BYTES_PER_MB)
    transfer = line_s * system.clock_mhz * 1e6
    per_fill = latency + transfer * (writes / reads if reads else 0)
    if system.l2 is not None:
        missing = min(1, reads / max(1, _l1_fills(counters, system)))
        hit = system.l2.load_cycles or system.l2.hit_cycles
        per_fill = missing * per_fill + (1 - missing) * hit
    data = counters[f"{core}.cache.l1d.fills"] * per_fill
    stall = counters[f"{core}.pipeline.stalls.fetch_wait"] + data
    return int(max(0, min(stall, busy_without_retirement, busy)))
