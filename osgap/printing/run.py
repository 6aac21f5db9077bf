# SPDX-License-Identifier: BSD-3-Clause
"""What `analyze` does: analyse runs, write their tables, print those asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO, cast

import pandas as pd
from rich.console import Console

from osgap.analysis import write_tables
from osgap.analysis.analysed import AnalysedRun, PlacedPoint, Tables
from osgap.analysis.runs import placed_points, unfinished
from osgap.analysis.suite import CombinedResult, CombinedTable
from osgap.base.output import print_document
from osgap.drawing.text import plain_table
from osgap.predict.prediction import Prediction
from osgap.printing import images
from osgap.printing.export import document
from osgap.printing.formats import DEFAULT_TABLE, check_format, check_names, table_rows
from osgap.printing.headline import headline
from osgap.printing.layouts import KnownLayouts, known_layouts
from osgap.printing.predictions import notes_of, own_tables, predictions, view_of
from osgap.printing.tables import compact_table, notes, shown_tables
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.directory import is_accepted
from osgap.rundir.output import claim
from osgap.rundir.output import part as own_part
from osgap.suites import combined_tables, load_runs
from osgap.suites.ousterhout.sincereport import SINCE, SINCE_MEANS


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

    Without `names` that is the headline and DEFAULT_TABLE.  Tables are written to RUN/tables, but
    not into an accepted run; with `output` below it instead, of several runs in a folder each.
    `clocks` (MHz) and `series` restrict the tables over several runs; none means all.
    Runs that are layouts of one system are printed as one, with intervals, where no table is named;
    with the runs in and below `layouts` each run has intervals of those.  The table `layouts` is
    written wherever layouts are known.

    JSON is a list of records, of several tables an object of one list each; CSV is one table.
    Rows of several runs have the run's path in a first column `run`.  Raises ResultsError or
    ConfigError for bad input, before anything is printed.
    """
    check_names(list(names) or [DEFAULT_TABLE])
    check_format(format, list(names) or [DEFAULT_TABLE])
    runs = load_runs(paths)
    chosen = list(names) or _default_tables(runs, format)
    known = known_layouts(runs, layouts)
    grids = predictions(runs, layouts)
    results = _combined(runs, _computed(known), _wanted(chosen, known), clocks, series)
    tables = {run: {**run.tables, **own_tables(grids.get(run))} for run in runs}
    written = _write(tables, results, paths[0], output)
    if format != "text":
        print_document(_exported(tables, results, chosen, format), cast(TextIO, console.file))
        return
    for name in chosen:
        if name in results:
            _print_result(console, results[name])
        elif names:
            _print_each(console, tables, name)
        else:
            _print_views(console, known, grids)
    for line in [
        *_notes(runs, chosen, results),
        *notes_of(grids),
        *images.older(run.path for run in runs),
    ]:
        _line(console, line)
    for file in written:
        _line(console, f"written to {file}")


def _default_tables(runs: Sequence[AnalysedRun], format: str) -> list[str]:
    """What is shown where none is named: of machines that were measured, how they compare with
    that of 1990."""
    if format == "text" and not any(run.is_simulated for run in runs):
        return [SINCE, SINCE_MEANS]
    return [DEFAULT_TABLE]


def _computed(known: KnownLayouts) -> dict[str, CombinedTable]:
    """Every table over several runs, by name."""
    return {**combined_tables(), **known.combined()}


def _wanted(chosen: Sequence[str], known: KnownLayouts) -> list[str]:
    """The tables over several runs that are printed, and the one that is written in any case."""
    named = [name for name in chosen if name in _computed(known)]
    return list(dict.fromkeys([*named, "layouts"])) if known.groups else named


def _combined(
    runs: Sequence[AnalysedRun],
    known: Mapping[str, CombinedTable],
    names: Sequence[str],
    clocks: Sequence[float],
    series: Sequence[str],
) -> dict[str, CombinedResult]:
    if not names:
        return {}
    points = choose(placed_points(runs), clocks, series)
    return {name: known[name].compute(points) for name in names}


def choose(
    points: Sequence[PlacedPoint], clocks: Sequence[float], series: Sequence[str]
) -> list[PlacedPoint]:
    """The points at these clocks in these series, all where none is named.

    Raises ResultsError when there is none.
    """
    chosen = [
        point
        for point in points
        if (not clocks or point.clock_mhz in clocks) and (not series or point.series in series)
    ]
    if not chosen:
        raise ResultsError("no finished point is at the clocks and in the series asked for")
    return chosen


def _write(
    tables: Mapping[AnalysedRun, Tables],
    results: dict[str, CombinedResult],
    first: Path,
    output: Path | None,
) -> list[Path]:
    """Writes every run's tables; returns the files of the tables over several runs."""
    root = claim(output) if output else None
    common = Path(os.path.commonpath([run.path.absolute() for run in tables]))
    own = {
        run: own_part(
            (root / run.path.absolute().relative_to(common) if root else run.path) / "tables"
        )
        for run in tables
        if root or not is_accepted(run.path)
    }
    all_of_them = bool(results) and (root is not None or not is_accepted(first))
    shared = own_part((root or first) / "tables") if all_of_them else None
    for run, directory in own.items():
        write_tables(tables[run], directory)
    if shared is None:
        return []
    return write_tables({name: result.rows for name, result in results.items()}, shared)


def _exported(
    tables: Mapping[AnalysedRun, Tables],
    results: dict[str, CombinedResult],
    names: Sequence[str],
    format: str,
) -> str:
    frames = {
        name: results[name].rows if name in results else _rows_of_all(tables, name)
        for name in names
    }
    return document(frames, format)


def _rows_of_all(tables: Mapping[AnalysedRun, Tables], name: str) -> pd.DataFrame:
    frames = [table_rows(own, name) for own in tables.values()]
    if len(tables) == 1:
        return frames[0]
    named = []
    for run, frame in zip(tables, frames, strict=True):
        frame = frame.copy()
        frame.insert(0, "run", str(run.path))
        named.append(frame)
    return pd.concat(named, ignore_index=True)


def _print_each(console: Console, tables: Mapping[AnalysedRun, Tables], name: str) -> None:
    for run, own in tables.items():
        if len(tables) > 1:
            _line(console, f"{run.path}:")
        for shown in shown_tables(own, name):
            console.print(shown)


def _print_views(
    console: Console, known: KnownLayouts, grids: Mapping[AnalysedRun, Prediction]
) -> None:
    """Of each run, or of layouts together, the sentence and the default table.

    A run that was predicted in part shows its whole grid.
    """
    own = {str(run.path): made for run, made in grids.items()}
    views = [view_of(one, own.get(one.title)) for one in known.views()]
    for view in views:
        if len(views) > 1 or len(known.runs) > 1:
            _line(console, f"{view.title}:")
        sentence = headline(view.tables, view.bands)
        if sentence:
            _line(console, sentence)
        console.print(compact_table(view.tables, view.bands))
        if view.bands.legend:
            _line(console, view.bands.legend)


def _print_result(console: Console, result: CombinedResult) -> None:
    for part in result.printed:
        if isinstance(part, str):
            _line(console, part)
        else:
            title, rows = part
            console.print(plain_table(rows, title))


def _notes(
    runs: Sequence[AnalysedRun], names: Sequence[str], results: dict[str, CombinedResult]
) -> list[str]:
    """What a reader has to know, each once: of the runs' own tables, or what is left out."""
    if set(names) <= set(results):
        return unfinished(runs)
    compact = DEFAULT_TABLE in names
    several = len(runs) > 1
    return [
        f"{run.path}: {note}" if several else note
        for run in runs
        for note in notes(run.tables, compact=compact)
    ]


def _line(console: Console, line: str) -> None:
    console.print(line, soft_wrap=True)
