# SPDX-License-Identifier: BSD-3-Clause
"""Compares runs that were made again with the committed ones, against the intervals of layouts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.compare import Side, compare
from osgap.analysis.layouts.difference import RESOLUTION, LayoutSpreads
from osgap.analysis.layouts.groups import LayoutGroup, layout_groups, match, several
from osgap.analysis.layouts.table import spreads
from osgap.analysis.layouts.values import reference_mhz
from osgap.reproduce.declared import DeclaredRun
from osgap.reproduce.file_difference import tables_difference
from osgap.reproduce.work import Places
from osgap.rundir import manifest
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.directory import runs_below
from osgap.suites import load_runs, suites
from osgap.sweep.spec import RunSpec

_LAYOUTS = ("layouts", "paper/fitted-layouts")
"""Folders of committed runs in several layouts, which lend their intervals."""
_LIMITS = {"description", "timeout_s", "memory_limit_mib"}
"""Keys of a request on which no number depends."""


class Verdict(StrEnum):
    """The outcome of one run, the better first."""

    EQUAL = "equal"
    WITHIN = "within layouts"
    DIFFERS = "differs"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True)
class RunDifference:
    """A run beside the committed one: by how much times and R differ at most, and why.

    Of `rows` benchmarks at a point `beyond` differ by more than two layouts do, and `unlimited`
    differ where no layouts are known. `time` and `speed` are relative differences.
    """

    name: str
    outcome: Verdict
    reason: str = ""
    rows: int = 0
    beyond: int = 0
    unlimited: int = 0
    time: float = 0.0
    speed: float = 0.0
    where: str = ""


class Lenders:
    """The committed layouts, read at the first run that is not equal."""

    def __init__(self, locked: Path) -> None:
        self._locked = locked
        self._spreads: dict[int, LayoutSpreads] = {}

    def layouts(self, run: AnalysedRun) -> LayoutSpreads | None:
        """The spread over layouts of the system of `run`; None without."""
        group = match(run, self._groups)
        if group is None:
            return None
        if id(group) not in self._spreads:
            reference = reference_mhz(group.samples[0].tables)
            self._spreads[id(group)] = LayoutSpreads(spreads(group), reference, averaged=False)
        return self._spreads[id(group)]

    @cached_property
    def _groups(self) -> list[LayoutGroup]:
        paths = [self._locked / name for name in _LAYOUTS]
        present = [path for path in paths if runs_below(path)]
        runs = load_runs(present) if present else []
        return several(layout_groups(runs, suites()))


def difference(run: DeclaredRun, places: Places, lenders: Lenders) -> RunDifference:
    """Compares all that was made of `run` with what is committed. Raises OsgapError."""
    parts = [_pair(before, after, lenders) for before, after in _pairs(run, places)]
    parts += tables_parts(run, places)
    if not parts:
        return RunDifference(run.name, Verdict.FAILED, "nothing of it is comparable")
    return _together(run.name, parts)


def tables_parts(run: DeclaredRun, places: Places) -> list[RunDifference]:
    """The difference of the tables over several runs, where `run` has some."""
    tables = tables_difference(places.locked / run.name, places.output / run.name)
    if tables is None:
        return []
    outcome = Verdict.DIFFERS if tables.names else Verdict.EQUAL
    reason = f"tables {', '.join(tables.names)}" if tables.names else ""
    return [RunDifference(run.name, outcome, reason, time=tables.worst, where=tables.where)]


def _together(name: str, parts: list[RunDifference]) -> RunDifference:
    """One difference of several: the worst outcome, all rows, the largest differences."""
    order = list(Verdict)
    farthest = max(parts, key=lambda part: part.time)
    return RunDifference(
        name,
        max((part.outcome for part in parts), key=order.index),
        "; ".join(dict.fromkeys(part.reason for part in parts if part.reason)),
        sum(part.rows for part in parts),
        sum(part.beyond for part in parts),
        sum(part.unlimited for part in parts),
        farthest.time,
        max(part.speed for part in parts),
        farthest.where,
    )


def request_of(run: Path) -> str:
    """A run's request without the host's limits, as text: equal for a run and its repetition."""
    spec = RunSpec.model_validate(manifest.read(run).sweep)
    return json.dumps(spec.model_dump(mode="json", exclude=_LIMITS), sort_keys=True)


def _pairs(run: DeclaredRun, places: Places) -> Iterator[tuple[Path, Path]]:
    """Each run that was made, with the committed one of the same request. Raises ResultsError."""
    repetitions = runs_below(places.output / run.name) if run.engine else []
    committed = {request_of(path): path for path in runs_below(places.locked / run.name)}
    for path in repetitions:
        before = committed.get(request_of(path))
        if before is None:
            raise ResultsError(f"{path}: no committed run of {run.name} has its request")
        yield before, path


def _pair(before: Path, after: Path, lenders: Lenders) -> RunDifference:
    """The difference of one run: of its tables as CSV, then of its times and R."""
    (a,), (b,) = load_runs([before]), load_runs([after])
    name = after.name
    if _texts(a.tables) == _texts(b.tables):
        return RunDifference(name, Verdict.EQUAL)
    sides = [Side("committed", a.tables), Side("here", b.tables)]
    if layouts := lenders.layouts(a):
        sides = [replace(side, layouts=layouts) for side in sides]
    try:
        rows = compare(*sides)["compared"]
    except (ResultsError, KeyError):
        return RunDifference(name, Verdict.DIFFERS, _reason(before, after) or "no common row")
    return _judgement(name, rows, _reason(before, after))


def _judgement(name: str, rows: pd.DataFrame, reason: str) -> RunDifference:
    apart = (rows["time_ratio"] - 1).abs()
    speed = rows["relative_ratio"].sub(1).abs().max()
    limited = pd.Series("", index=rows.index)
    beyond = limited == "yes"
    if "time_differs" in rows:
        limited = rows["time_differs"]
        beyond = (rows["time_differs"] == "yes") | (rows["relative_differs"] == "yes")
    unlimited = (limited == "") & (apart > RESOLUTION)
    is_within = not beyond.any() and not unlimited.any()
    times = apart.fillna(0.0).to_numpy(dtype=float)
    farthest = int(times.argmax())
    return RunDifference(
        name,
        Verdict.WITHIN if is_within else Verdict.DIFFERS,
        reason,
        len(rows),
        int(beyond.sum()),
        int(unlimited.sum()),
        float(times[farthest]),
        0.0 if pd.isna(speed) else float(speed),
        _row_name(rows.iloc[farthest]),
    )


def _row_name(row: pd.Series) -> str:
    fs = "" if row["fs"] == "none" else f" {row['fs']}"
    return f"{row['benchmark']}{fs} {row['series']} {row['clock_mhz']:g} MHz"


def _texts(tables: Mapping[str, pd.DataFrame]) -> dict[str, str]:
    return {name: table.to_csv(index=False) for name, table in tables.items()}


def _reason(before: Path, after: Path) -> str:
    """The known causes of a difference: another image, another version of the engine."""
    a, b = manifest.read(before), manifest.read(after)
    return "; ".join(_causes(a, b))


def _causes(a: manifest.Manifest, b: manifest.Manifest) -> Iterable[str]:
    images = [str(side.image.get("digest", ""))[:12] for side in (a, b)]
    if images[0] != images[1]:
        yield f"image {images[0]}, here {images[1]}"
    versions = [side.versions.get("engine", "") for side in (a, b)]
    if versions[0] != versions[1]:
        yield f"{versions[0]}, here {versions[1]}"
