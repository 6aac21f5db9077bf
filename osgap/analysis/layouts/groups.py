# SPDX-License-Identifier: BSD-3-Clause
"""Groups runs that are layouts of one system: equal but for the order of code and data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from osgap.analysis.analysed import AnalysedRun, Tables
from osgap.analysis.layouts.starts import by_start, system_of
from osgap.analysis.speed import points_in_series
from osgap.analysis.suite import Suite
from osgap.base.config import validate
from osgap.base.frozen import Exact
from osgap.rundir import manifest
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.directory import MANIFEST


class _VariantRecord(Exact):
    """An image record's fields on the variant that matter here; the default image has none."""

    model_config = ConfigDict(extra="ignore")

    layout: Annotated[int, Field(ge=0)] = 0
    kernel: dict[str, Any] = Field(default_factory=dict)
    programs: dict[str, str] = Field(default_factory=dict)


class _ImageRecord(Exact):
    model_config = ConfigDict(extra="ignore")

    compiler: str = ""
    digest: str = ""
    variant: _VariantRecord = _VariantRecord()


_VARIANT_KEYS = ("name", *_VariantRecord.model_fields)

Software = tuple[str, str, str, str]
"""The variant's other options; the programs' compiler, optimisation, C library and linking."""


@dataclass(frozen=True)
class ImageOf:
    """A run's image: its layout, its digest, and its software by the image's record."""

    layout: int
    digest: str
    software: Software


@dataclass(frozen=True, eq=False)
class LayoutSample:
    """One layout from one start: its run, and the tables of that start (see `by_start`)."""

    layout: int
    start: int
    digest: str
    run: AnalysedRun
    tables: Tables


@dataclass(frozen=True, eq=False)
class LayoutGroup:
    """Runs of one system (a digest) and one software, in order of layout and start."""

    engine: str
    machine: str
    calls: str
    variant: str
    system: str
    software: Software
    samples: tuple[LayoutSample, ...]

    @cached_property
    def layouts(self) -> tuple[int, ...]:
        """The layouts, each once, in order."""
        return tuple(sorted({sample.layout for sample in self.samples}))

    @property
    def has_several(self) -> bool:
        """True if there are two layouts or more."""
        return len(self.layouts) > 1

    @property
    def runs(self) -> tuple[AnalysedRun, ...]:
        """The runs, each once."""
        return tuple(dict.fromkeys(sample.run for sample in self.samples))

    def without(self, digest: str) -> LayoutGroup:
        """The group less the layout whose image has this digest."""
        samples = tuple(sample for sample in self.samples if sample.digest != digest)
        return replace(self, samples=samples)


Member = tuple[ImageOf, AnalysedRun]


def layout_groups(runs: Sequence[AnalysedRun], suites: Sequence[Suite]) -> list[LayoutGroup]:
    """Groups of runs, also of a single layout, in order of their first runs.

    Where two images have the same layout, as when an older image was run too, each directory's runs
    are a group.  Raises ConfigError for a malformed image record.
    """
    members: dict[tuple[Any, ...], list[Member]] = {}
    for run in runs:
        slowest = _slowest(run)
        if slowest is not None:
            image = image_of(run)
            key = (run.engine, run.machine, run.calls, system_of(run, slowest), image.software)
            members.setdefault(key, []).append((image, run))
    return [
        _group(key, part, suites)
        for key, several_images in members.items()
        for part in _one_image(several_images)
    ]


def _one_image(members: list[Member]) -> list[list[Member]]:
    """The members together, or by directory where two images have the same layout."""
    images = {(image.layout, image.digest) for image, _ in members}
    if len(images) == len({layout for layout, _ in images}):
        return [members]
    parts: dict[Path, list[Member]] = {}
    for member in members:
        parts.setdefault(member[1].path.absolute().parent, []).append(member)
    return list(parts.values())


def several(groups: Sequence[LayoutGroup]) -> list[LayoutGroup]:
    """The groups of two layouts and more."""
    return [group for group in groups if group.has_several]


def match(run: AnalysedRun, groups: Sequence[LayoutGroup]) -> LayoutGroup | None:
    """The first group on the engine and system of `run`, with the same software if there is one."""
    groups_of_run = layout_groups([run], ())
    if not groups_of_run:
        return None
    (alone,) = groups_of_run
    on_system = [
        group
        for group in groups
        if (group.engine, group.machine, group.system)
        == (alone.engine, alone.machine, alone.system)
    ]
    same = [g for g in on_system if (g.software, g.calls) == (alone.software, alone.calls)]
    return next(iter([*same, *on_system]), None)


def borrowed_groups(
    runs: Sequence[AnalysedRun], groups: Sequence[LayoutGroup], lenders: Sequence[Path]
) -> list[LayoutGroup]:
    """The groups of the systems of `runs`, each once. Raises ResultsError where there is none."""
    matching = list(dict.fromkeys(group for run in runs if (group := match(run, groups))))
    if not matching:
        names = ", ".join(map(str, lenders))
        raise ResultsError(f"{names}: has no two layouts of the system of {runs[0].path}")
    return matching


def image_of(run: AnalysedRun) -> ImageOf:
    """The run's image by run.json.  Raises ConfigError for a malformed record."""
    where, image = f"{run.path / MANIFEST}: image", manifest.read(run.path).image
    record = validate(image, _ImageRecord, where)
    variant = record.variant
    # Beside the kernel's options those that few variants have: disk, boards, session and the like.
    more = {k: v for k, v in image.get("variant", {}).items() if k not in _VARIANT_KEYS}
    parts = [*sorted(variant.kernel.items()), *sorted(more.items())]
    options = {name: value for name, value in parts if value}
    compiler = variant.programs.get("compiler", record.compiler.partition(";")[0])
    # A default image's programs are built as Programs() in image/builder says.
    optimised = variant.programs.get("flags", "-O2").partition(" ")[0]
    library = variant.programs.get("libc", "glibc").partition(" ")[0]
    library += " " + variant.programs.get("linking", "static")
    software = str(options), compiler, optimised, library
    return ImageOf(variant.layout, record.digest, software)


def first_layouts(runs: Sequence[AnalysedRun]) -> list[AnalysedRun]:
    """The runs whose image has no lower layout among them.  Raises ConfigError as `image_of`."""
    lowest: dict[object, int] = {}
    places = []
    for run in runs:
        image = image_of(run)
        system = run.engine, run.machine, run.calls, image.software
        lowest[system] = min(image.layout, lowest.get(system, image.layout))
        places.append((run, system, image.layout))
    return [run for run, system, layout in places if layout == lowest[system]]


def _slowest(run: AnalysedRun) -> str | None:
    finished = points_in_series(run.tables["points"])
    return None if finished.empty else str(finished.sort_values("clock_mhz")["key"].iloc[0])


def _group(key: tuple[Any, ...], members: list[Member], suites: Sequence[Suite]) -> LayoutGroup:
    engine, machine, calls, system, software = key
    ordered = sorted(members, key=lambda member: member[0].layout)
    samples = tuple(
        LayoutSample(image.layout, start, image.digest, run, tables)
        for image, run in ordered
        for start, tables in by_start(run, suites)
    )
    return LayoutGroup(engine, machine, calls, ordered[0][1].variant, system, software, samples)
