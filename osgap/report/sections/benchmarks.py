# SPDX-License-Identifier: BSD-3-Clause
"""Section of a benchmark chosen by the reader: its times, its R and the parts of its cycles."""

from __future__ import annotations

from collections.abc import Iterator

from osgap.analysis.constants import CHECKS
from osgap.drawing import style
from osgap.printing.formats import table_rows
from osgap.printing.means import fastest_clock
from osgap.report import charts
from osgap.report.blocks import Block, Chart, PageSection, Select, TableBlock, Text
from osgap.report.subject import Subject
from osgap.suites import suites


def section(subject: Subject) -> PageSection | None:
    """The section; None without a finished point, or for a measured machine (one clock)."""
    if not subject.is_simulated:
        return None
    return PageSection("benchmarks", "Every benchmark", list(_blocks(subject)))


def _blocks(subject: Subject) -> Iterator[Block]:
    if subject.is_one:
        run = subject.analysed[0]
        rows = table_rows(run.tables, "fastest")
        clock = fastest_clock(run.tables)
        yield TableBlock(
            "fastest", f"R at {clock:g} MHz, by what scales with the clock", rows, "fastest"
        )
    names = _names(subject)
    of_runs = _is_of_runs(subject)
    if len(subject.analysed) > 1 and not of_runs:
        runs = [subject.name_of(run) for run in subject.analysed]
        yield Select("benchmark-run", "Run", [(name, name) for name in runs])
    yield Select(
        "benchmark",
        "Benchmark",
        [(f"{name} {fs}", style.benchmark_label(name, fs)) for name, fs in names],
    )
    series = list(
        dict.fromkeys(
            str(name) for run in subject.analysed for name in run.tables["relative"]["series"]
        )
    )
    styles = style.series_style(series)
    colours = {str(styles[name]["label"]): str(styles[name]["color"]) for name in series}
    # Several runs have too many clocks for an axis.
    run_clocks = subject.analysed[0].tables["relative"]["clock_mhz"]
    clocks = sorted({float(clock) for clock in run_clocks}) if subject.is_one else []
    by = "run" if of_runs else "clock"
    words = f"The benchmark chosen above, by {by}. The table relative below has the numbers."
    if of_runs:
        value = charts.by_run(colours, "value")
    else:
        yield Chart("benchmark-speed", "R", words, charts.by_clock(colours, "R", clocks))
        value = charts.by_clock(colours, "value", clocks, logarithmic=True)
    yield Chart("benchmark-value", "Time of an operation, or rate", words, value)
    yield Select(
        "benchmark-series", "Cycles of", [(name, str(styles[name]["label"])) for name in series]
    )
    yield Chart(
        "benchmark-cycles",
        "Where its cycles go",
        f"Shares of the cycles by {by}. The table attribution below has the numbers.",
        charts.cycles(of_runs=of_runs),
    )
    yield Text("The time of a batch is divided by its operations; medians of batches.", "note")


def _is_of_runs(subject: Subject) -> bool:
    """Returns whether there are several runs of one clock each: machines, not clocks of one."""
    clocks = [run.tables["relative"]["clock_mhz"].nunique() for run in subject.analysed]
    return len(clocks) > 1 and max(clocks) < 2


def _names(subject: Subject) -> list[tuple[str, str]]:
    """Benchmarks with file systems: averaged ones first, checks last."""
    names = dict.fromkeys(
        (str(name), str(fs))
        for run in subject.analysed
        for name, fs in run.tables["relative"][["benchmark", "fs"]].itertuples(
            index=False, name=None
        )
    )
    averaged = [name for suite in suites() for name in suite.rows]
    rank = {name: index for index, name in enumerate([*averaged, "", *CHECKS])}
    return sorted(names, key=lambda pair: rank.get(pair[0], len(averaged)))
