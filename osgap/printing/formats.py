# SPDX-License-Identifier: BSD-3-Clause
"""Lists every table by name, and renders a table as text, CSV or JSON."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from functools import cache

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.layouts.coverage import COVERED
from osgap.analysis.layouts.table import LAYOUTS
from osgap.analysis.speed import RELATIVE
from osgap.analysis.table import Table, by_name
from osgap.analysis.tables import run_tables
from osgap.base.quoting import quoted
from osgap.base.suggestions import unknown
from osgap.base.terminal import make_console
from osgap.predict.prediction import PREDICTED, PREDICTED_MEANS
from osgap.printing.export import document
from osgap.printing.means import averaged_sets, fastest_table
from osgap.printing.tables import arranged
from osgap.rundir.csvfile import ResultsError
from osgap.suites import combined_tables

FORMATS = ("text", "csv", "json")
DEFAULT_TABLE = "fastest"
VIEWS: Mapping[str, str] = {
    "fastest": "MIPS-relative speed at the fastest clock, benchmarks by series, and their mean",
    "summary": "geometric mean of MIPS-relative speed, clocks by series",
    "speeds": "MIPS-relative speed, one table a series, clocks in columns",
}
"""Other arrangements of a run's tables: name -> description."""


@cache
def printed_tables() -> Mapping[str, Table]:
    """The tables of a run that --table prints beside VIEWS: the run's and its prediction's."""
    return {**run_tables(), **by_name([PREDICTED, PREDICTED_MEANS])}


def descriptions() -> dict[str, str]:
    """Name -> description of every table for --table, with the suites' and the layouts' tables."""
    of_runs = {name: table.text for name, table in printed_tables().items()}
    of_suites = {name: combined.table.text for name, combined in combined_tables().items()}
    of_layouts = {table.name: table.text for table in (LAYOUTS, COVERED)}
    # VIEWS arrange the table `relative`, which therefore follows them.
    return {**VIEWS, RELATIVE.name: RELATIVE.text, **of_runs, **of_suites, **of_layouts}


def check_names(names: Sequence[str]) -> None:
    """Raises ResultsError for a name that no table has."""
    allowed = descriptions()
    for name in names:
        if name not in allowed:
            raise ResultsError(f"--table: {unknown('table', name, allowed)}")


def check_format(format: str, names: Sequence[str]) -> None:
    """Raises ResultsError for an unknown format, and for several tables in one CSV."""
    if format not in FORMATS:
        raise ResultsError(f"format: found {quoted(format)}; allowed: {', '.join(FORMATS)}")
    if format == "csv" and len(names) > 1:
        raise ResultsError(f"format csv: found {len(names)} tables; allowed: one at a time")


def table_rows(tables: Tables, name: str) -> pd.DataFrame:
    """The rows of the table or view `name`.  Raises ResultsError for an unknown name."""
    if name == "fastest":
        return fastest_table(tables)
    if name == "summary":
        geomeans = tables["geomean"]
        return geomeans[geomeans["set"].isin(averaged_sets(geomeans))]
    if name == "speeds":
        return tables["relative"][["series", "benchmark", "fs", "clock_mhz", "relative"]]
    if name in tables:
        return tables[name]
    table = printed_tables().get(name)
    if table is None or not table.absent:
        allowed = ", ".join([*VIEWS, *printed_tables()])
        raise ResultsError(f"table: found {quoted(name)}; allowed: {allowed}")
    return table.frame([])


def render(tables: Tables, name: str, format: str = "text") -> str:
    """One table of a run in a format of FORMATS. Raises ResultsError."""
    check_format(format, [name])
    if format != "text":
        return document({name: table_rows(tables, name)}, format)
    stream = io.StringIO()
    console = make_console(stream)
    absent = printed_tables()[name].absent if name in printed_tables() else ""
    for item in arranged(tables, name, absent):
        console.print(item)
    return stream.getvalue()
