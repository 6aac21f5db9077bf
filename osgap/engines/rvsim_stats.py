# SPDX-License-Identifier: BSD-3-Clause
"""rvsim's statistics of one region in gem5's names (docs/run-directory.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from osgap import units
from osgap.engines.base import Value
from osgap.machine import System

TICKS_PER_S = 1_000_000_000_000
"""gem5's: one tick is one picosecond."""


def region_stats(raw: Any, system: System) -> Mapping[str, Value]:
    """Maps a region's rvsim `Stats` (anything with query and []) to names and numbers."""
    own = {path: _number(value) for path, value in sorted(raw.query("**"))}
    return {
        **_time(own, system),
        **_cache(own, "core0.cache.l1i", "system.cpu.icache"),
        **_cache(own, "core0.cache.l1d", "system.cpu.dcache"),
        **_memory(own, system),
        **_attribution(own, system),
        **{f"rvsim.{path}": value for path, value in own.items() if value},
    }


def _number(value: float) -> Value:
    return int(value) if float(value).is_integer() else value


def _time(own: Mapping[str, Value], system: System) -> dict[str, Value]:
    cycles, insts = own["core0.pipeline.cycles.total"], own["hart0.retired_insts"]
    period = round(TICKS_PER_S / (system.clock_mhz * 1e6))
    return {
        "simSeconds": cycles / (system.clock_mhz * 1e6),
        "simTicks": int(cycles) * period,
        "simFreq": TICKS_PER_S,
        "simInsts": insts,
        "system.clk_domain.clock": period,
        "system.cpu.numCycles": cycles,
        "system.cpu.idleCycles": own["core0.pipeline.cycles.wfi"],
        "system.cpu.cpi": cycles / insts if insts else float("nan"),
    }


def _cache(own: Mapping[str, Value], theirs: str, ours: str) -> dict[str, Value]:
    return {
        f"{ours}.overallHits::total": own[f"{theirs}.hits"],
        f"{ours}.overallMisses::total": own[f"{theirs}.misses"],
        f"{ours}.writebacks::total": own[f"{theirs}.writebacks"],
    }


def _memory(own: Mapping[str, Value], system: System) -> dict[str, Value]:
    reads, writes = _lines(own, system)
    line = system.l1d.line_bytes
    return {
        "system.mem_ctrls.numReads::total": reads,
        "system.mem_ctrls.numWrites::total": writes,
        "system.mem_ctrls.bytesRead::total": reads * line,
        "system.mem_ctrls.bytesWritten::total": writes * line,
    }


def _lines(own: Mapping[str, Value], system: System) -> tuple[Value, Value]:
    """Lines that memory reads and writes: fills and write-backs of the last cache level."""
    if system.l2 is not None:
        return own["core0.cache.l2.fills"], own["core0.cache.l2.writebacks"]
    fills = own["core0.cache.l1i.fills"] + own["core0.cache.l1d.fills"]
    return fills, own["core0.cache.l1d.writebacks"]


def _attribution(own: Mapping[str, Value], system: System) -> dict[str, Value]:
    user, idle = own["hart0.cycles.user"], own["core0.pipeline.cycles.wfi"]
    kernel = own["core0.pipeline.cycles.total"] - user - idle
    return {
        "osgap.cycles.user": user,
        "osgap.cycles.kernel": kernel,
        "osgap.cycles.idle": idle,
        "osgap.cycles.memoryStall": _memory_stall(own, system, user + kernel),
    }


def _memory_stall(own: Mapping[str, Value], system: System, busy: Value) -> int:
    """Cycles that wait for memory, estimated: rvsim does not count them.

    Instruction side: the cycles in which fetch waits. Data side: fills times the time of one. No
    more than the busy cycles in which nothing retires. docs/METHOD.md has the estimate's error.
    """
    reads, writes = _lines(own, system)
    nothing = own["core0.commit.retire_histogram.zero"] - own["core0.pipeline.cycles.wfi"]
    latency = system.memory.latency_ns * system.clock_mhz / 1000
    line_s = system.l1d.line_bytes / (system.memory.bandwidth_mb_s * units.BYTES_PER_MB)
    transfer = line_s * system.clock_mhz * 1e6
    per_fill = latency + transfer * (writes / reads if reads else 0)
    data = own["core0.cache.l1d.fills"] * per_fill
    stall = own["core0.pipeline.stalls.fetch_wait"] + data
    return int(max(0, min(stall, nothing, busy)))
