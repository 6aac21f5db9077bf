# SPDX-License-Identifier: BSD-3-Clause
"""From a run directory to tidy tables: RUN/tables/*.csv."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd

from osgap.analysis.checks import checks_table
from osgap.analysis.counters import counters_table
from osgap.analysis.cycles import attribution_table, disk_table
from osgap.analysis.model import model_table
from osgap.analysis.modes import modes_table
from osgap.analysis.samples import samples_table, with_composites
from osgap.analysis.speed import elasticity_table, geomean_table, relative_table
from osgap.analysis.times import points_table, times_table
from osgap.csvfile import read_table, write_table
from osgap.results import Run

Tables = Mapping[str, pd.DataFrame]


def analyze(run: Run) -> dict[str, pd.DataFrame]:
    """Every table of a run, by name; their columns are declared where they are made.

    A run in which no benchmark tells counters, as nearly all, has no table of them.
    Raises ResultsError when the run's files contradict each other.
    """
    samples = samples_table(run)
    batches = with_composites(samples)
    points = points_table(run, samples)
    times = times_table(batches)
    relatives = relative_table(points, times)
    tables = {
        "points": points,
        "samples": samples,
        "times": times,
        "relative": relatives,
        "geomean": geomean_table(relatives),
        "elasticity": elasticity_table(points, times),
        "attribution": attribution_table(batches, run),
        "disk": disk_table(run, samples),
        "checks": checks_table(run, samples),
        "model": model_table(points, times),
        "modes": modes_table(run, samples),
    }
    counters = counters_table(run)
    return tables if counters.empty else {**tables, "counters": counters}


def write_tables(tables: Tables, directory: Path) -> list[Path]:
    """Write each table as directory/NAME.csv; equal tables give equal bytes."""
    directory.mkdir(parents=True, exist_ok=True)
    files = [directory / f"{name}.csv" for name in tables]
    for file, frame in zip(files, tables.values(), strict=True):
        write_table(frame, file)
    return files


def read_tables(directory: Path, names: Iterable[str]) -> dict[str, pd.DataFrame]:
    """Read tables back.  Raises ResultsError for one that is missing or malformed."""
    return {name: read_table(directory / f"{name}.csv") for name in names}
