# SPDX-License-Identifier: BSD-3-Clause
"""Section of a benchmark chosen by the reader: its times, its R and the parts of its cycles."""

from __future__ import annotations

from collections.abc import Iterator

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.constants import CHECKS
from osgap.drawing.display_names import benchmark_name, series_name
from osgap.printing.formats import table_rows
from osgap.printing.means import fastest_clock
from osgap.report import charts
from osgap.report.blocks import Block, Chart, PageSection, Rows, Select, TableBlock, Text
from osgap.report.cycles import FIELDS, cycles
from osgap.report.looks import series_looks
from osgap.report.subject import Subject, clocks_of
from osgap.suites import suites

_FIRST = "cswitch"
"""The benchmark that is shown first; getpid's lines lie on one another."""
_MOST_CLOCKS = 12


def section(subject: Subject) -> PageSection | None:
    """The section; None without a finished point, or for a measured machine (one clock)."""
    if not subject.is_simulated:
        return None
    return PageSection("benchmarks", "Every benchmark", list(_blocks(subject)), "Benchmarks")


def _blocks(subject: Subject) -> Iterator[Block]:
    if subject.is_one:
        run = subject.analysed[0]
        rows = table_rows(run.tables, "fastest")
        clock = fastest_clock(run.tables)
        yield TableBlock(
            "fastest", f"R at {clock:g} MHz, by what gets faster with the clock", rows, "fastest"
        )
    names = _names(subject)
    of_runs = _is_of_runs(subject)
    if len(subject.analysed) > 1 and not of_runs:
        yield Select("benchmark-run", "Run", [_choice(subject, run) for run in subject.menu])
    yield Select(
        "benchmark",
        "Benchmark",
        [(f"{name} {fs}", benchmark_name(name, fs)) for name, fs in names],
        f"{_FIRST} none",
    )
    yield from _charts(subject, of_runs)
    yield Text("Medians of the batches; a batch's time is divided by its operations.", "note")


def _choice(subject: Subject, run: AnalysedRun) -> tuple[str, str]:
    """A run's name, and its text in the menu: a run of one clock has a dot and no curve."""
    name, (clock, *more) = subject.name_of(run), clocks_of(run)
    return name, name if more else f"{name} ({clock:g} MHz alone)"


def _charts(subject: Subject, of_runs: bool) -> Iterator[Block]:
    series = _series(subject)
    looks = {
        series_name(name): look for name, look in series_looks(series).items() if name in series
    }
    by = "run" if of_runs else "clock"
    words = f"The benchmark chosen above, by {by}. The table relative below has the numbers."
    if of_runs:
        value = charts.by_run(looks)
    else:
        clocks = _clocks(subject)
        chart = charts.by_clock(looks, clocks)
        yield Chart("benchmark-speed", "R", words, chart, {"ends": []}, is_half=True)
        value = charts.by_clock(looks, clocks, logarithmic=True)
    value["usermeta"] = {**value.get("usermeta", {}), "names": {n: series_name(n) for n in series}}
    ends: dict[str, Rows] = {} if of_runs else {"ends": []}
    yield Chart("benchmark-value", "Value", words, value, ends, is_half=not of_runs)
    parts = _parts(subject)
    if parts:
        yield Select("benchmark-series", "Cycles of", [(n, series_name(n)) for n in series])
        yield Chart(
            "benchmark-cycles",
            "Parts of its cycles",
            f"Shares of the cycles by {by}. The table attribution below has the numbers.",
            cycles(parts, of_runs=of_runs),
        )


def _series(subject: Subject) -> list[str]:
    """The series of all runs, each once."""
    names = [
        str(name) for run in subject.analysed for name in run.tables["relative"]["series"].unique()
    ]
    return list(dict.fromkeys(names))


def _clocks(subject: Subject) -> list[float]:
    """The clocks of all runs, for ticks; none if they are too many."""
    clocks = {clock for run in subject.analysed for clock in clocks_of(run)}
    return sorted(clocks) if len(clocks) <= _MOST_CLOCKS else []


def _parts(subject: Subject) -> list[str]:
    """The parts of cycles that a run tells apart."""
    tables = [run.tables.get("attribution") for run in subject.analysed]
    return [
        part
        for column, part in FIELDS.items()
        if any(rows is not None and (rows[column] > 0).any() for rows in tables)
    ]


def _is_of_runs(subject: Subject) -> bool:
    """Returns whether there are several runs of one clock each: machines, not clocks of one."""
    clocks = [len(clocks_of(run)) for run in subject.analysed]
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
