# SPDX-License-Identifier: BSD-3-Clause
"""Arranges tables as the paper prints them, for a terminal or as plain text."""

from collections.abc import Hashable, Iterator, Mapping

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.constants import higher_is_better
from osgap.analysis.table import by_name
from osgap.analysis.tables import declared
from osgap.base.quoting import counted
from osgap.drawing import text
from osgap.drawing.display_names import benchmark, benchmark_name, series_name
from osgap.drawing.frame_table import frame_table
from osgap.drawing.text_table import TextTable
from osgap.predict.prediction import PREDICTED, PREDICTED_MEANS
from osgap.printing.intervals import NO_BANDS, Bands
from osgap.printing.means import MEAN, averaged_sets, fastest_clock, fastest_table, not_averaged
from osgap.suites import main_sets

BEYOND_MARK = "*"


def arranged(tables: Tables, name: str, absent: str = "") -> Iterator[TextTable | str]:
    """The tables and lines to print for the table or view `name`; `absent` if the run lacks it."""
    if name == "fastest":
        yield compact_table(tables)
    elif name == "relative":
        yield from benchmark_tables(tables["relative"])
    elif name == "speeds":
        yield from series_tables(tables["relative"])
    elif name == "summary":
        for set_name in averaged_sets(tables["geomean"]):
            yield summary_table(tables["geomean"], set_name)
    elif absent and name not in tables:
        yield absent
    else:
        yield frame_table(tables[name], _title(name))


def _title(name: str) -> str:
    """A table's name with its meaning, if it is declared."""
    table = {**declared(), **by_name([PREDICTED, PREDICTED_MEANS])}.get(name)
    return f"{name}: {table.text}" if table else name


def compact_table(tables: Tables, bands: Bands = NO_BANDS) -> TextTable:
    """R at the fastest clock with `bands`: benchmarks by series, each set's mean below it."""
    rows, clock = fastest_table(tables), fastest_clock(tables)
    sets, series = main_sets(), list(rows.columns[3:])
    title = f"MIPS-relative speed (R) at {clock:g} MHz, by what scales with the clock"
    table = text.table(title, ["benchmark"], list(map(series_name, series)))
    for row in rows.to_dict("records"):
        if row["benchmark"] == MEAN:
            intervals = [bands.of_mean(row["set"], name, clock) for name in series]
        else:
            intervals = [bands.of_benchmark(row["benchmark"], row["fs"], n, clock) for n in series]
        speeds = [text.ratio(row[n]) + band for n, band in zip(series, intervals, strict=True)]
        if row["benchmark"] == MEAN:
            table.add_section()
            table.add_row(f"geometric mean, {sets[row['set']].title}", *speeds)
            table.add_section()
        else:
            table.add_row(benchmark_name(row["benchmark"], row["fs"]), *speeds)
    return table


def benchmark_tables(relatives: pd.DataFrame) -> Iterator[TextTable]:
    """For each benchmark: configuration, time or rate, MIPS-relative speed; fastest first."""
    for (name, fs, metric), group in relatives.groupby(["benchmark", "fs", "metric"], sort=False):
        meaning = benchmark(str(name)).meaning
        title = benchmark_name(name, fs) + (f": {meaning}" if meaning else "")
        is_rate = higher_is_better(str(metric))
        heading = f"rate, {metric}" if is_rate else f"time, {metric}"
        table = text.table(title, ["configuration"], [heading, "R"])
        ordered = group.sort_values("value", ascending=not is_rate, kind="stable")
        values = text.measured(list(ordered["value"]))
        for row, value in zip(ordered.to_dict("records"), values, strict=True):
            configuration = f"{row['clock_mhz']:g} MHz, {series_name(row['series'])}"
            table.add_row(configuration, value, text.ratio(row["relative"]))
        yield table


def series_tables(relatives: pd.DataFrame) -> Iterator[TextTable]:
    """For each series: MIPS-relative speed, a row a benchmark, a column a clock."""
    clocks = sorted(relatives["clock_mhz"].unique())
    for series, rows_of_series in relatives.groupby("series", sort=False):
        title = f"MIPS-relative speed (R), {series_name(str(series))}"
        table = text.table(title, ["benchmark"], [f"{clock:g} MHz" for clock in clocks])
        for (name, fs), rows in rows_of_series.groupby(["benchmark", "fs"], sort=False):
            cells = dict(zip(rows["clock_mhz"], rows["relative"], strict=True))
            speeds = [text.ratio(cells.get(clock, float("nan"))) for clock in clocks]
            table.add_row(benchmark_name(name, fs), *speeds)
        yield table


def summary_table(geomeans: pd.DataFrame, set_name: str) -> TextTable:
    """Geometric mean of R for each clock and series, over the set's benchmarks."""
    means = geomeans[geomeans["set"] == set_name]
    series = list(means["series"].unique())
    title = f"Geometric mean of MIPS-relative speed (R), {main_sets()[set_name].title}"
    table = text.table(title, [], ["clock, MHz", "MIPS", *map(series_name, series)])
    cells = {(row["clock_mhz"], row["series"]): row for row in means.to_dict("records")}
    for clock in sorted(means["clock_mhz"].unique()):
        rows = [cells.get((clock, name)) for name in series]
        mips = next((text.number(row["mips"]) for row in rows if row), "")
        table.add_row(f"{clock:g}", mips, *(text.ratio(r["geomean"]) if r else "" for r in rows))
    return table


def comparison_tables(tables: Tables) -> Iterator[TextTable | str]:
    """The tables and lines of two compared runs: times and R by series, elasticities, means."""
    a, b = tables["sides"]["label"]
    heads = ["MHz", "unit", a, b, "time b/a"]
    ratios = ["time_ratio"]
    has_speeds = tables["compared"]["relative_a"].notna().any()
    if has_speeds:
        heads += [f"R {a}", f"R {b}", "R b/a"]
        ratios += ["relative_a", "relative_b", "relative_ratio"]
    for series, rows in tables["compared"].groupby("series", sort=False):
        title = f"{a} (a) and {b} (b), {series_name(str(series))}"
        table = text.table(title, ["benchmark"], heads)
        ordered = rows.sort_values(["benchmark", "fs", "clock_mhz"], kind="stable")
        for row in ordered.to_dict("records"):
            values = text.measured([row["value_a"], row["value_b"]])
            cells = [f"{row['clock_mhz']:g}", row["metric"], *values]
            cells += [text.ratio(row[name]) + _mark(row, name) for name in ratios]
            table.add_row(benchmark_name(row["benchmark"], row["fs"]), *cells)
        yield table
    if "time_differs" in tables["compared"]:
        yield f"{BEYOND_MARK}: they differ by more than layouts do (95 %)"
    if "repeats" in tables:
        yield frame_table(tables["repeats"], "measured twice: medians and their intervals")
        return
    if not has_speeds:
        return
    yield frame_table(tables["slopes"], "elasticities d log t / d log clock, fitted")
    yield frame_table(tables["means"], "geometric means of R")
    work = tables["work"]
    slowest = work.merge(work[["series", "clock_mhz"]].head(1))
    yield frame_table(slowest, "what the slowest machine did; every other in tables/work.csv")


def _mark(row: Mapping[Hashable, object], ratio: str) -> str:
    """The mark behind a ratio of times or of R that layouts do not explain."""
    return BEYOND_MARK if row.get(ratio.replace("ratio", "differs")) == "yes" else ""


def notes(tables: Tables, *, compact: bool = False) -> list[str]:
    """Notes for the reader of any table, or of the compact table: a line each."""
    points, samples = tables["points"], tables["samples"]
    missing = points[points["finished"] == "no"]["key"].unique()
    flagged = int((samples["flagged"] == "yes").sum())
    geomeans = tables["geomean"]
    averaged = geomeans[geomeans["set"].isin(averaged_sets(geomeans))]
    not_run = sorted({name for text in averaged["not_run"] for name in str(text).split()})
    unrated = points[(points["finished"] == "yes") & points["mips"].isna()]["key"].unique()
    further = len(not_averaged(tables)) if compact else 0
    outliers = tables["outliers"] if "outliers" in tables else points.iloc[:0]
    lines = [
        (len(missing), f"not finished, left out: {' '.join(missing)}"),
        (len(unrated), f"no MIPS rating, so no relative speed: {' '.join(unrated)}"),
        (len(not_run), f"not run, so not in the mean: {' '.join(not_run)}"),
        (further, f"{counted(further, 'more benchmark')} ran that no mean has: see --table speeds"),
        (
            flagged,
            f"guest and simulator clocks differ by more than 2 % in {counted(flagged, 'region')}",
        ),
        (len(outliers), _outliers(outliers)),
    ]
    return [line for count, line in lines if count]


def _outliers(outliers: pd.DataFrame) -> str:
    """The number of outliers, and of those that no timer interrupt explains."""
    if outliers.empty:
        return ""
    unexplained = int((outliers["timer_irqs"] <= outliers["others_timer_irqs"]).sum())
    return (
        f"outliers: {counted(len(outliers), 'batch')}, {unexplained} without more timer interrupts "
        "than their neighbours: see --table outliers"
    )
