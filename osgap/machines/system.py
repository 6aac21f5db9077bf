# SPDX-License-Identifier: BSD-3-Clause
"""The system that a point simulates: a machine file at one clock, with the sweep's figures in
place of the file's, with memory, disk and network fixed or scaled, and after the time scale."""

from __future__ import annotations

from typing import Any

from osgap.base import units
from osgap.base.config import ConfigError
from osgap.base.frozen import Frozen
from osgap.base.quoting import quoted
from osgap.machines.axis_values import Setting, with_values
from osgap.machines.figure import Figure, left_out
from osgap.machines.machine import Disk, KernelEntryCost, Machine, Memory, Policy
from osgap.machines.memory_rows import MemoryRowsSystem, rows_system
from osgap.machines.network import NetworkSystem, network_system
from osgap.machines.processor import Core, Harts, PageTableLevels
from osgap.machines.processor_system import (
    CacheSystem,
    PipelineSystem,
    PredictorSystem,
    SecondTlbSystem,
    cache_system,
    pipeline_system,
    predictor_system,
    second_tlb_system,
)

# Mean of sqrt(distance / full) over two random cylinders is 8/15, which ties avg to full seek.
_MEAN_ROOT_OF_DISTANCE = 8 / 15


class MemorySystem(Frozen):
    """Memory as simulated, after scaling; with a `model` its own timing replaces the figures."""

    size_mib: int
    latency_ns: float
    bandwidth_mb_s: float
    model: str | None = left_out(None)
    bus_latency_ns: float | None = left_out(None)
    rows: MemoryRowsSystem | None = left_out(None)


class DiskSystem(Frozen):
    """The disk driver's parameters, after scaling; times in whole ns."""

    rotation_ns: int
    sectors_per_track: int
    heads: int
    cylinders: int
    seek_track_ns: int
    seek_full_ns: int
    overhead_ns: int
    cache_sectors: int


class KernelEntrySystem(Frozen):
    """The additional cost of the kernel's events: parameters of the image variant `period`."""

    call_instructions: int
    call_stores: int
    trap_instructions: int
    trap_stores: int
    switch_instructions: int
    switch_stores: int
    one_mapping: int = left_out(0)


class System(Frozen):
    """One machine as a point simulates it; its network only where files are on a server."""

    clock_mhz: float
    core: Core
    harts: Harts = left_out(1)
    width: int
    tlb_entries: int
    refill_cycles: int | None = left_out(None)
    page_table_levels: PageTableLevels | None = left_out(None)
    misaligned_traps: bool = left_out(False)
    pipeline: PipelineSystem | None = left_out(None)
    predictor: PredictorSystem | None = left_out(None)
    second_tlb: SecondTlbSystem | None = left_out(None)
    l1i: CacheSystem
    l1d: CacheSystem
    l2: CacheSystem | None
    l3: CacheSystem | None = left_out(None)
    memory: MemorySystem
    disk: DiskSystem
    network: NetworkSystem | None = left_out(None)
    entry: KernelEntrySystem | None = left_out(None)

    @property
    def memory_cycles(self) -> float:
        """Cycles of the clock that memory's latency takes."""
        return self.memory.latency_ns * self.clock_mhz / 1000

    @property
    def line_cycles(self) -> float:
        """Cycles of the clock that memory takes to transfer a line of the data cache."""
        bytes_per_us = self.memory.bandwidth_mb_s * units.BYTES_PER_MB / 1e6
        return self.l1d.line_bytes / bytes_per_us * self.clock_mhz

    @property
    def bus_cycles(self) -> int:
        """Whole cycles of the clock that the bus between the harts takes; 0 without a latency."""
        return round((self.memory.bus_latency_ns or 0) * self.clock_mhz / 1000)

    @property
    def last_cache_bytes(self) -> int:
        """The size of the last cache before memory."""
        return self.data_caches[-1].size_bytes

    @property
    def data_caches(self) -> tuple[CacheSystem, ...]:
        """The caches that a load passes through, from the first on."""
        return tuple(cache for cache in (self.l1d, self.l2, self.l3) if cache is not None)

    @property
    def caches(self) -> dict[str, CacheSystem]:
        """Every cache by its name in a machine file."""
        named = {"l1i": self.l1i, "l1d": self.l1d, "l2": self.l2, "l3": self.l3}
        return {name: cache for name, cache in named.items() if cache is not None}

    @property
    def parameters(self) -> dict[str, int]:
        """The parameters of the guest's drivers, as its orders give them."""
        entry = self.entry.model_dump() if self.entry else {}
        return {**self.disk.model_dump(), **entry}


def system(
    machine: Machine,
    clock_mhz: float | None = None,
    memory: Policy = "fixed",
    disk: Policy = "fixed",
    reference: Machine | None = None,
    *,
    network: Policy = "fixed",
    entry: bool = False,
    remote: bool = False,
    **figures: Setting,
) -> System:
    """`machine` at `clock_mhz` (its own when None); scaled parts speed up as the clock does.

    `figures` are values of the axes osgap.machines.axes.FIGURES, by key, before scaling. With a
    `reference` scaled parts are its parts, sped up by the ratio of MIPS and of the clocks. With
    `entry` kernel entry costs as much more than the reference's as the machine file says. With
    `remote`, files on a server, the system has a network. Raises ConfigError.
    """
    base = machine.cpu.clock_mhz.value
    clock = base if clock_mhz is None else clock_mhz
    scale = machine.time_scale
    faster = scale * (clock / base) * (_mips_ratio(machine, reference) if reference else 1)

    def part(name: str, policy: Policy) -> tuple[Any, float]:
        """A part of the machine or, scaled, of its reference, and how many times as fast it is."""
        is_reference = policy == "scaled" and reference is not None
        source = reference if policy == "scaled" and reference else machine
        if getattr(source, name) is None:
            raise ConfigError(
                f"machine {quoted(source.description)}: {name}: missing; allowed: one, since files "
                "are on a server"
            )
        figured = with_values(getattr(source, name), name, figures, is_reference=is_reference)
        return figured, faster if policy == "scaled" else scale

    return System(
        clock_mhz=round(clock * scale, 6),
        core=machine.cpu.core,
        harts=machine.cpu.harts,
        width=machine.cpu.width,
        tlb_entries=int(machine.cpu.tlb_entries.value),
        refill_cycles=machine.cpu.refill_cycles,
        page_table_levels=machine.cpu.page_table_levels,
        misaligned_traps=machine.cpu.misaligned_traps,
        pipeline=pipeline_system(machine.pipeline),
        predictor=predictor_system(machine.predictor),
        second_tlb=second_tlb_system(machine.second_tlb),
        l1i=cache_system(machine.l1i),
        l1d=cache_system(machine.l1d),
        l2=cache_system(machine.l2) if machine.l2 else None,
        l3=cache_system(machine.l3) if machine.l3 else None,
        memory=_memory(*part("memory", memory)),
        disk=_disk(*part("disk", disk)),
        network=network_system(*part("network", network)) if remote else None,
        entry=kernel_entry(machine.entry, reference) if entry and machine.entry else None,
    )


def kernel_entry(cost: KernelEntryCost, reference: Machine | None) -> KernelEntrySystem | None:
    """Extra kernel-entry cost relative to the reference machine (whose cost the image already
    has); None if there is none. Raises ConfigError for a reference without a cost."""
    if reference is None:
        return None
    if reference.entry is None:
        raise ConfigError(
            f"machine {quoted(reference.description)}: entry: missing; allowed: one, to which that "
            "of the machines that refer to it is relative"
        )
    base = reference.entry

    def extra(figure: Figure, base_figure: Figure) -> int:
        return max(0, round(figure.value - base_figure.value))

    stores = max(0, cost.stores - base.stores)
    entry = KernelEntrySystem(
        call_instructions=extra(cost.system_call, base.system_call),
        call_stores=stores,
        trap_instructions=extra(cost.trap, base.trap),
        trap_stores=stores,
        switch_instructions=extra(cost.context_switch, base.context_switch),
        switch_stores=stores,
        one_mapping=int(cost.one_mapping),
    )
    return entry if any(entry.model_dump().values()) else None


def _mips_ratio(machine: Machine, reference: Machine) -> float:
    if machine.mips is None or reference.mips is None:
        raise ConfigError(
            f"machine {quoted(machine.description)}: mips: missing here or in its reference"
        )
    return machine.mips.value / reference.mips.value


def _memory(memory: Memory, faster: float) -> MemorySystem:
    if memory.model is not None and faster != 1:
        raise ConfigError(
            f"memory.model: found {memory.model} {faster:g} times as fast; "
            "allowed: a DRAM model at its own speed (memory fixed, time_scale 1)"
        )
    if memory.rows is not None and memory.model is not None:
        raise ConfigError(
            f"memory.rows: found with model {memory.model}; allowed: one of rows and model"
        )
    if memory.bus_latency_ns is not None and memory.model is not None:
        raise ConfigError(
            f"memory.bus_latency_ns: found with model {memory.model}; "
            "allowed: without a model, as a part of latency_ns"
        )
    latency_ns = memory.latency_ns.value / faster
    bus = memory.bus_latency_ns
    return MemorySystem(
        size_mib=int(memory.size_mib.value),
        latency_ns=latency_ns,
        bandwidth_mb_s=memory.bandwidth_mb_s.value * faster,
        model=memory.model,
        bus_latency_ns=bus.value / faster if bus else None,
        rows=rows_system(memory.rows, latency_ns, faster),
    )


def _disk(disk: Disk, faster: float) -> DiskSystem:
    track, average = disk.seek_track_ms.value, disk.seek_avg_ms.value
    full = track + (average - track) / _MEAN_ROOT_OF_DISTANCE

    def ns(milliseconds: float) -> int:
        return round(milliseconds * units.NS_PER_MS / faster)

    return DiskSystem(
        rotation_ns=round(units.rotation_ns(disk.rpm.value) / faster),
        sectors_per_track=int(disk.sectors_per_track.value),
        heads=int(disk.heads.value),
        cylinders=int(disk.cylinders.value),
        seek_track_ns=ns(track),
        seek_full_ns=ns(full),
        overhead_ns=ns(disk.overhead_ms.value),
        cache_sectors=int(disk.write_cache_kib.value) * 2,
    )
