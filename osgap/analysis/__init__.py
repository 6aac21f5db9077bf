# SPDX-License-Identifier: BSD-3-Clause
"""From a run directory to tidy tables: RUN/tables/*.csv."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd
from pandas.api.types import is_numeric_dtype

from osgap.analysis.analysed import Tables
from osgap.analysis.checks import checks_table
from osgap.analysis.counters import counters_table
from osgap.analysis.cycles import ATTRIBUTION_COLUMNS, attribution_table, disk_table
from osgap.analysis.layouts.table import LAYOUT_COLUMNS
from osgap.analysis.modes import modes_table
from osgap.analysis.outliers import outliers_table
from osgap.analysis.programs import program_numbers_table
from osgap.analysis.rounds import (
    INTERVAL_COLUMNS,
    SINCE_COLUMNS,
    SINCE_MEAN_COLUMNS,
    intervals_table,
)
from osgap.analysis.samples import samples_table, timed, with_composites
from osgap.analysis.speed import (
    ELASTICITY_COLUMNS,
    GEOMEAN_COLUMNS,
    elasticity_table,
    geomean_table,
    relative_table,
)
from osgap.analysis.suite import Suite, composites, subtracted
from osgap.analysis.times import POINT_COLUMNS, TIME_COLUMNS, points_table, times_table
from osgap.base import durable
from osgap.base.quoting import quoted
from osgap.rundir.csvfile import ResultsError, read_table, write_table
from osgap.rundir.load import Run
from osgap.rundir.output import part

__all__ = ["Tables", "analyze", "read_tables", "write_tables"]

# What the figures of a run read: a table may be of anybody's making.
_COLUMNS = {
    "points": POINT_COLUMNS,
    "times": TIME_COLUMNS,
    "geomean": GEOMEAN_COLUMNS,
    "elasticity": ELASTICITY_COLUMNS,
    "attribution": ATTRIBUTION_COLUMNS,
    "layouts": LAYOUT_COLUMNS,
    "intervals": INTERVAL_COLUMNS,
    "since_1990": SINCE_COLUMNS,
    "since_1990_means": SINCE_MEAN_COLUMNS,
}
_TEXTS = {
    "series",
    "key",
    "finished",
    "machine",
    "engine",
    "memory",
    "disk",
    "benchmark",
    "fs",
    "metric",
    "set",
    "kind",
    "not_run",
    "steady",
    "quantity",
    "variant",
    "calls",
    "wide",
    "source",
}
_LARGEST = 1e150


def analyze(run: Run, suites: Sequence[Suite]) -> dict[str, pd.DataFrame]:
    """Every table of a run, by name; their columns are declared where they are made.

    `suites` say what is averaged, summed and subtracted; osgap.suites.analyze takes all of them.
    A run has no table "counters" where no benchmark tells any, as in nearly all, no table
    "outliers" where no batch stands out, no "intervals" but that of a measured machine, and no
    "program_numbers" without patterns for what programs print.
    Raises ResultsError when the run's files contradict each other.
    """
    samples = samples_table(run, subtracted(suites))
    uncounted = timed(samples, run)
    batches = with_composites(uncounted, composites(suites))
    points = points_table(run, samples)
    times = times_table(batches)
    relatives = relative_table(points, times)
    tables = {
        "points": points,
        "samples": samples,
        "times": times,
        "relative": relatives,
        "geomean": geomean_table(relatives, suites),
        "elasticity": elasticity_table(points, times),
        "attribution": attribution_table(batches, run),
        "disk": disk_table(run, samples),
        "checks": checks_table(run, samples),
        "modes": modes_table(run, samples),
    }
    rare = {
        "counters": counters_table(run),
        "outliers": outliers_table(run, uncounted),
        "intervals": intervals_table(run, batches),
        "program_numbers": program_numbers_table(run, points),
    }
    return tables | {name: table for name, table in rare.items() if len(table)}


def write_tables(tables: Tables, directory: Path) -> list[Path]:
    """Write each table as directory/NAME.csv; equal tables give equal bytes.

    Raises TargetError where the directory is one of other files.
    """
    part(directory)
    durable.clear_leftovers(directory)
    files = [directory / f"{name}.csv" for name in tables]
    for file, frame in zip(files, tables.values(), strict=True):
        write_table(frame, file)
    return files


def read_tables(directory: Path, names: Iterable[str]) -> dict[str, pd.DataFrame]:
    """Read tables back.  Raises ResultsError for one that is missing or malformed."""
    return {name: _read_own(directory / f"{name}.csv") for name in names}


def _read_own(file: Path) -> pd.DataFrame:
    """A table, with at least the columns that one of its name has."""
    frame = read_table(file)
    for name in _COLUMNS.get(file.stem, ()):
        if name not in frame:
            raise ResultsError(f"{file}: has no column {name}; osgap analyze writes it again")
        if name not in _TEXTS:
            frame[name] = _numbers(frame[name], file)
    return frame


def _numbers(cells: pd.Series, file: Path) -> pd.Series:
    """The cells as numbers: pandas leaves integers beyond 64 bits, and what is with them, as text.

    Raises ResultsError for a cell that is no number, and not empty.
    """
    numbers = pd.to_numeric(cells, errors="coerce")
    strange = cells[cells.notna() & (cells != "") & ~(numbers.abs() <= _LARGEST)]
    if len(strange):
        where = f"{file}:{strange.index[0] + 2}: {cells.name}"
        raise ResultsError(f"{where}: found {quoted(strange.iloc[0])}; allowed: a number")
    return numbers if is_numeric_dtype(cells) else numbers.astype(float)
