# SPDX-License-Identifier: BSD-3-Clause
"""The tables as the paper prints them, for a terminal or as plain text."""

from collections.abc import Iterator
from typing import IO

import pandas as pd
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from osgap.analysis import Tables
from osgap.analysis.names import SUITES

PLAIN_WIDTH = 200
# What the paper calls a benchmark, where that is not its name here.
TITLES = {
    "andrew_copyphases": "andrew: copy",
    "andrew_make": "andrew: compile",
    "andrew_total": "andrew: total",
    "cswitch": "cswitch: one round trip, two switches",
}


def make_console(stream: IO[str]) -> Console:
    """A console that colours on a terminal and elsewhere writes plain text, not cut to 80."""
    if stream.isatty():
        return Console(file=stream, highlight=False)
    return Console(file=stream, width=PLAIN_WIDTH, color_system=None, highlight=False)


def print_report(console: Console, tables: Tables, name: str) -> None:
    """Print "relative" (a table a benchmark), "speeds" (a table a series), "summary" or another.

    Raises KeyError for a name that is none of them.
    """
    if name == "relative":
        for table in benchmark_tables(tables["relative"]):
            console.print(table)
    elif name == "speeds":
        for table in series_tables(tables["relative"]):
            console.print(table)
    elif name == "summary":
        for chosen in averaged_sets(tables["geomean"]):
            console.print(summary_table(tables["geomean"], chosen))
    elif name == "counters" and name not in tables:
        console.print("no benchmark of this run tells counters")
    else:
        console.print(plain_table(tables[name], name))
    for note in notes(tables):
        console.print(Text(note), soft_wrap=True)


def benchmark_tables(relatives: pd.DataFrame) -> Iterator[Table]:
    """For each benchmark: configuration, time or rate, MIPS-relative speed; fastest first."""
    for (name, fs, metric), group in relatives.groupby(["benchmark", "fs", "metric"], sort=False):
        title = TITLES.get(str(name), str(name)) + ("" if fs == "none" else f", {fs} files")
        heading = f"rate ({metric})" if metric in ("MB/s", "MIPS") else f"time ({metric})"
        table = _table(title, ["configuration"], [heading, "MIPS-relative speed"])
        rates = metric in ("MB/s", "MIPS")
        ordered = group.sort_values("value", ascending=not rates, kind="stable")
        for row in ordered.to_dict("records"):
            configuration = f"{row['clock_mhz']:g} MHz {row['series']}"
            table.add_row(configuration, _number(row["value"]), _ratio(row["relative"]))
        yield table


def series_tables(relatives: pd.DataFrame) -> Iterator[Table]:
    """For each series: MIPS-relative speed, a row a benchmark, a column a clock."""
    clocks = sorted(relatives["clock_mhz"].unique())
    for series, own in relatives.groupby("series", sort=False):
        title = f"MIPS-relative speed, series {series}"
        table = _table(title, ["benchmark", "files"], [f"{clock:g} MHz" for clock in clocks])
        for (name, fs), rows in own.groupby(["benchmark", "fs"], sort=False):
            cells = dict(zip(rows["clock_mhz"], rows["relative"], strict=True))
            speeds = [_ratio(cells.get(clock, float("nan"))) for clock in clocks]
            table.add_row(str(name), "" if fs == "none" else str(fs), *speeds)
        yield table


def averaged_sets(geomeans: pd.DataFrame) -> list[str]:
    """The paper's set and the suites, those of which the run has a benchmark; else the paper's."""
    present = set(geomeans[geomeans["of"] > 0]["set"])
    return [name for name in ("figure1", *SUITES) if name in present] or ["figure1"]


def summary_table(geomeans: pd.DataFrame, chosen: str = "figure1") -> Table:
    """Geometric mean of R for each clock and series, over the set's benchmarks."""
    own = geomeans[geomeans["set"] == chosen]
    series = list(own["series"].unique())
    title = "Geometric mean of MIPS-relative speed" + (f", {chosen}" if chosen in SUITES else "")
    table = _table(title, [], ["clock (MHz)", "MIPS", *series])
    cells = {(row["clock_mhz"], row["series"]): row for row in own.to_dict("records")}
    for clock in sorted(own["clock_mhz"].unique()):
        found = [cells.get((clock, name)) for name in series]
        mips = next((_number(row["mips"]) for row in found if row), "")
        means = [_ratio(row["geomean"]) if row else "" for row in found]
        table.add_row(f"{clock:g}", mips, *means)
    return table


def comparison_tables(tables: Tables) -> Iterator[Table]:
    """For two runs (osgap.analysis.compare): times and R's by series, elasticities, means."""
    a, b = tables["sides"]["label"]
    heads = ["MHz", "unit", a, b, "time b/a", f"R {a}", f"R {b}", "R b/a"]
    for series, own in tables["compared"].groupby("series", sort=False):
        table = _table(f"{a} (a) and {b} (b), series {series}", ["benchmark", "files"], heads)
        for row in own.sort_values(["benchmark", "fs", "clock_mhz"], kind="stable").to_dict(
            "records"
        ):
            values = [_number(row["value_a"]), _number(row["value_b"])]
            ratios = ["time_ratio", "relative_a", "relative_b", "relative_ratio"]
            cells = [f"{row['clock_mhz']:g}", row["metric"], *values]
            fs = "" if row["fs"] == "none" else row["fs"]
            table.add_row(row["benchmark"], fs, *cells, *(_ratio(row[name]) for name in ratios))
        yield table
    yield plain_table(tables["slopes"], "elasticities d log t / d log clock, fitted")
    yield plain_table(tables["means"], "geometric means of R")
    work = tables["work"]
    slowest = work.merge(work[["series", "clock_mhz"]].head(1))
    yield plain_table(slowest, "what the slowest machine did; every other in tables/work.csv")


def plain_table(frame: pd.DataFrame, title: str) -> Table:
    """Any table as it stands, numbers to the right."""
    table = Table(title=title, box=box.ASCII2, title_justify="left")
    for name in frame.columns:
        numeric = pd.api.types.is_numeric_dtype(frame[name])
        table.add_column(name, justify="right" if numeric else "left", no_wrap=True)
    for row in frame.to_dict("records"):
        table.add_row(*(_number(cell) for cell in row.values()))
    return table


def notes(tables: Tables) -> list[str]:
    """One line for each thing that a reader of any table has to know."""
    points, samples = tables["points"], tables["samples"]
    missing = points[points["finished"] == "no"]["key"].unique()
    flagged = int((samples["flagged"] == "yes").sum())
    geomeans = tables["geomean"]
    own = geomeans[geomeans["set"].isin(averaged_sets(geomeans))]
    not_run = sorted({name for text in own["not_run"] for name in str(text).split()})
    unrated = points[(points["finished"] == "yes") & points["mips"].isna()]["key"].unique()
    lines = [
        (len(missing), f"not finished, left out: {' '.join(missing)}"),
        (len(unrated), f"no MIPS rating, so no relative speed: {' '.join(unrated)}"),
        (len(not_run), f"not run, so not in the mean: {' '.join(not_run)}"),
        (flagged, f"guest and simulator clocks differ by more than 2 % in {flagged} regions"),
    ]
    return [line for count, line in lines if count]


def _table(title: str, left: list[str], right: list[str]) -> Table:
    table = Table(title=title, box=box.ASCII2, title_justify="left")
    for heading in left:
        table.add_column(heading, no_wrap=True)
    for heading in right:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _number(cell: object) -> str:
    if isinstance(cell, float):
        return "" if pd.isna(cell) else f"{cell:.4g}" if abs(cell) < 1e4 else f"{cell:.0f}"
    return str(cell)


def _ratio(value: float) -> str:
    return "" if pd.isna(value) else f"{value:.2f}"
