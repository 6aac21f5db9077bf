# SPDX-License-Identifier: BSD-3-Clause
"""rvsim's statistics of one region in gem5's names (docs/run-directory.md).

A machine of one hart has gem5's `system.cpu`; one of several has `system.cpu0` and so on, and of
each attribution a row for each hart, `::0` and so on, and their sum, `::total`.
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
"""gem5's: one tick is one picosecond."""


def region_stats(raw: Any, system: System) -> Mapping[str, Value]:
    """Maps a region's rvsim `Stats` (anything with query and []) to names and numbers.

    Raises EngineError for a path that is missing or there twice, and for a value that is nan or
    infinite.
    """
    own = _own(raw.query("**"))
    try:
        told = _one(own, system) if system.harts == 1 else _several(own, system)
    except KeyError as error:
        raise EngineError(f"rvsim's statistics have no {quoted(error.args[0])}") from None
    return {**told, **{f"rvsim.{path}": value for path, value in own.items() if value}}


def _own(rows: Iterable[tuple[str, float]]) -> dict[str, Value]:
    own: dict[str, Value] = {}
    for path, value in sorted(rows):
        if path in own:
            raise EngineError(f"rvsim's statistics have {quoted(path)} twice")
        if not math.isfinite(value):
            raise EngineError(f"rvsim's {quoted(path)}: found {value}; allowed: a finite number")
        own[path] = _number(value)
    return own


def _one(own: Mapping[str, Value], system: System) -> dict[str, Value]:
    cycles, insts = own["core0.pipeline.cycles.total"], own["hart0.retired_insts"]
    return {
        **_time(cycles, insts, system),
        **_core(own, 0, "system.cpu"),
        **_cache(own, "core0.cache.l1i", "system.cpu.icache"),
        **_cache(own, "core0.cache.l1d", "system.cpu.dcache"),
        **_memory(*_lines(own, system), system),
        **{f"osgap.cycles.{name}": value for name, value in _attribution(own, system, 0).items()},
    }


def _several(own: Mapping[str, Value], system: System) -> dict[str, Value]:
    harts = range(system.harts)
    cycles = own["core0.pipeline.cycles.total"]
    told = _time(cycles, sum(own[f"hart{hart}.retired_insts"] for hart in harts), system)
    for hart in harts:
        cpu, theirs = f"system.cpu{hart}", f"core{hart}.cache"
        told |= _core(own, hart, cpu)
        told[f"{cpu}.commitStats0.numInsts"] = own[f"hart{hart}.retired_insts"]
        told |= _cache(own, f"{theirs}.l1i", f"{cpu}.icache")
        told |= _cache(own, f"{theirs}.l1d", f"{cpu}.dcache")
    told |= _cache(own, "llc", "system.l2")
    told |= _memory(*_lines(own, system), system)
    return told | _summed([_attribution(own, system, hart) for hart in harts])


def _summed(attributions: Sequence[Mapping[str, Value]]) -> dict[str, Value]:
    """Each attribution of each hart, and the sum over the harts, as gem5 prints a vector."""
    told: dict[str, Value] = {}
    for name in attributions[0]:
        values = [attribution[name] for attribution in attributions]
        rows = {**{str(hart): value for hart, value in enumerate(values)}, "total": sum(values)}
        told |= {f"osgap.cycles.{name}::{row}": value for row, value in rows.items()}
    return told


def _number(value: float) -> Value:
    return int(value) if float(value).is_integer() else value


def _time(cycles: Value, insts: Value, system: System) -> dict[str, Value]:
    period = round(TICKS_PER_S / (system.clock_mhz * 1e6))
    return {
        "simSeconds": cycles / (system.clock_mhz * 1e6),
        "simTicks": int(cycles) * period,
        "simFreq": TICKS_PER_S,
        "simInsts": insts,
        "system.clk_domain.clock": period,
    }


def _core(own: Mapping[str, Value], hart: int, cpu: str) -> dict[str, Value]:
    cycles = own[f"core{hart}.pipeline.cycles.total"]
    insts = own[f"hart{hart}.retired_insts"]
    return {
        f"{cpu}.numCycles": cycles,
        f"{cpu}.idleCycles": own[f"core{hart}.pipeline.cycles.wfi"],
        f"{cpu}.cpi": cycles / insts if insts else float("nan"),
    }


def _cache(own: Mapping[str, Value], theirs: str, ours: str) -> dict[str, Value]:
    return {
        f"{ours}.overallHits::total": own[f"{theirs}.hits"],
        f"{ours}.overallMisses::total": own[f"{theirs}.misses"],
        f"{ours}.writebacks::total": own[f"{theirs}.writebacks"],
    }


def _memory(reads: Value, writes: Value, system: System) -> dict[str, Value]:
    line = system.l1d.line_bytes
    return {
        "system.mem_ctrls.numReads::total": reads,
        "system.mem_ctrls.numWrites::total": writes,
        "system.mem_ctrls.bytesRead::total": reads * line,
        "system.mem_ctrls.bytesWritten::total": writes * line,
    }


def _lines(own: Mapping[str, Value], system: System) -> tuple[Value, Value]:
    """Lines that memory reads and writes: fills and write-backs of the last cache level."""
    if system.harts > 1:
        return own["llc.fills"], own["llc.writebacks"]
    if system.l2 is not None:
        return own["core0.cache.l2.fills"], own["core0.cache.l2.writebacks"]
    return _l1_fills(own, system), own["core0.cache.l1d.writebacks"]


def _l1_fills(own: Mapping[str, Value], system: System) -> Value:
    """Lines that the first caches of all harts took in."""
    caches = [f"core{hart}.cache.{name}" for hart in range(system.harts) for name in ("l1i", "l1d")]
    return sum(own[f"{cache}.fills"] for cache in caches)


def _attribution(own: Mapping[str, Value], system: System, hart: int) -> dict[str, Value]:
    user, idle = own[f"hart{hart}.cycles.user"], own[f"core{hart}.pipeline.cycles.wfi"]
    kernel = own[f"core{hart}.pipeline.cycles.total"] - user - idle
    return {
        "user": user,
        "kernel": kernel,
        "idle": idle,
        "memoryStall": _memory_stall(own, system, f"core{hart}", user + kernel),
    }


def _memory_stall(own: Mapping[str, Value], system: System, core: str, busy: Value) -> int:
    """Cycles that wait for memory, estimated: rvsim does not count them.

    Instruction side: the cycles in which fetch waits. Data side: fills times the time of one, of
    which with an l2 only its own share goes to memory. No more than the busy cycles in which
    nothing retires. docs/METHOD.md has the estimate's error.
    """
    reads, writes = _lines(own, system)
    nothing = own[f"{core}.commit.retire_histogram.zero"] - own[f"{core}.pipeline.cycles.wfi"]
    latency = system.memory.latency_ns * system.clock_mhz / 1000
    line_s = system.l1d.line_bytes / (system.memory.bandwidth_mb_s * units.BYTES_PER_MB)
    transfer = line_s * system.clock_mhz * 1e6
    per_fill = latency + transfer * (writes / reads if reads else 0)
    if system.l2 is not None:
        missing = min(1, reads / max(1, _l1_fills(own, system)))
        per_fill = missing * per_fill + (1 - missing) * system.l2.hit_cycles
    data = own[f"{core}.cache.l1d.fills"] * per_fill
    stall = own[f"{core}.pipeline.stalls.fetch_wait"] + data
    return int(max(0, min(stall, nothing, busy)))
