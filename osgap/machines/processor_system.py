# SPDX-License-Identifier: BSD-3-Clause
"""The processor as a point simulates it: plain numbers of osgap.machines.processor."""

from __future__ import annotations

from collections.abc import Mapping

from osgap.base import units
from osgap.base.frozen import Frozen
from osgap.machines.figure import Figure, left_out
from osgap.machines.processor import Cache, Pipeline, Predictor, Prefetch, SecondTlb


class CacheSystem(Frozen):
    """A cache as simulated; with `load_cycles` these count, not `hit_cycles`."""

    size_bytes: int
    ways: int
    line_bytes: int
    hit_cycles: int
    load_cycles: int | None = left_out(None)
    mshrs: int | None = left_out(None)
    prefetch: Prefetch | None = left_out(None)
    prefetch_lines: int | None = left_out(None)


class PipelineSystem(Frozen):
    """The inside of a core; None is the simulator's own number."""

    trap_cycles: int | None = left_out(None)
    redirect_cycles: int | None = left_out(None)
    reorder_buffer: int | None = left_out(None)
    issue_queue: int | None = left_out(None)
    load_queue: int | None = left_out(None)
    store_queue: int | None = left_out(None)
    integer_registers: int | None = left_out(None)
    float_registers: int | None = left_out(None)
    integer_units: int | None = left_out(None)
    memory_ports: int | None = left_out(None)
    multiply_cycles: int | None = left_out(None)
    divide_cycles: int | None = left_out(None)


class PredictorSystem(Frozen):
    """A branch predictor as simulated."""

    global_bits: int
    local_history_bits: int
    local_bits: int
    btb_entries: int
    return_stack: int


class SecondTlbSystem(Frozen):
    """A second TLB as simulated."""

    entries: int
    ways: int
    cycles: int


def cache_system(cache: Cache) -> CacheSystem:
    """Returns a machine file's cache as simulated."""
    return CacheSystem(
        size_bytes=int(cache.size_kib.value) * units.BYTES_PER_KIB,
        ways=int(cache.ways.value),
        line_bytes=int(cache.line_bytes.value),
        hit_cycles=cache.hit_cycles,
        load_cycles=_whole_number(cache.load_cycles),
        mshrs=_whole_number(cache.mshrs),
        prefetch=cache.prefetch,
        prefetch_lines=_whole_number(cache.prefetch_lines),
    )


def pipeline_system(pipeline: Pipeline | None) -> PipelineSystem | None:
    """Returns a machine file's pipeline as simulated."""
    return None if pipeline is None else PipelineSystem.model_validate(_values(pipeline))


def predictor_system(predictor: Predictor | None) -> PredictorSystem | None:
    """Returns a machine file's branch predictor as simulated."""
    return None if predictor is None else PredictorSystem.model_validate(_values(predictor))


def second_tlb_system(tlb: SecondTlb | None) -> SecondTlbSystem | None:
    """Returns a machine file's second TLB as simulated."""
    return None if tlb is None else SecondTlbSystem.model_validate(_values(tlb))


def _values(part: Frozen) -> Mapping[str, int]:
    """Returns the figures that the part has, as whole numbers."""
    figures = {name: getattr(part, name) for name in type(part).model_fields}
    return {name: int(figure.value) for name, figure in figures.items() if figure is not None}


def _whole_number(figure: Figure | None) -> int | None:
    return None if figure is None else int(figure.value)
