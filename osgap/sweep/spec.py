# SPDX-License-Identifier: BSD-3-Clause
"""What a sweep asks for: configs/sweeps/*.toml, or the same from the command line."""

from __future__ import annotations

from itertools import product
from math import prod
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator

from osgap.guest import CALLS, FILE_SYSTEMS
from osgap.machine import MACHINE_NAME, Frozen, Policy
from osgap.points.spec import MEMORY_LIMIT_MIB
from osgap.tomlfile import ConfigError, read_model
from osgap.variant import DEFAULT, VARIANT_NAME

HARTS = "{harts}"
"""At the end of a benchmark's name, the number of the machine's harts."""
Benchmark = Annotated[
    str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*(/[a-z0-9][a-z0-9_.-]*(\{harts\})?)?$")
]
Clock = Annotated[float, Field(gt=0, le=100000)]


MachineName = Annotated[str, Field(pattern=MACHINE_NAME)]
VariantName = Annotated[str, Field(pattern=VARIANT_NAME)]
_SEPARATE = ("machine", "variant", "calls")
"""The axes whose values make a run each."""


class Sweep(Frozen):
    """Machines (one name or several), each over the product of clocks, policies and seeds.

    Without clocks a machine has its own. Each machine runs with each image `variant`, and with each
    way that system `calls` are made.
    """

    description: str = Field(min_length=1)
    machine: Annotated[tuple[MachineName, ...], Field(min_length=1)]
    # What runs of old do not say: their run.json stays as it is.
    variant: Annotated[tuple[VariantName, ...], Field(min_length=1)] = Field(
        default=(DEFAULT,), exclude_if=lambda value: value == (DEFAULT,)
    )
    calls: Annotated[tuple[str, ...], Field(min_length=1)] = Field(
        default=(CALLS[0],), exclude_if=lambda value: value == (CALLS[0],)
    )
    engine: str = Field(default="rvsim", pattern=r"^[a-z0-9]+$")
    clock_mhz: Annotated[tuple[Clock, ...], Field(min_length=1)] | None = None
    memory: Annotated[tuple[Policy, ...], Field(min_length=1)] = ("fixed",)
    disk: Annotated[tuple[Policy, ...], Field(min_length=1)] = ("fixed",)
    fs: Annotated[tuple[str, ...], Field(min_length=1)] = ("unix", "sprite")
    run: Annotated[tuple[Benchmark, ...], Field(min_length=1)] = ("checks", "ousterhout")
    seeds: Annotated[tuple[Annotated[int, Field(ge=0, le=4096)], ...], Field(min_length=1)] = (0,)
    sets: dict[str, int] = Field(default_factory=dict)
    timeout_s: Annotated[float, Field(gt=0, le=86400)] = 1800
    memory_limit_mib: Annotated[int, Field(ge=64, le=1 << 20)] = MEMORY_LIMIT_MIB

    @field_validator(*_SEPARATE, mode="before")
    @classmethod
    def _one_name(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @field_validator("fs")
    @classmethod
    def _known_file_systems(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not set(value) <= set(FILE_SYSTEMS[1:]) or len(set(value)) != len(value):
            raise ValueError("unix, sprite, each once")
        return value

    @field_validator("calls")
    @classmethod
    def _known_calls(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not set(value) <= set(CALLS):
            raise ValueError(", ".join(CALLS))
        return value

    @field_validator(*_SEPARATE, "clock_mhz", "memory", "disk", "seeds", "run")
    @classmethod
    def _no_repeats(cls, value: tuple[object, ...] | None) -> tuple[object, ...] | None:
        if value is not None and len(set(value)) != len(value):
            raise ValueError("each value once")
        return value


def each_run(sweep: Sweep) -> dict[str, Sweep]:
    """One sweep for each machine, variant and way of calls, by the name of its run.

    The name is of the axes with more than one value, a machine's without its folder, with dots
    between; it is "" where no axis has. Raises ConfigError for machines of one name.
    """
    several = [axis for axis in _SEPARATE if len(getattr(sweep, axis)) > 1]
    parts = {}
    for values in product(*(getattr(sweep, axis) for axis in _SEPARATE)):
        at = dict(zip(_SEPARATE, values, strict=True))
        name = ".".join(at[axis].rpartition("/")[2] for axis in several)
        parts[name] = sweep.model_copy(update={axis: (value,) for axis, value in at.items()})
    if len(parts) != prod(len(getattr(sweep, axis)) for axis in _SEPARATE):
        raise ConfigError(f"machine: found {', '.join(sweep.machine)}; allowed: names that differ")
    return parts


def load_sweep(path: Path) -> Sweep:
    """The sweep described by the TOML file at `path`. Raises ConfigError."""
    return read_model(path, Sweep)


def series_name(memory: Policy, disk: Policy) -> str:
    """The series that a pair of policies belongs to."""
    names = {
        ("fixed", "fixed"): "fixed",
        ("scaled", "fixed"): "memory",
        ("fixed", "scaled"): "disk",
        ("scaled", "scaled"): "both",
    }
    return names[memory, disk]
