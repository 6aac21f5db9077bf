# SPDX-License-Identifier: BSD-3-Clause
"""Prints one suite's tables over several runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO, cast

from rich.console import Console

from osgap.analysis.analysed import PlacedPoint
from osgap.analysis.runs import placed_points, unfinished
from osgap.analysis.suite import CombinedResult, CombinedTable
from osgap.analysis.tables import write_tables
from osgap.base.output import print_document
from osgap.base.suggestions import unknown
from osgap.printing.export import document
from osgap.printing.formats import check_format
from osgap.printing.run import choose, print_result
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.output import claim
from osgap.suites import load_runs, suites


def print_suite(
    console: Console,
    name: str,
    paths: Sequence[Path],
    names: Sequence[str] = (),
    *,
    format: str = "text",
    output: Path | None = None,
    clocks: Sequence[float] = (),
    series: Sequence[str] = (),
) -> None:
    """Prints the tables `names`, or all with rows, of the suite `name` over the runs in `paths`.

    `clocks` (MHz) and `series` select points; none means all. With `output` the tables are written
    to output/tables. Raises ResultsError.
    """
    suite = next(suite for suite in suites() if suite.name == name)
    tables = {combined.table.name: combined for combined in suite.combined}
    for table in names:
        if table not in tables:
            raise ResultsError(f"--table: {unknown('table', table, tables)}")
    runs = load_runs(paths)
    points = choose(placed_points(runs), clocks, series)
    chosen = {table: tables[table].compute(points) for table in names}
    results = chosen or _computable(tables, points)
    check_format(format, list(results))
    rows = {table: result.rows for table, result in results.items()}
    if output:
        write_tables(rows, claim(output) / "tables")
    if format != "text":
        print_document(document(rows, format), cast(TextIO, console.file))
        return
    for name, result in results.items():
        print_result(console, result, tables[name].table)
    for line in unfinished(runs):
        console.print(line)


def _computable(
    tables: Mapping[str, CombinedTable], points: Sequence[PlacedPoint]
) -> dict[str, CombinedResult]:
    """Returns the tables that the points have rows for. Raises ResultsError if there are none."""
    results, reasons = {}, []
    for name, combined in tables.items():
        try:
            results[name] = combined.compute(points)
        except ResultsError as error:
            reasons.append(error)
    if not results:
        raise reasons[0] if reasons else ResultsError("this suite has no tables over several runs")
    return results
