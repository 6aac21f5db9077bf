# SPDX-License-Identifier: BSD-3-Clause
"""Models of a sweep, from configs/sweeps/*.toml or the command line, and of its runs.

A sweep may name several machines, image variants and ways of system calls. Each combination of
them is a run.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_serializer, field_validator

from osgap.base.config import ConfigError, validate
from osgap.base.frozen import Frozen
from osgap.base.patterns import PatternText
from osgap.base.suggestions import unknown
from osgap.base.validation import number_from
from osgap.guest.protocol import CALLS, FILE_SYSTEMS, LOCAL, REMOTE
from osgap.image.variants import DEFAULT, VARIANT_NAME
from osgap.machines.axes import Axis
from osgap.machines.axis_values import each_once, with_sweep_fields
from osgap.machines.inherit import EXTENDS, MACHINE_NAME, read_chain
from osgap.rundir.point import MEMORY_LIMIT_MIB

HARTS = "{harts}"
"""At the end of a benchmark's name, the number of the machine's harts."""
Benchmark = Annotated[
    str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*(/[a-z0-9][a-z0-9_.-]*(\{harts\})?)?$")
]


MachineName = Annotated[str, Field(pattern=MACHINE_NAME)]
VariantName = Annotated[str, Field(pattern=VARIANT_NAME)]
_SEPARATE = ("machine", "variant", "calls")
"""The axes that have a run for each of their values."""
_NOT_INHERITED = (EXTENDS, "description", "program", "args")
"""The keys that a sweep file does not take from the file that it extends."""


@with_sweep_fields
class _Points(Frozen):
    """The keys that a sweep file and a run have in common: the axes of points, and their limits.

    A field for each of osgap.machines.axes.AXES is added. Points are the product of their values;
    where a key is missing, the machine's own value stands.
    """

    description: str = Field(min_length=1, description="one line, shown by `osgap list sweeps`")
    engine: str = Field(default="rvsim", pattern=r"^[a-z0-9]+$", description="the simulator")
    entry: Literal["image", "machine"] = Field(
        default="image",
        exclude_if=lambda value: value == "image",
        description="the cost of kernel entry: the image's, or the machine file's `[entry]`",
    )
    fs: Annotated[tuple[str, ...], Field(min_length=1)] = Field(
        default=LOCAL,
        description="file systems: synchronous, delayed; on a server: nfs, afs, diskless",
    )
    run: Annotated[tuple[Benchmark, ...], Field(min_length=1)] = Field(
        default=("checks", "ousterhout"), description="suites, or SUITE/BENCHMARK"
    )
    sets: dict[str, int] = Field(
        default_factory=dict,
        description="`BENCHMARK.batches` and `BENCHMARK.count`: batches, and operations in each",
    )
    pattern: tuple[PatternText, ...] = Field(
        default=(),
        exclude_if=lambda value: not value,
        description="`NAME=REGEX`: a number in the output of the user's programs",
    )
    timeout_s: Annotated[float, number_from(0.001, 86400, "s")] = Field(
        default=1800, description="host time that a point may take"
    )
    memory_limit_mib: Annotated[int, Field(ge=64, le=1 << 20)] = Field(
        default=MEMORY_LIMIT_MIB, description="host memory that a point may hold"
    )

    @field_validator("fs")
    @classmethod
    def _known_file_systems(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not set(value) <= set(FILE_SYSTEMS[1:]) or len(set(value)) != len(value):
            raise ValueError(f"{', '.join(FILE_SYSTEMS[1:])}, each once")
        return value

    @field_validator("run")
    @classmethod
    def _no_repeated_benchmarks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return each_once(value)

    @property
    def remote(self) -> tuple[str, ...]:
        """Those of `fs` whose files are on a server."""
        return tuple(name for name in self.fs if name in REMOTE)

    def values(self, axis: Axis) -> tuple[Any, ...] | None:
        """The values of an axis; None for the machine's own."""
        values: tuple[Any, ...] | None = getattr(self, axis.key)
        return values


class SweepFile(_Points):
    """The content of a sweep file; `machine`, `variant` and `calls` have one name or several.

    `program` are paths of the user's programs and `args` their arguments. osgap/sweep/programs.py
    replaces them by image variants before the sweep is divided into runs.
    """

    extends: str | None = Field(
        default=None,
        pattern=MACHINE_NAME,
        exclude=True,
        description="sweep file whose keys stand where this file has none",
    )
    machine: Annotated[tuple[MachineName, ...], Field(min_length=1)] = Field(
        description="machine files of configs/machines"
    )
    variant: Annotated[tuple[VariantName, ...], Field(min_length=1)] = Field(
        default=(DEFAULT,), description="image variants of disk-images/variants"
    )
    calls: Annotated[tuple[str, ...], Field(min_length=1)] = Field(
        default=(CALLS[0],), description=f"ways of system calls: {', '.join(CALLS)}"
    )
    program: tuple[str, ...] = Field(
        default=(),
        exclude_if=lambda value: not value,
        description="paths of the user's programs, from the file's folder on",
    )
    args: tuple[str, ...] = Field(
        default=(),
        exclude_if=lambda value: not value,
        description="the programs' arguments: once for all programs, or once for each",
    )

    @field_validator(*_SEPARATE, "program", "args", mode="before")
    @classmethod
    def _one_name(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @field_validator("calls")
    @classmethod
    def _known_calls(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for calls in value:
            _check_calls(calls)
        return value

    @field_validator(*_SEPARATE)
    @classmethod
    def _no_repeated_runs(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return each_once(value)


class RunSpec(_Points):
    """The request for one run: a machine, an image variant, a way of calls, and its points' axes.

    In run.json each of the three is a list of one name. Defaults of later keys are left out, so
    that older runs keep their run.json.
    """

    machine: MachineName
    variant: VariantName = Field(default=DEFAULT, exclude_if=lambda value: value == DEFAULT)
    calls: str = Field(default=CALLS[0], exclude_if=lambda value: value == CALLS[0])

    @field_validator(*_SEPARATE, mode="before")
    @classmethod
    def _the_only_name(cls, value: object) -> object:
        return value[0] if isinstance(value, list | tuple) and len(value) == 1 else value

    @field_validator("calls")
    @classmethod
    def _known_calls(cls, value: str) -> str:
        return _check_calls(value)

    @field_serializer(*_SEPARATE)
    def _as_a_list(self, value: str) -> tuple[str, ...]:
        return (value,)


def _check_calls(calls: str) -> str:
    if calls not in CALLS:
        raise ValueError(", ".join(CALLS))
    return calls


def each_run(sweep: SweepFile) -> dict[str, RunSpec]:
    """Name -> run, for each combination of machine, variant and way of calls.

    The name joins the values of those axes that have several, with dots; a machine's has no folder.
    It is "" for the only run of a sweep. Raises ConfigError for two machines of one name.
    """
    several = [axis for axis in _SEPARATE if len(getattr(sweep, axis)) > 1]
    common = sweep.model_dump(exclude={*_SEPARATE, "program", "args"})
    runs = {}
    for values in product(*(getattr(sweep, axis) for axis in _SEPARATE)):
        position = dict(zip(_SEPARATE, values, strict=True))
        name = ".".join(position[axis].rpartition("/")[2] for axis in several)
        runs[name] = RunSpec.model_validate({**common, **position})
    if len(runs) != prod(len(getattr(sweep, axis)) for axis in _SEPARATE):
        raise ConfigError(f"machine: found {', '.join(sweep.machine)}; allowed: names that differ")
    return runs


def load_sweep(path: Path) -> SweepFile:
    """The sweep of the file at `path` and of those it extends. Raises ConfigError."""
    return read_chain(path, "sweep", _NOT_INHERITED).model(SweepFile)


def find_sweep(name: str, folder: Path) -> Path:
    """The path of the sweep file `name` in `folder`, or `name` itself. Raises ConfigError."""
    names = sorted(path.stem for path in folder.glob("*.toml"))
    if name in names:
        return folder / f"{name}.toml"
    if Path(name).suffix == ".toml" or Path(name).exists():
        return Path(name)
    raise ConfigError(unknown("sweep", name, names))


def check_limits(limits: Mapping[str, float | int]) -> None:
    """Raises ConfigError unless a sweep may have these limits."""
    validate({"description": "limits", "machine": "base", **limits}, SweepFile, "command line")
