# SPDX-License-Identifier: BSD-3-Clause
"""Machines: what configs/machines/*.toml say, and what a point simulates.

A machine file gives each figure with its source. A point simulates a `System`: the machine at one
clock, with memory and disk fixed or scaled with that clock, after the time scale is applied.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from osgap import units
from osgap.tomlfile import ConfigError, read_model

Policy = Literal["fixed", "scaled"]
Core = Literal["in-order", "in-order-pipelined", "out-of-order"]
Harts = Literal[1, 2, 4, 8]

MACHINE_NAME = r"^[A-Za-z0-9_][A-Za-z0-9_-]*(/[A-Za-z0-9_][A-Za-z0-9_-]*)?$"
"""A machine file below configs/machines, in at most one folder there."""
# Mean of sqrt(distance / full) over two random cylinders is 8/15, which ties avg to full seek.
_MEAN_ROOT_OF_DISTANCE = 8 / 15


class Frozen(BaseModel):
    """A value that rejects unknown keys and cannot be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Figure(Frozen):
    """One number of a machine, with where it comes from."""

    value: float
    source: str = Field(min_length=1)


def _between(low: float, high: float, unit: str, *, whole: bool = False) -> AfterValidator:
    def check(figure: Figure) -> Figure:
        kind = "a whole number" if whole else "a number"
        good = low <= figure.value <= high and (not whole or figure.value.is_integer())
        if not good:
            raise ValueError(f"{kind} from {low:g} to {high:g} {unit}".rstrip())
        return figure

    return AfterValidator(check)


class Cpu(Frozen):
    """The cores, all alike; width in instructions a cycle. Engines say how they model each kind."""

    core: Core
    harts: Harts = 1
    width: Annotated[int, Field(ge=1, le=8)]
    clock_mhz: Annotated[Figure, _between(1, 20000, "MHz")]
    tlb_entries: Annotated[Figure, _between(8, 4096, "entries", whole=True)]


class Cache(Frozen):
    """One cache. `write` says what the real one does; engines simulate all as write-back."""

    size_kib: Annotated[Figure, _between(1, 65536, "KiB", whole=True)]
    ways: Annotated[Figure, _between(1, 32, "ways", whole=True)]
    line_bytes: Annotated[Figure, _between(4, 256, "bytes", whole=True)]
    hit_cycles: Annotated[int, Field(ge=1, le=100)] = 1
    write: Literal["back", "through"] = "back"


class Memory(Frozen):
    """Main memory behind the last cache. `model` names a DRAM model of gem5, for gem5 alone."""

    size_mib: Annotated[Figure, _between(64, 4096, "MiB", whole=True)]
    latency_ns: Annotated[Figure, _between(1, 100000, "ns")]
    bandwidth_mb_s: Annotated[Figure, _between(1, 1000000, "MB/s")]
    model: str | None = Field(default=None, pattern=r"^[A-Za-z0-9_]+$")


class Disk(Frozen):
    """A disk's geometry and mechanism; the media rate follows from turns and sectors."""

    rpm: Annotated[Figure, _between(60, 100000, "turns a minute")]
    sectors_per_track: Annotated[Figure, _between(1, 10000, "sectors", whole=True)]
    heads: Annotated[Figure, _between(1, 256, "heads", whole=True)]
    cylinders: Annotated[Figure, _between(2, 1000000, "cylinders", whole=True)]
    seek_track_ms: Annotated[Figure, _between(0, 1000, "ms")]
    seek_avg_ms: Annotated[Figure, _between(0, 1000, "ms")]
    overhead_ms: Annotated[Figure, _between(0, 1000, "ms")]
    write_cache_kib: Annotated[Figure, _between(0, 65536, "KiB", whole=True)]


class Fit(Frozen):
    """What replaces a machine's figures on one engine; scripts/calibrate.py writes it."""

    time_scale: Annotated[float, Field(gt=0, le=1000)]
    line_bytes: Annotated[int, Field(ge=4, le=256)]
    clock_mhz: Annotated[Figure, _between(0.1, 20000, "MHz")]
    latency_ns: Annotated[Figure, _between(1, 100000, "ns")]
    bandwidth_mb_s: Annotated[Figure, _between(0.1, 1000000, "MB/s")]


class Machine(Frozen):
    """A machine file. `time_scale` S multiplies every rate and divides every latency.

    With several harts each has an l1i and an l1d of its own; l2 and memory are shared.
    `scaled` memory and disk are the machine's own, or, where it has a `reference`, that machine's,
    made faster by the ratio of their MIPS: as fast relative to the processor as there.
    """

    description: str = Field(min_length=1)
    time_scale: Annotated[float, Field(gt=0, le=1000)] = 1
    mips: Annotated[Figure, _between(0.01, 100000, "MIPS")] | None = None
    reference: str | None = Field(default=None, pattern=MACHINE_NAME)
    cpu: Cpu
    l1i: Cache
    l1d: Cache
    l2: Cache | None = None
    memory: Memory
    disk: Disk
    fit: dict[str, Fit] = Field(default_factory=dict)


class CacheSystem(Frozen):
    """A cache as simulated."""

    size_bytes: int
    ways: int
    line_bytes: int
    hit_cycles: int


class MemorySystem(Frozen):
    """Memory as simulated, after scaling; with a `model` its own timing replaces the figures."""

    size_mib: int
    latency_ns: float
    bandwidth_mb_s: float
    # Absent rather than null, so that the keys of points without one stay what they were.
    model: str | None = Field(default=None, exclude_if=lambda value: value is None)


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


class System(Frozen):
    """One machine as a point simulates it."""

    clock_mhz: float
    core: Core
    # Absent when 1, so that the keys of points of one hart stay what they were.
    harts: Harts = Field(default=1, exclude_if=lambda value: value == 1)
    width: int
    tlb_entries: int
    l1i: CacheSystem
    l1d: CacheSystem
    l2: CacheSystem | None
    memory: MemorySystem
    disk: DiskSystem


def load_machine(path: Path) -> Machine:
    """The machine described by the TOML file at `path`. Raises ConfigError."""
    machine = read_model(path, Machine)
    if machine.disk.seek_avg_ms.value < machine.disk.seek_track_ms.value:
        raise ConfigError(
            f"{path}: disk.seek_avg_ms: found {machine.disk.seek_avg_ms.value:g}; allowed: "
            f"disk.seek_track_ms ({machine.disk.seek_track_ms.value:g}) or more"
        )
    for name, cache in (("l1i", machine.l1i), ("l1d", machine.l1d), ("l2", machine.l2)):
        if cache is not None:
            _check_geometry(path, name, cache)
    return machine


def _check_geometry(path: Path, name: str, cache: Cache) -> None:
    size = int(cache.size_kib.value) * units.BYTES_PER_KIB
    row = int(cache.ways.value * cache.line_bytes.value)
    sets = size // row
    if size % row or sets & (sets - 1):
        raise ConfigError(
            f"{path}: {name}.size_kib: found {cache.size_kib.value:g} with {row} bytes in a set; "
            "allowed: sizes that give a power of two of sets"
        )


def fitted(machine: Machine, engine: str) -> Machine:
    """`machine` with what was fitted for `engine` in place of its own; itself where nothing was."""
    fit = machine.fit.get(engine)
    if fit is None:
        return machine
    line = Figure(value=fit.line_bytes, source=f"{engine}'s")
    memory = {"latency_ns": fit.latency_ns, "bandwidth_mb_s": fit.bandwidth_mb_s, "model": None}
    return machine.model_copy(
        update={
            "time_scale": fit.time_scale,
            "cpu": machine.cpu.model_copy(update={"clock_mhz": fit.clock_mhz}),
            "l1i": machine.l1i.model_copy(update={"line_bytes": line}),
            "l1d": machine.l1d.model_copy(update={"line_bytes": line}),
            "memory": machine.memory.model_copy(update=memory),
        }
    )


def system(
    machine: Machine,
    clock_mhz: float | None = None,
    memory: Policy = "fixed",
    disk: Policy = "fixed",
    reference: Machine | None = None,
) -> System:
    """`machine` at `clock_mhz` (its own when None); scaled parts speed up as the clock does.

    With a `reference` scaled parts are its parts, sped up by the ratio of MIPS and of the clocks.
    Raises ConfigError when memory that a DRAM model times would have to be scaled, and when one
    of the two machines has no MIPS.
    """
    base = machine.cpu.clock_mhz.value
    clock = base if clock_mhz is None else clock_mhz
    scale = machine.time_scale
    source = reference or machine
    faster = scale * (clock / base) * (_mips_ratio(machine, reference) if reference else 1)
    return System(
        clock_mhz=round(clock * scale, 6),
        core=machine.cpu.core,
        harts=machine.cpu.harts,
        width=machine.cpu.width,
        tlb_entries=int(machine.cpu.tlb_entries.value),
        l1i=_cache(machine.l1i),
        l1d=_cache(machine.l1d),
        l2=_cache(machine.l2) if machine.l2 else None,
        memory=_memory(source.memory, faster)
        if memory == "scaled"
        else _memory(machine.memory, scale),
        disk=_disk(source.disk, faster) if disk == "scaled" else _disk(machine.disk, scale),
    )


def _mips_ratio(machine: Machine, reference: Machine) -> float:
    if machine.mips is None or reference.mips is None:
        raise ConfigError(
            f"machine {machine.description!r}: mips: missing here or in its reference"
        )
    return machine.mips.value / reference.mips.value


def _cache(cache: Cache) -> CacheSystem:
    return CacheSystem(
        size_bytes=int(cache.size_kib.value) * units.BYTES_PER_KIB,
        ways=int(cache.ways.value),
        line_bytes=int(cache.line_bytes.value),
        hit_cycles=cache.hit_cycles,
    )


def _memory(memory: Memory, faster: float) -> MemorySystem:
    if memory.model is not None and faster != 1:
        raise ConfigError(
            f"memory.model: found {memory.model} {faster:g} times as fast; "
            "allowed: a DRAM model at its own speed (memory fixed, time_scale 1)"
        )
    return MemorySystem(
        size_mib=int(memory.size_mib.value),
        latency_ns=memory.latency_ns.value / faster,
        bandwidth_mb_s=memory.bandwidth_mb_s.value * faster,
        model=memory.model,
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
