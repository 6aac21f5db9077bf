# SPDX-License-Identifier: BSD-3-Clause
"""Analyses several runs together: a run for each machine, image variant and way of system calls."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from osgap.analysis import analyze
from osgap.analysis.analysed import AnalysedRun, PlacedPoint
from osgap.analysis.speed import points_in_series
from osgap.analysis.suite import Suite
from osgap.base.progress import each, say
from osgap.base.quoting import counted
from osgap.guest.protocol import CALLS
from osgap.rundir import manifest
from osgap.rundir.directory import run_directories
from osgap.rundir.load import ResultsError, Run, load_run

DIRECT = CALLS[0]
RunCache = dict[Path, AnalysedRun]


def analyze_runs(
    paths: Sequence[Path], suites: Sequence[Suite], cache: RunCache | None = None
) -> list[AnalysedRun]:
    """Analyse every run in and below `paths`, and add it to `cache` if it is not there.

    Of several runs, those without a finished point are left out, each with a line. Raises
    ResultsError or ConfigError.
    """
    cache = {} if cache is None else cache
    paths = run_directories(paths)
    for path in each([path for path in paths if path not in cache], "Reading and analysing"):
        run = load_run(path)
        if run.points or len(paths) == 1:
            cache[path] = analyze_run(run, suites)
        else:
            say(f"Left out: {path}, none of whose points is finished")
    if paths and not any(path in cache for path in paths):
        runs = counted(len(paths), "run")
        raise ResultsError(f"of {runs} none has a finished point: {paths[0]} and others")
    return [cache[path] for path in paths if path in cache]


def analyze_run(run: Run, suites: Sequence[Suite]) -> AnalysedRun:
    """Analyse a run that was loaded.  Raises ResultsError or ConfigError."""
    run.check_finished()
    axes = manifest.read(run.path).request(run.path)
    record = next(iter(run.points.values())).record
    return AnalysedRun(
        run.path,
        record.engine,
        record.machine,
        axes.variant,
        axes.calls,
        run,
        analyze(run, suites),
    )


def placed_points(runs: Sequence[AnalysedRun]) -> list[PlacedPoint]:
    """Every finished point of the first start once, in order of run, series and clock."""
    positions = []
    for analysed in runs:
        rows = points_in_series(analysed.tables["points"]).drop_duplicates("key")
        rows = rows[["series", "clock_mhz", "key"]]
        positions += [PlacedPoint(analysed, *row) for row in rows.itertuples(index=False)]
    return positions


def machine_labels(points: Sequence[PlacedPoint]) -> dict[PlacedPoint, str]:
    """The machines' names without a folder, then series and engine where the points differ."""
    several_series = len({point.series for point in points}) > 1
    several_engines = len({point.analysed.engine for point in points}) > 1
    return {
        point: point.analysed.machine.rpartition("/")[2]
        + (f" {point.series}" if several_series else "")
        + (f" {point.analysed.engine}" if several_engines else "")
        for point in points
    }


def values_by_key(times: pd.DataFrame, column: str = "ns_per_op") -> dict[str, dict[str, float]]:
    """Key -> benchmark -> a column of `times` above 0, on the benchmark's first file system."""
    values: dict[str, dict[str, float]] = {}
    rows = times[["key", "benchmark", column]].itertuples(index=False, name=None)
    for key, benchmark, value in rows:
        if value > 0:
            values.setdefault(str(key), {}).setdefault(str(benchmark), float(value))
    return values


def unfinished(runs: Sequence[AnalysedRun]) -> list[str]:
    """One line for each run that has points which are not finished."""
    lines = []
    for analysed in runs:
        points = analysed.tables["points"]
        missing = points[points["finished"] == "no"]["key"].unique()
        if len(missing):
            lines.append(f"{analysed.path.name}: not finished, left out: {' '.join(missing)}")
    return lines
