# SPDX-License-Identifier: BSD-3-Clause
"""Makes rvsim's Config of a system, and refuses a system that rvsim cannot simulate."""

from __future__ import annotations

from typing import Any

from osgap.engines import rvsim_builds, rvsim_memory
from osgap.engines.contract import EngineError
from osgap.machines.processor_system import CacheSystem, PipelineSystem, PredictorSystem
from osgap.machines.system import System

TIMEBASE_MHZ = 10
"""The timer's frequency in rvsim's device tree, of which a clock must be a multiple."""
LEVEL_CYCLES = 1
"""Cycles that each cache behind the first takes beside its latency: measured by random chases."""
FABRIC_CYCLES = 3
"""Further cycles of the fabric between several harts' caches, measured with hops of no cycles."""
_LOAD_CYCLES = {"in-order": 2, "in-order-pipelined": 2, "out-of-order": 1}
"""Cycles of a load beside its first cache's latency, by kind of core: measured likewise."""
_FILTER_FACTOR = 4096.0
_OF_STRIDES = ("l1d", "l2")
"""The caches that rvsim's prefetchers of strides fill."""
_LEAST_LINE_BYTES = 64
_MULTIPLY_CYCLES, _DIVIDE_CYCLES, _INTEGER_UNITS = 3, 35, 4  # rvsim's own
# The memory map of QEMU virt, which the guest's device tree describes.
MEMORY_MAP: dict[str, Any] = {
    "ram_base": 0x8000_0000,
    "uart_base": 0x1000_0000,
    "disk_base": 0x1000_1000,
    "clint_base": 0x0200_0000,
    "syscon_base": 0x0010_0000,
    "sim_control_base": 0x0010_2000,
    "kernel_offset": 0x0020_0000,
}


def check(system: System) -> None:
    """Raises EngineError for a system that rvsim cannot simulate."""
    clock = system.clock_mhz
    if clock != int(clock) or int(clock) % TIMEBASE_MHZ or clock < TIMEBASE_MHZ:
        raise EngineError(
            f"clock {clock:g} MHz cannot be simulated by rvsim; "
            f"allowed: whole multiples of {TIMEBASE_MHZ} MHz"
        )
    for name, cache in system.caches.items():
        if cache.line_bytes < _LEAST_LINE_BYTES:
            raise EngineError(
                f"{name}.line_bytes: found {cache.line_bytes}; allowed by rvsim: "
                f"{_LEAST_LINE_BYTES} or more"
            )
        if cache.prefetch == "stride" and name not in _OF_STRIDES:
            raise EngineError(
                f"{name}.prefetch: found stride; allowed by rvsim: stride in "
                f"{' and '.join(_OF_STRIDES)}"
            )
    if system.memory.bus_latency_ns is not None:
        raise EngineError(
            f"memory.bus_latency_ns: found {system.memory.bus_latency_ns:g}; allowed by rvsim: "
            "none, as its bus between harts has no latency"
        )
    _check_harts(system)
    _latencies(system)
    rvsim_memory.check(system)


def config(system: System) -> Any:
    """Returns rvsim's Config of a system."""
    rvsim = rvsim_builds.library().module
    clock = int(system.clock_mhz)
    return rvsim.Config(
        width=system.width,
        **_core(system),
        **_caches(system),
        **_paging(system),
        **_stride_prefetchers(system),
        ram_size=system.memory.size_mib << 20,
        **rvsim_memory.options(system),
        cpu_clock_mhz=clock,
        clint_divider=clock // TIMEBASE_MHZ,
        console="captured",
        **MEMORY_MAP,
    )


def _core(system: System) -> dict[str, Any]:
    """Returns the options of a core: its back end, its predictor and its traps."""
    rvsim = rvsim_builds.library().module
    # rvsim's in-order core is a pipeline: both kinds of in-order core are the same to it.
    in_order = system.core != "out-of-order"
    predictor = rvsim.BranchPredictor
    options = {"branch_predictor": predictor.GShare() if in_order else predictor.TAGE()}
    if system.predictor is not None:
        options = _predictor(system.predictor)
    pipeline = system.pipeline or PipelineSystem()
    latencies = {"trap_latency": pipeline.trap_cycles, "redirect_latency": pipeline.redirect_cycles}
    backend = rvsim.Backend.InOrder() if in_order else _out_of_order(pipeline)
    return {**options, **_without_none(latencies), "backend": backend}


def _predictor(predictor: PredictorSystem) -> dict[str, Any]:
    tournament = rvsim_builds.library().module.BranchPredictor.Tournament(
        global_size_bits=predictor.global_bits,
        local_hist_bits=predictor.local_history_bits,
        local_pred_bits=predictor.local_bits,
    )
    return {
        "branch_predictor": tournament,
        "btb_size": predictor.btb_entries,
        "ras_size": predictor.return_stack,
    }


def _out_of_order(pipeline: PipelineSystem) -> Any:
    """Returns the back end of a core out of order; what is not given is rvsim's own."""
    rvsim = rvsim_builds.library().module
    options = {
        "rob_size": pipeline.reorder_buffer,
        "issue_queue_size": pipeline.issue_queue,
        "load_queue_size": pipeline.load_queue,
        "store_buffer_size": pipeline.store_queue,
        "prf_gpr_size": pipeline.integer_registers,
        "prf_fpr_size": pipeline.float_registers,
        "load_ports": pipeline.memory_ports,
        "store_ports": pipeline.memory_ports,
    }
    return rvsim.Backend.OutOfOrder(**_without_none(options), fu_config=_units(pipeline))


def _units(pipeline: PipelineSystem) -> Any:
    """Returns the units, of which rvsim must be told all kinds; None for its own."""
    unit = rvsim_builds.library().module.Fu
    units_known = (pipeline.integer_units, pipeline.multiply_cycles, pipeline.divide_cycles)
    if not any(units_known) and not pipeline.memory_ports:
        return None
    memory = {"count": 2 * pipeline.memory_ports} if pipeline.memory_ports else {}
    return unit(
        [
            unit.IntAlu(count=pipeline.integer_units or _INTEGER_UNITS),
            unit.IntMul(latency=pipeline.multiply_cycles or _MULTIPLY_CYCLES),
            unit.IntDiv(latency=pipeline.divide_cycles or _DIVIDE_CYCLES),
            *(unit.FpAdd(), unit.FpMul(), unit.FpFma(), unit.FpDivSqrt()),
            *(unit.Branch(), unit.Mem(**memory)),
        ]
    )


def _paging(system: System) -> dict[str, Any]:
    options: dict[str, Any] = {"tlb_size": system.tlb_entries}
    if system.second_tlb is not None:
        options["l2_tlb_size"] = system.second_tlb.entries
        options["l2_tlb_ways"] = system.second_tlb.ways
        options["l2_tlb_latency"] = system.second_tlb.cycles
    if system.page_table_levels is not None:
        # A table of 512 entries translates 9 bits of an address, and a page has 12.
        options["paging_mode_max"] = f"sv{12 + 9 * system.page_table_levels}"
    if system.misaligned_traps:
        options["misaligned_access_trap"] = True
    return options


def _without_none(options: dict[str, int | None]) -> dict[str, int]:
    return {name: value for name, value in options.items() if value is not None}


def _latencies(system: System) -> list[int]:
    """Returns rvsim's latency of each data cache, from the first on.

    Raises EngineError for load_cycles that are too few.
    """
    beside = _LOAD_CYCLES[system.core]
    latencies: list[int] = []
    before = 0
    for name, cache in system.caches.items():
        if name == "l1i":
            continue
        if cache.load_cycles is None:
            latencies.append(cache.hit_cycles)
            continue
        latency = cache.load_cycles - before - beside
        if latency < 1:
            raise EngineError(
                f"{name}.load_cycles: found {cache.load_cycles}; allowed by rvsim with core "
                f"{system.core}: {before + beside + 1} or more"
            )
        latencies.append(latency)
        before, beside = cache.load_cycles, LEVEL_CYCLES
    return latencies


def _caches(system: System) -> dict[str, Any]:
    """Returns the options of the caches and, for several harts, of their coherence.

    rvsim's l3 belongs to all harts; a hit takes the fabric's cycles too. It sizes the snoop filter
    by l2s, of which there may be none: the factor makes it so large that it recalls no line.
    """
    rvsim = rvsim_builds.library().module
    latencies = _latencies(system)
    names = [name for name in system.caches if name != "l1i"]
    if system.harts > 1:
        latencies[-1] -= FABRIC_CYCLES
    caches = {
        name: _cache(system.caches[name], latency)
        for name, latency in zip(names, latencies, strict=True)
    }
    first = {"l1i": _cache(system.l1i, system.l1i.hit_cycles), "l1d": caches["l1d"]}
    if system.harts == 1:
        return {**first, "l2": caches.get("l2"), "l3": caches.get("l3"), "hart_count": 1}
    shared = caches.pop(names[-1])
    line = system.caches[names[-1]].line_bytes
    crossbar = rvsim.Interconnect.Crossbar(hop_latency=0, bytes_per_cycle=line)
    home = rvsim.HomeAgent.SnoopFilter(capacity_factor=_FILTER_FACTOR)
    coherence = rvsim.Coherence(home, crossbar)
    several = {"hart_count": system.harts, "coherence": coherence}
    return {**first, "l2": caches.get("l2"), "l3": shared, **several}


def _stride_prefetchers(system: System) -> dict[str, Any]:
    """Returns rvsim's prefetchers of strides: those of loads fill the l1d and the l2, each as many
    lines ahead as the cache says, those of stores the l2 alone."""
    rvsim = rvsim_builds.library().module
    ahead = {
        name: cache.prefetch_lines
        for name, cache in system.caches.items()
        if cache.prefetch == "stride"
    }
    if not ahead:
        return {}
    lines = {f"{name[:2]}_lines": ahead.get(name, 0) for name in _OF_STRIDES}
    prefetchers = {"load_prefetcher": rvsim.LoadPrefetcher.Stride(**lines)}
    if "l2" in ahead:
        prefetchers["store_prefetcher"] = rvsim.StorePrefetcher.Stream(l2_lines=ahead["l2"])
    return prefetchers


def _cache(cache: CacheSystem, latency: int) -> Any:
    rvsim = rvsim_builds.library().module
    more: dict[str, Any] = {}
    if cache.mshrs is not None:
        more["mshr_count"] = cache.mshrs
    if cache.prefetch == "next-line":
        more["prefetcher"] = rvsim.Prefetcher.NextLine(degree=cache.prefetch_lines)
    return rvsim.Cache(
        cache.size_bytes, line=cache.line_bytes, ways=cache.ways, latency=latency, **more
    )


def _check_harts(system: System) -> None:
    last = [*system.caches][-1]
    if system.harts > 1 and (last == "l1d" or _latencies(system)[-1] <= FABRIC_CYCLES):
        raise EngineError(
            f"cpu.harts: found {system.harts} with {_hit_text(system, last)}; allowed by rvsim: "
            f"several harts with an l2 of {FABRIC_CYCLES + 1} cycles or more, which they share"
        )


def _hit_text(system: System, name: str) -> str:
    """Returns what an error calls the latency of the last cache."""
    cache = system.caches[name]
    if name == "l1d":
        return "no l2"
    key = "hit_cycles" if cache.load_cycles is None else "load_cycles"
    return f"{name}.{key} {getattr(cache, key)}"
