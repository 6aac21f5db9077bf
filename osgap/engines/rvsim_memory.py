# SPDX-License-Identifier: BSD-3-Clause
"""Memory's options of rvsim's Config: one latency and one bandwidth, or DRAM with open rows."""

from __future__ import annotations

from typing import Any

from osgap.base import units
from osgap.base.quoting import quoted
from osgap.engines import rvsim_builds
from osgap.engines.contract import WHOLE_CYCLES, EngineError, latency_cycles
from osgap.machines.system import System

MISS_PATH_CYCLES = 3
"""Cycles of a miss beside the controller's latency: measured, 7 cycles with a latency of 4."""


def check(system: System) -> None:
    """Raises EngineError for memory that rvsim cannot simulate."""
    if system.memory.model is not None:
        raise EngineError(
            f"memory.model: found {quoted(system.memory.model)}; allowed by rvsim: none"
        )
    cycles = _controller_cycles(system)
    rows = sum(_row_cycles(system))
    if rows > cycles:
        raise EngineError(
            f"memory.rows: found {rows} cycles of {system.clock_mhz:g} MHz for all three; allowed "
            f"by rvsim: {cycles} or fewer, what memory.latency_ns leaves beside the caches"
        )


def options(system: System) -> dict[str, Any]:
    """Returns the options of the controller and of the bus, whose sum is the file's latency."""
    controller = rvsim_builds.library().module.MemoryController
    cycles = _controller_cycles(system)
    # A line in one beat: the controller has the time of the transfer.
    bus = {"bus_width": system.l1d.line_bytes}
    if system.memory.rows is None:
        bandwidth = units.gib_per_s(system.memory.bandwidth_mb_s)
        simple = controller.Simple(latency=cycles, bandwidth_gib_s=bandwidth)
        return {"memory_controller": simple, "bus_latency": 0, **bus}
    column, activate, precharge = _row_cycles(system)
    rows = controller.DRAM(t_cas=column, t_ras=activate, t_pre=precharge)
    # The bus takes its latency on the way there and on the way back; an odd cycle is lost.
    one_way = (cycles - column - activate - precharge) // 2
    return {"memory_controller": rows, "bus_latency": one_way, **bus}


def _row_cycles(system: System) -> tuple[int, ...]:
    """Returns the cycles, one or more each, of column, activation and precharge, if any."""
    rows = system.memory.rows
    if rows is None:
        return ()
    times = (rows.column_ns, rows.activate_ns, rows.precharge_ns)
    return tuple(max(1, units.cycles(ns, system.clock_mhz)) for ns in times)


def _controller_cycles(system: System) -> int:
    """Returns the controller's latency: a whole miss without the miss path and the other caches.

    With load_cycles these are known. With hit_cycles an l2 counts as its hit alone, a cycle too
    little (rvsim_config.LEVEL_CYCLES), as in all runs since there is an l2.
    """
    last = system.data_caches[-1]
    if last.load_cycles is not None and system.l1d.load_cycles is not None:
        behind = last.load_cycles - system.l1d.load_cycles
    else:
        behind = sum(cache.hit_cycles for cache in system.data_caches[1:])
    other = MISS_PATH_CYCLES + behind
    allowed = f"rvsim: {WHOLE_CYCLES} above {other}"
    return latency_cycles(system, other + 1, allowed) - other
