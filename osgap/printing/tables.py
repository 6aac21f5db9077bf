# SPDX-License-Identifier: BSD-3-Clause
"""The tables as the paper prints them, for a terminal or as plain text."""

from collections.abc import Hashable, Iterator, Mapping

import pandas as pd
from rich.table import Table

from osgap.analysis import Tables
from osgap.analysis.constants import higher_is_better
from osgap.drawing import text
from osgap.printing.intervals import NO_BANDS, Bands
from osgap.printing.means import MEAN, averaged_sets, fastest_clock, fastest_table, not_averaged
from osgap.suites import main_sets

# What the paper calls a benchmark, where that is not its name here.
TITLES = {
    "andrew_copyphases": "andrew: copy",
    "andrew_make": "andrew: compile",
    "andrew_total": "andrew: total",
    "cswitch": "cswitch: one round trip, two switches",
}

BEYOND_MARK = "*"
# Tables that a run may lack.
_NONE = {
    "counters": "no benchmark of this run tells counters",
    "outliers": "no batch of this run stands out from its neighbours",
    "intervals": "no point of this run was measured in rounds (see osgap native)",
    "program_numbers": "no point of this run has output of a program and a --pattern for it",
    "predicted": "no point of this run was left to be predicted (see osgap predict)",
    "predicted_means": "no point of this run was left to be predicted (see osgap predict)",
}


def shown_tables(tables: Tables, name: str) -> Iterator[Table | str]:
    """What is printed for the table `name` (osgap.printing.formats.TABLES); a text is a line.

    Raises KeyError for a name that is none.
    """
    if name == "fastest":
        yield compact_table(tables)
    elif name == "relative":
        yield from benchmark_tables(tables["relative"])
    elif name == "speeds":
        yield from series_tables(tables["relative"])
    elif name == "summary":
        for chosen in averaged_sets(tables["geomean"]):
            yield summary_table(tables["geomean"], chosen)
    elif name in _NONE and name not in tables:
        yield _NONE[name]
    else:
        yield text.plain_table(tables[name], name)


def compact_table(tables: Tables, bands: Bands = NO_BANDS) -> Table:
    """MIPS-relative speed at the fastest clock: benchmarks by series, each set's mean below it.

    Behind each number is its interval of `bands`.
    """
    rows, clock = fastest_table(tables), fastest_clock(tables)
    sets, series = main_sets(), list(rows.columns[3:])
    title = f"MIPS-relative speed at {clock:g} MHz, by what scales with the clock"
    table = text.table(title, ["benchmark", "files"], series)
    for row in rows.to_dict("records"):
        if row["benchmark"] == MEAN:
            shown = [bands.of_mean(row["set"], name, clock) for name in series]
        else:
            shown = [bands.of_benchmark(row["benchmark"], row["fs"], n, clock) for n in series]
        speeds = [text.ratio(row[n]) + band for n, band in zip(series, shown, strict=True)]
        if row["benchmark"] == MEAN:
            table.add_section()
            table.add_row(f"geometric mean, {sets[row['set']].title}", "", *speeds)
            table.add_section()
        else:
            table.add_row(row["benchmark"], "" if row["fs"] == "none" else row["fs"], *speeds)
    return table


def benchmark_tables(relatives: pd.DataFrame) -> Iterator[Table]:
    """For each benchmark: configuration, time or rate, MIPS-relative speed; fastest first."""
    for (name, fs, metric), group in relatives.groupby(["benchmark", "fs", "metric"], sort=False):
        title = TITLES.get(str(name), str(name)) + ("" if fs == "none" else f", {fs} files")
        is_rate = higher_is_better(str(metric))
        heading = f"rate ({metric})" if is_rate else f"time ({metric})"
        table = text.table(title, ["configuration"], [heading, "MIPS-relative speed"])
        ordered = group.sort_values("value", ascending=not is_rate, kind="stable")
        for row in ordered.to_dict("records"):
            configuration = f"{row['clock_mhz']:g} MHz {row['series']}"
            table.add_row(configuration, text.number(row["value"]), text.ratio(row["relative"]))
        yield table


def series_tables(relatives: pd.DataFrame) -> Iterator[Table]:
    """For each series: MIPS-relative speed, a row a benchmark, a column a clock."""
    clocks = sorted(relatives["clock_mhz"].unique())
    for series, own in relatives.groupby("series", sort=False):
        title = f"MIPS-relative speed, series {series}"
        table = text.table(title, ["benchmark", "files"], [f"{clock:g} MHz" for clock in clocks])
        for (name, fs), rows in own.groupby(["benchmark", "fs"], sort=False):
            cells = dict(zip(rows["clock_mhz"], rows["relative"], strict=True))
            speeds = [text.ratio(cells.get(clock, float("nan"))) for clock in clocks]
            table.add_row(str(name), "" if fs == "none" else str(fs), *speeds)
        yield table


def summary_table(geomeans: pd.DataFrame, chosen: str) -> Table:
    """Geometric mean of R for each clock and series, over the set's benchmarks."""
    own = geomeans[geomeans["set"] == chosen]
    series = list(own["series"].unique())
    title = f"Geometric mean of MIPS-relative speed, {main_sets()[chosen].title}"
    table = text.table(title, [], ["clock (MHz)", "MIPS", *series])
    cells = {(row["clock_mhz"], row["series"]): row for row in own.to_dict("records")}
    for clock in sorted(own["clock_mhz"].unique()):
        rows = [cells.get((clock, name)) for name in series]
        mips = next((text.number(row["mips"]) for row in rows if row), "")
        means = [text.ratio(row["geomean"]) if row else "" for row in rows]
        table.add_row(f"{clock:g}", mips, *means)
    return table


def comparison_tables(tables: Tables) -> Iterator[Table | str]:
    """For two runs (osgap.analysis.compare): times and R's by series, elasticities, means."""
    a, b = tables["sides"]["label"]
    heads = ["MHz", "unit", a, b, "time b/a", f"R {a}", f"R {b}", "R b/a"]
    for series, own in tables["compared"].groupby("series", sort=False):
        table = text.table(f"{a} (a) and {b} (b), series {series}", ["benchmark", "files"], heads)
        for row in own.sort_values(["benchmark", "fs", "clock_mhz"], kind="stable").to_dict(
            "records"
        ):
            values = [text.number(row["value_a"]), text.number(row["value_b"])]
            ratios = ["time_ratio", "relative_a", "relative_b", "relative_ratio"]
            cells = [f"{row['clock_mhz']:g}", row["metric"], *values]
            fs = "" if row["fs"] == "none" else row["fs"]
            shown = [text.ratio(row[name]) + _mark(row, name) for name in ratios]
            table.add_row(row["benchmark"], fs, *cells, *shown)
        yield table
    if "time_differs" in tables["compared"]:
        yield f"{BEYOND_MARK}: they differ by more than layouts do (95 %)"
    if "repeats" in tables:
        yield text.plain_table(tables["repeats"], "measured twice: medians and their intervals")
        return
    yield text.plain_table(tables["slopes"], "elasticities d log t / d log clock, fitted")
    yield text.plain_table(tables["means"], "geometric means of R")
    work = tables["work"]
    slowest = work.merge(work[["series", "clock_mhz"]].head(1))
    yield text.plain_table(slowest, "what the slowest machine did; every other in tables/work.csv")


def _mark(row: Mapping[Hashable, object], ratio: str) -> str:
    """Behind the ratio of times or of R, whether it is beyond what layouts do."""
    return BEYOND_MARK if row.get(ratio.replace("ratio", "differs")) == "yes" else ""


def notes(tables: Tables, *, compact: bool = False) -> list[str]:
    """One line for each thing that a reader of any table has to know, or of the compact one."""
    points, samples = tables["points"], tables["samples"]
    missing = points[points["finished"] == "no"]["key"].unique()
    flagged = int((samples["flagged"] == "yes").sum())
    geomeans = tables["geomean"]
    own = geomeans[geomeans["set"].isin(averaged_sets(geomeans))]
    not_run = sorted({name for text in own["not_run"] for name in str(text).split()})
    unrated = points[(points["finished"] == "yes") & points["mips"].isna()]["key"].unique()
    others = len(not_averaged(tables)) if compact else 0
    odd = tables["outliers"] if "outliers" in tables else points.iloc[:0]
    lines = [
        (len(missing), f"not finished, left out: {' '.join(missing)}"),
        (len(unrated), f"no MIPS rating, so no relative speed: {' '.join(unrated)}"),
        (len(not_run), f"not run, so not in the mean: {' '.join(not_run)}"),
        (others, f"{others} more benchmarks were run that are in no mean: see --table speeds"),
        (flagged, f"guest and simulator clocks differ by more than 2 % in {flagged} regions"),
        (len(odd), _standing_out(odd)),
    ]
    return [line for count, line in lines if count]


def _standing_out(odd: pd.DataFrame) -> str:
    """How many batches are outliers, and how many of them no timer tick explains."""
    if odd.empty:
        return ""
    without = int((odd["timer_irqs"] <= odd["others_timer_irqs"]).sum())
    what = f"{len(odd)} batches stand out from their neighbours"
    return f"{what}, {without} of them without more timer interrupts: see --table outliers"
