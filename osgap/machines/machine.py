# SPDX-License-Identifier: BSD-3-Clause
"""Machines as configs/machines/*.toml describe them, each figure with its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field

from osgap.base import units
from osgap.base.config import ConfigError
from osgap.base.frozen import Frozen
from osgap.base.validation import number_from
from osgap.machines.figure import Figure, Range, between, left_out
from osgap.machines.inherit import EXTENDS, MACHINE_NAME, read_chain
from osgap.machines.memory_rows import MemoryRows
from osgap.machines.network import Network
from osgap.machines.processor import (
    Cache,
    Core,
    Cpu,
    Pipeline,
    Predictor,
    RefillCycles,
    SecondTlb,
)

Policy = Literal["fixed", "scaled"]
TimeScale = Annotated[float, number_from(0.001, 1000)]
Clock = Annotated[float, number_from(0.01, 100000, "MHz")]
"""The clocks that a sweep may have; a machine file's has narrower limits."""

# Keys that are not inherited: a fit belongs to the figures of its machine.
_NOT_INHERITED = (EXTENDS, "description", "fit")


class Memory(Frozen):
    """Main memory behind the last cache."""

    size_mib: Annotated[Figure, between(64, 4096, "MiB", integer=True)] = Field(description="size")
    latency_ns: Annotated[Figure, between(1, 100000, "ns")] = Field(
        description="time of a whole miss, from the processor to memory and back"
    )
    bandwidth_mb_s: Annotated[Figure, between(1, 1000000, "MB/s")] = Field(
        description="bandwidth of the bus"
    )
    model: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z0-9_]+$",
        description="a DRAM model of gem5 in place of latency and bandwidth, such as `DDR3_1600`",
    )
    bus_latency_ns: Annotated[Figure, between(0, 900, "ns")] | None = left_out(
        None,
        "time on the bus between harts that have an l2 each, on gem5: a part of `latency_ns`, and "
        "added to a line that comes from another hart's caches",
    )
    rows: MemoryRows | None = left_out(
        None,
        "DRAM with open rows: `latency_ns` closes one and opens another, and the next line of an "
        "open row comes that much earlier",
    )


class Disk(Frozen):
    """A disk's geometry and mechanism; its transfer rate follows from rpm and sectors."""

    rpm: Annotated[Figure, between(60, 100000, "turns a minute")] = Field(
        description="speed of rotation"
    )
    sectors_per_track: Annotated[Figure, between(1, 10000, "sectors", integer=True)] = Field(
        description="sectors of 512 bytes on a track"
    )
    heads: Annotated[Figure, between(1, 256, "heads", integer=True)] = Field(description="heads")
    cylinders: Annotated[Figure, between(2, 1000000, "cylinders", integer=True)] = Field(
        description="cylinders"
    )
    seek_track_ms: Annotated[Figure, between(0, 1000, "ms")] = Field(
        description="seek to the next track"
    )
    seek_avg_ms: Annotated[Figure, between(0, 1000, "ms")] = Field(
        description="average seek, at least `seek_track_ms`"
    )
    overhead_ms: Annotated[Figure, between(0, 1000, "ms")] = Field(
        description="time of a command before it seeks"
    )
    write_cache_kib: Annotated[Figure, between(0, 65536, "KiB", integer=True)] = Field(
        description="write cache; 0 is none"
    )


Instructions = Annotated[Figure, between(0, 100000, "instructions")]


class KernelEntryCost(Frozen):
    """The cost of events in the kernel, in instructions at the machine's MIPS."""

    system_call: Instructions = Field(description="instructions of a system call")
    trap: Instructions = Field(description="instructions of a page fault")
    context_switch: Instructions = Field(description="instructions of a context switch")
    stores: Annotated[int, Field(ge=0, le=10000)] = Field(
        default=0, description="additional stores of each event"
    )
    one_mapping: bool = left_out(
        False, "a page of a file is mapped in one process at a time: another's access faults"
    )


class Fit(Frozen):
    """Figures that replace the machine's on one engine; `osgap calibrate` writes them."""

    time_scale: TimeScale = Field(description="in place of the machine's")
    core: Core | None = left_out(None, "another kind of core than the machine's")
    refill_cycles: RefillCycles | None = left_out(None, "in place of the simulator's")
    line_bytes: Annotated[int, Field(ge=4, le=256)] = Field(description="line of both first caches")
    clock_mhz: Annotated[Figure, between(0.1, 20000, "MHz")] = Field(
        description="in place of `cpu.clock_mhz`"
    )
    latency_ns: Annotated[Figure, between(1, 100000, "ns")] = Field(
        description="in place of `memory.latency_ns`"
    )
    bandwidth_mb_s: Annotated[Figure, between(0.1, 1000000, "MB/s")] = Field(
        description="in place of `memory.bandwidth_mb_s`"
    )


class Machine(Frozen):
    """A machine file with all inherited keys.

    `time_scale` multiplies every rate and divides every latency. Each hart has its own l1i and
    l1d; l2 and memory are shared. Scaled memory, disk and network are the machine's, or, with a
    `reference`, the reference's made faster by the ratio of MIPS: as fast relative to the processor
    as there.
    """

    extends: str | None = Field(
        default=None,
        pattern=MACHINE_NAME,
        exclude=True,
        description="machine file whose keys stand where this file has none",
    )
    description: str = Field(
        min_length=1, description="one line about the machine, shown by `osgap list machines`"
    )
    time_scale: TimeScale = Field(
        default=1,
        description="factor on every rate, and divisor of every latency, of the simulation",
    )
    mips: Annotated[Figure, between(0.01, 100000, "MIPS")] | None = Field(
        default=None, description="rating as the publication prints it"
    )
    reference: str | None = Field(
        default=None,
        pattern=MACHINE_NAME,
        description="machine whose memory, disk and network `scaled` has, faster by the MIPS ratio",
    )
    cpu: Cpu
    l1i: Cache
    l1d: Cache
    l2: Cache | None = None
    l3: Cache | None = left_out(None)
    pipeline: Pipeline | None = left_out(None)
    predictor: Predictor | None = left_out(None)
    second_tlb: SecondTlb | None = left_out(None)
    memory: Memory
    disk: Disk
    network: Network | None = left_out(None)
    entry: KernelEntryCost | None = left_out(None)
    fit: dict[str, Fit] = Field(default_factory=dict)

    @property
    def caches(self) -> dict[str, Cache]:
        """The caches by name, from the first to the last."""
        named = {"l1i": self.l1i, "l1d": self.l1d, "l2": self.l2, "l3": self.l3}
        return {name: cache for name, cache in named.items() if cache is not None}


def figure_range(part: str, figure: str) -> Range:
    """The range of a figure such as latency_ns of the part memory."""
    model = next(
        kind
        for kind in _types(Machine.model_fields[part].annotation)
        if isinstance(kind, type) and issubclass(kind, Frozen)
    )
    field = model.model_fields[figure]
    return next(
        limits.func
        for limits in (*field.metadata, *_types(field.annotation))
        if isinstance(limits, BeforeValidator) and isinstance(limits.func, Range)
    )


def _types(annotation: object) -> Iterator[object]:
    """The annotation and all that it consists of."""
    yield annotation
    for inner in get_args(annotation):
        yield from _types(inner)


def load_machine(path: Path) -> Machine:
    """The machine described by the TOML file at `path` and those it extends. Raises ConfigError."""
    chain = read_chain(path, "machine", _NOT_INHERITED)
    machine = chain.model(Machine)
    if machine.disk.seek_avg_ms.value < machine.disk.seek_track_ms.value:
        raise ConfigError(
            f"{chain.file_of(('disk', 'seek_avg_ms'))}: disk.seek_avg_ms: found "
            f"{machine.disk.seek_avg_ms.value:g}; allowed: disk.seek_track_ms "
            f"({machine.disk.seek_track_ms.value:g}) or more"
        )
    caches = machine.caches
    for name, cache in caches.items():
        _check_geometry(chain.file_of((name, "size_kib")), name, cache)
        if (cache.prefetch is None) != (cache.prefetch_lines is None):
            raise ConfigError(
                f"{chain.file_of((name,))}: {name}: found prefetch or prefetch_lines; allowed: "
                "both, or none"
            )
    _check_levels(path, caches)
    return machine


def machine_files(path: Path) -> tuple[Path, ...]:
    """The machine file at `path` and those it extends. Raises ConfigError."""
    return tuple(part.path for part in read_chain(path, "machine", _NOT_INHERITED).parts)


def _check_levels(path: Path, caches: Mapping[str, Cache]) -> None:
    """Raises ConfigError for an l3 without an l2, and for load_cycles that do not rise."""
    if "l3" in caches and "l2" not in caches:
        raise ConfigError(f"{path}: l3: found without l2; allowed: behind an l2")
    figures = [cache.load_cycles for name, cache in caches.items() if name != "l1i"]
    cycles = [0 if figure is None else figure.value for figure in figures]
    if any(cycles) and sorted(set(cycles)) != [c for c in cycles if c]:
        numbers = ", ".join(f"{number:g}" for number in cycles)
        raise ConfigError(
            f"{path}: load_cycles: found {numbers} from l1d on (0: none); allowed: in each of "
            "these caches more than in the one before, or in none"
        )


def _check_geometry(path: Path, name: str, cache: Cache) -> None:
    size = int(cache.size_kib.value) * units.BYTES_PER_KIB
    row = int(cache.ways.value * cache.line_bytes.value)
    sets = size // row
    if size % row or sets & (sets - 1):
        raise ConfigError(
            f"{path}: {name}.size_kib: found {cache.size_kib.value:g} with {row} bytes in a set; "
            "allowed: sizes that give a power of two of sets"
        )


def load_fitted(path: Path, engine: str, folder: Path) -> tuple[Machine, Machine | None]:
    """The machine at `path` and its reference, as fitted for `engine`. Raises ConfigError."""
    machine = load_machine(path)
    if machine.reference is None:
        return fitted(machine, engine), None
    reference = load_machine(folder / f"{machine.reference}.toml")
    return fitted(machine, engine), fitted(reference, engine)


def fitted(machine: Machine, engine: str) -> Machine:
    """`machine` with the figures fitted for `engine`; unchanged without a fit."""
    fit = machine.fit.get(engine)
    if fit is None:
        return machine
    line = {"line_bytes": Figure(value=fit.line_bytes, source=f"{engine}'s")}
    memory = {
        "latency_ns": fit.latency_ns,
        "bandwidth_mb_s": fit.bandwidth_mb_s,
        "model": None,
        "rows": None,
    }
    core = fit.core or machine.cpu.core
    cpu = {"clock_mhz": fit.clock_mhz, "core": core, "refill_cycles": fit.refill_cycles}
    changed: dict[str, Mapping[str, object]] = {
        "l1i": line,
        "l1d": line,
        "memory": memory,
        "cpu": cpu,
    }
    parts = {
        name: getattr(machine, name).model_copy(update=figures) for name, figures in changed.items()
    }
    return machine.model_copy(update={"time_scale": fit.time_scale, **parts})
