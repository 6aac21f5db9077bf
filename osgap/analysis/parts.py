# SPDX-License-Identifier: BSD-3-Clause
"""Several runs at once: machines, image variants and ways to call, each an ordinary run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from pydantic import BaseModel, ConfigDict, field_validator

from osgap.analysis import Tables, analyze, write_tables
from osgap.analysis.owntime import own_time
from osgap.csvfile import ResultsError
from osgap.guest import CALLS
from osgap.paths import runs_below
from osgap.results import Run, load_run
from osgap.tomlfile import read_json_model

DIRECT = CALLS[0]
# osgap.variant.DEFAULT, which the analysis does not import: it would bring the build along.
DEFAULT = "default"


class _Asked(BaseModel):
    """The axes of a sweep that are the same for all points of one run."""

    model_config = ConfigDict(extra="ignore")

    machine: str = "unknown"
    variant: str = DEFAULT
    calls: str = DIRECT

    @field_validator("machine", "variant", "calls", mode="before")
    @classmethod
    def _only_one(cls, value: object) -> object:
        return value[0] if isinstance(value, list) and len(value) == 1 else value


class _Manifest(BaseModel):
    model_config = ConfigDict(extra="ignore")

    sweep: _Asked = _Asked()


@dataclass(frozen=True, eq=False)
class Part:
    """One run: its machine, image variant and way to call, its points and its tables.

    `tables` has simulated times, `own` the times, modes and points on the machine's own time.
    """

    path: Path
    engine: str
    machine: str
    variant: str
    calls: str
    run: Run
    tables: Tables
    own: Tables


@dataclass(frozen=True, eq=False)
class Place:
    """A finished point where it first stands in its run's series."""

    part: Part
    series: str
    clock_mhz: float
    key: str

    @property
    def conditions(self) -> tuple[str, str, str, float]:
        """What two points share that differ only in their software."""
        return self.part.engine, self.part.machine, self.series, self.clock_mhz


def run_directories(paths: Sequence[Path]) -> list[Path]:
    """The runs in and below each path.  Raises ResultsError for none."""
    found: list[Path] = []
    for path in paths:
        own = runs_below(path)
        if not own:
            raise ResultsError(f"{path}: is no run directory and holds none")
        found += own
    return list(dict.fromkeys(found))


def load_parts(paths: Sequence[Path]) -> list[Part]:
    """Analyse every run of `paths` and write its tables.  Raises ResultsError or ConfigError."""
    return [_load(path) for path in run_directories(paths)]


def _load(path: Path) -> Part:
    asked = read_json_model(path / "run.json", _Manifest).sweep
    run = load_run(path)
    tables = analyze(run)
    write_tables(tables, path / "tables")
    record = next(iter(run.points.values())).record
    return Part(
        path,
        record.engine,
        record.machine,
        asked.variant,
        asked.calls,
        run,
        tables,
        own_time(run, tables),
    )


def places(parts: Sequence[Part]) -> list[Place]:
    """Every finished point of the first seed once, in order of run, series and clock."""
    found = []
    for part in parts:
        points = part.tables["points"]
        own = points[(points["series"] != "") & (points["finished"] == "yes")]
        rows = own.drop_duplicates("key")[["series", "clock_mhz", "key"]]
        found += [
            Place(part, str(series), float(clock), str(key))
            for series, clock, key in rows.itertuples(index=False, name=None)
        ]
    return found


def machine_labels(every: Sequence[Place]) -> dict[Place, str]:
    """What to call each place's machine: its name, no folder, and what else differs."""
    parts = {"engine": [p.part.engine for p in every], "series": [p.series for p in every]}
    told = {name for name, values in parts.items() if len(set(values)) > 1}
    return {
        place: " ".join(
            [
                place.part.machine.rpartition("/")[2],
                *([place.series] if "series" in told else []),
                *([place.part.engine] if "engine" in told else []),
            ]
        )
        for place in every
    }


def values_by_key(times: pd.DataFrame, column: str = "ns_per_op") -> dict[str, dict[str, float]]:
    """Key -> benchmark -> a column of `times`, where it is above 0.

    A benchmark that ran on several file systems has the first one's.
    """
    found: dict[str, dict[str, float]] = {}
    rows = times[["key", "benchmark", column]].itertuples(index=False, name=None)
    for key, benchmark, value in rows:
        if value > 0:
            found.setdefault(str(key), {}).setdefault(str(benchmark), float(value))
    return found


def unfinished(parts: Sequence[Part]) -> list[str]:
    """One line for each run that has points which are not finished."""
    lines = []
    for part in parts:
        points = part.tables["points"]
        missing = points[points["finished"] == "no"]["key"].unique()
        if len(missing):
            lines.append(f"{part.path.name}: not finished, left out: {' '.join(missing)}")
    return lines
