# SPDX-License-Identifier: BSD-3-Clause
"""Which runs are layouts of one system: all but the order of their code and data is the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from osgap.analysis.analysed import AnalysedRun, Tables
from osgap.analysis.layouts.starts import by_start, system_of
from osgap.analysis.suite import Suite
from osgap.base.config import validate
from osgap.base.frozen import Exact
from osgap.rundir import manifest
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.directory import MANIFEST


class _Variant(Exact):
    """What is read of an image's record of its variant; the default image has none."""

    model_config = ConfigDict(extra="ignore")

    layout: Annotated[int, Field(ge=0)] = 0
    kernel: dict[str, Any] = Field(default_factory=dict)
    programs: dict[str, str] = Field(default_factory=dict)


class _ImageRecord(Exact):
    model_config = ConfigDict(extra="ignore")

    compiler: str = ""
    digest: str = ""
    variant: _Variant = _Variant()


Software = tuple[str, str, str, str]
"""What the kernel has over the default one; the programs' compiler, optimisation and library."""


@dataclass(frozen=True)
class ImageOf:
    """A run's image: its layout, its digest, and what its record says of the software."""

    layout: int
    digest: str
    software: Software


@dataclass(frozen=True, eq=False)
class Sample:
    """One layout from one start: its run, and the tables of that start (see `by_start`)."""

    layout: int
    start: int
    digest: str
    run: AnalysedRun
    tables: Tables


@dataclass(frozen=True, eq=False)
class Group:
    """Runs of one system and one software, in order of layout and start.

    `variant` is what the lowest layout's image is called, `system` a digest of the system at the
    slowest clock.
    """

    engine: str
    machine: str
    calls: str
    variant: str
    system: str
    software: Software
    samples: tuple[Sample, ...]

    @cached_property
    def layouts(self) -> tuple[int, ...]:
        """The layouts, each once, in order."""
        return tuple(sorted({sample.layout for sample in self.samples}))

    @property
    def has_several(self) -> bool:
        """Whether there is anything to compare."""
        return len(self.layouts) > 1

    @property
    def runs(self) -> tuple[AnalysedRun, ...]:
        """The runs, each once."""
        return tuple(dict.fromkeys(sample.run for sample in self.samples))

    def without(self, digest: str) -> Group:
        """The group less the layout whose image has this digest."""
        kept = tuple(sample for sample in self.samples if sample.digest != digest)
        return replace(self, samples=kept)


Member = tuple[ImageOf, AnalysedRun]


def grouped(runs: Sequence[AnalysedRun], suites: Sequence[Suite]) -> list[Group]:
    """Every run in its group, also where that is of one layout; in order of the first run.

    Where a layout is there in two images, as when an older image was run too, only runs that lie
    in one directory are of one group.  Raises ConfigError for an image record that is none.
    """
    found: dict[tuple[Any, ...], list[Member]] = {}
    for run in runs:
        slowest = _slowest(run)
        if slowest is not None:
            image = image_of(run)
            key = (run.engine, run.machine, run.calls, system_of(run, slowest), image.software)
            found.setdefault(key, []).append((image, run))
    return [
        _group(key, part, suites) for key, members in found.items() for part in _one_image(members)
    ]


def _one_image(members: list[Member]) -> list[list[Member]]:
    """The members as they are, or by directory where two images are of the same layout."""
    images = {(image.layout, image.digest) for image, _ in members}
    if len(images) == len({layout for layout, _ in images}):
        return [members]
    parts: dict[Path, list[Member]] = {}
    for member in members:
        parts.setdefault(member[1].path.absolute().parent, []).append(member)
    return list(parts.values())


def several(groups: Sequence[Group]) -> list[Group]:
    """The groups of two layouts and more."""
    return [group for group in groups if group.has_several]


def match(run: AnalysedRun, groups: Sequence[Group]) -> Group | None:
    """The first group on the engine and system of `run`, one of its own software before others."""
    own = grouped([run], ())
    if not own:
        return None
    (alone,) = own
    on_system = [
        group
        for group in groups
        if (group.engine, group.machine, group.system)
        == (alone.engine, alone.machine, alone.system)
    ]
    same = [g for g in on_system if (g.software, g.calls) == (alone.software, alone.calls)]
    return next(iter([*same, *on_system]), None)


def lent(
    runs: Sequence[AnalysedRun], groups: Sequence[Group], lenders: Sequence[Path]
) -> list[Group]:
    """Of `groups`, which are of the runs in `lenders`, those of the systems of `runs`, each once.

    Raises ResultsError where there is none.
    """
    matching = list(dict.fromkeys(found for run in runs if (found := match(run, groups))))
    if not matching:
        names = ", ".join(map(str, lenders))
        raise ResultsError(f"{names}: has no two layouts of the system of {runs[0].path}")
    return matching


def image_of(run: AnalysedRun) -> ImageOf:
    """What run.json says of a run's image.  Raises ConfigError for a record that is none."""
    where = f"{run.path / MANIFEST}: image"
    record = validate(manifest.read(run.path).image, _ImageRecord, where)
    variant = record.variant
    options = {name: value for name, value in sorted(variant.kernel.items()) if value}
    compiler = variant.programs.get("compiler", record.compiler.partition(";")[0])
    # Without a variant's own record the programs are built as Programs() in image/builder says.
    optimised = variant.programs.get("flags", "-O2").partition(" ")[0]
    library = variant.programs.get("libc", "glibc").partition(" ")[0]
    software = str(options), compiler, optimised, library
    return ImageOf(variant.layout, record.digest, software)


def _slowest(run: AnalysedRun) -> str | None:
    points = run.tables["points"]
    placed = points[(points["series"] != "") & (points["finished"] == "yes")]
    return None if placed.empty else str(placed.sort_values("clock_mhz")["key"].iloc[0])


def _group(key: tuple[Any, ...], members: list[Member], suites: Sequence[Suite]) -> Group:
    engine, machine, calls, system, software = key
    ordered = sorted(members, key=lambda member: member[0].layout)
    samples = tuple(
        Sample(image.layout, start, image.digest, run, tables)
        for image, run in ordered
        for start, tables in by_start(run, suites)
    )
    return Group(engine, machine, calls, ordered[0][1].variant, system, software, samples)
