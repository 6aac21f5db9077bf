# SPDX-License-Identifier: BSD-3-Clause
"""Analyses runs, writes their tables and prints the requested ones: `osgap analyze`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO, cast

import pandas as pd
from rich.console import Console

from osgap.analysis.analysed import AnalysedRun, PlacedPoint, Tables
from osgap.analysis.layouts.table import LAYOUTS
from osgap.analysis.runs import placed_points, unfinished
from osgap.analysis.suite import CombinedResult
from osgap.analysis.table import Table
from osgap.analysis.tables import write_tables
from osgap.analysis.times import TIMES
from osgap.base.output import print_document
from osgap.drawing.frame_table import frame_table
from osgap.predict.prediction import Prediction
from osgap.printing import images
from osgap.printing.export import document
from osgap.printing.formats import (
    DEFAULT_TABLE,
    check_format,
    check_names,
    printed_tables,
    table_rows,
)
from osgap.printing.headline import headline
from osgap.printing.layouts import KnownLayouts, known_layouts
from osgap.printing.predictions import notes_of, predicted_tables, predictions, view_of
from osgap.printing.tables import arranged, compact_table, notes
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.directory import is_accepted
from osgap.rundir.output import claim, claim_part
from osgap.suites import combined_tables, default_tables, load_runs


def print_runs(
    console: Console,
    paths: Sequence[Path],
    names: Sequence[str] = (),
    *,
    format: str = "text",
    output: Path | None = None,
    clocks: Sequence[float] = (),
    series: Sequence[str] = (),
    layouts: Sequence[Path] = (),
) -> None:
    """Analyse the runs in and below `paths`, write their tables and print those in `names`.

    Without `names` the headline and DEFAULT_TABLE are printed, of layouts of one system together.
    Tables are written to RUN/tables, but not into an accepted run, or below `output`. `clocks`
    (MHz) and `series` restrict the tables over several runs; none means all. With `layouts` each
    run has the intervals of the runs in and below these directories. Raises ResultsError or
    ConfigError for bad input, before anything is printed.
    """
    check_names(list(names) or [DEFAULT_TABLE])
    check_format(format, list(names) or [DEFAULT_TABLE])
    runs = load_runs(paths)
    selected = list(names) or _default_tables(runs, format)
    groups = known_layouts(runs, layouts)
    grids = predictions(runs, layouts)
    over_runs = {**combined_tables(), **groups.combined()}
    computed = dict.fromkeys(name for name in selected if name in over_runs)
    computed |= {LAYOUTS.name: None} if groups.groups else {}
    points = choose(placed_points(runs), clocks, series) if computed else []
    results = {name: over_runs[name].compute(points) for name in computed}
    if (clocks or series) and not results:
        option = "--mhz" if clocks else "--series"
        raise ResultsError(
            f"{option}: found with {', '.join(selected)}; allowed: with a table over several runs, "
            f"such as {', '.join(combined_tables())}"
        )
    tables = {run: {**run.tables, **predicted_tables(grids.get(run))} for run in runs}
    written = _write(tables, results, paths[0], output)
    if format != "text":
        frames = {
            name: results[name].rows if name in results else _rows_of_all(tables, name)
            for name in selected
        }
        print_document(document(frames, format), cast(TextIO, console.file))
        return
    for name in selected:
        if name in results:
            print_result(console, results[name], over_runs[name].table)
        elif names or name != DEFAULT_TABLE:
            _print_each(console, tables, name)
        else:
            _print_views(console, groups, grids)
    for line in [
        *_notes(runs, selected, results),
        *notes_of(grids),
        *images.older(run.path for run in runs),
    ]:
        console.print(line)
    for file in written:
        console.print(f"written to {file}")


def _default_tables(runs: Sequence[AnalysedRun], format: str) -> list[str]:
    """The tables to print by default: those of the suites for machines that were measured.

    Machines without a rating, as in other programs' output, have no R: their times are printed.
    """
    if format == "text" and not any(run.is_simulated for run in runs):
        if not any(run.tables["points"]["mips"].notna().any() for run in runs):
            return [TIMES.name]
        return list(default_tables()) or [DEFAULT_TABLE]
    return [DEFAULT_TABLE]


def choose(
    points: Sequence[PlacedPoint], clocks: Sequence[float], series: Sequence[str]
) -> list[PlacedPoint]:
    """The points at these clocks in these series, or all. Raises ResultsError without any."""
    selected = [
        point
        for point in points
        if (not clocks or point.clock_mhz in clocks) and (not series or point.series in series)
    ]
    if not selected:
        raise ResultsError("no finished point is at the clocks and in the series asked for")
    return selected


def _write(
    tables: Mapping[AnalysedRun, Tables],
    results: dict[str, CombinedResult],
    first: Path,
    output: Path | None,
) -> list[Path]:
    """Writes every run's tables; returns the files of the tables over several runs."""
    root = claim(output) if output else None
    common = Path(os.path.commonpath([run.path.absolute() for run in tables]))
    directories = {
        run: claim_part(
            (root / run.path.absolute().relative_to(common) if root else run.path) / "tables"
        )
        for run in tables
        if root or not is_accepted(run.path)
    }
    all_of_them = bool(results) and (root is not None or not is_accepted(first))
    shared = claim_part((root or first) / "tables") if all_of_them else None
    for run, directory in directories.items():
        write_tables(tables[run], directory)
    if shared is None:
        return []
    return write_tables({name: result.rows for name, result in results.items()}, shared)


def _rows_of_all(tables: Mapping[AnalysedRun, Tables], name: str) -> pd.DataFrame:
    frames = [table_rows(run_tables, name) for run_tables in tables.values()]
    if len(tables) == 1:
        return frames[0]
    labelled = [frame.assign(run=str(run.path)) for run, frame in zip(tables, frames, strict=True)]
    joined = pd.concat(labelled, ignore_index=True)
    return joined[["run", *joined.columns.drop("run")]]


def _print_each(console: Console, tables: Mapping[AnalysedRun, Tables], name: str) -> None:
    absent = printed_tables()[name].absent if name in printed_tables() else ""
    for run, run_tables in tables.items():
        if len(tables) > 1:
            console.print(f"{run.path}:")
        for item in arranged(run_tables, name, absent):
            console.print(item)


def _print_views(
    console: Console, groups: KnownLayouts, grids: Mapping[AnalysedRun, Prediction]
) -> None:
    """Prints the headline and the default table of each run or its grid, or of layouts together."""
    by_path = {str(run.path): prediction for run, prediction in grids.items()}
    views = [view_of(view, by_path.get(view.title)) for view in groups.views()]
    for view in views:
        if len(views) > 1 or len(groups.runs) > 1:
            console.print(f"{view.title}:")
        sentence = headline(view.tables, view.bands)
        if sentence:
            console.print(sentence)
        console.print(compact_table(view.tables, view.bands))
        if view.bands.legend:
            console.print(view.bands.legend)


def print_result(console: Console, result: CombinedResult, table: Table) -> None:
    """Prints the lines and tables of `table` over several runs.

    A line with two blanks together is of a printed page, whose columns a wrapped line would lose.
    """
    for item in result.printed:
        if isinstance(item, str):
            console.print(item, soft_wrap="  " in item)
        else:
            title, rows = item
            console.print(frame_table(rows, title, table.all_columns))


def _notes(
    runs: Sequence[AnalysedRun], names: Sequence[str], results: dict[str, CombinedResult]
) -> list[str]:
    """Notes on the runs' tables; with tables over several runs only, on unfinished points."""
    if set(names) <= set(results):
        return unfinished(runs)
    compact = DEFAULT_TABLE in names
    several = len(runs) > 1
    return [
        f"{run.path}: {note}" if several else note
        for run in runs
        for note in notes(run.tables, compact=compact)
    ]
