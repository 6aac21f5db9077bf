# SPDX-License-Identifier: BSD-3-Clause
"""Tables of what osgap reproduce will do, and of what it found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from osgap.analysis.columns import count, text
from osgap.analysis.table import Column, Table
from osgap.base.quoting import counted
from osgap.drawing.table_fit import Heading
from osgap.drawing.text_table import TextTable
from osgap.reproduce.declared import DeclaredRun
from osgap.reproduce.difference import RunDifference, Verdict
from osgap.rundir.csvfile import table_text

REPRODUCED = Table(
    "reproduced",
    "each declared run, made again and compared with the committed one",
    (
        text("run", "the run's folder below results/locked"),
        text("outcome", "equal, within layouts, differs, skipped or failed"),
        count("rows", "rows of its tables that were compared"),
        count("rows_beyond_layouts", "rows that differ by more than 95 % of pairs of layouts do"),
        count("rows_without_layouts", "rows that differ where no layouts of the machine are known"),
        Column("largest_time_difference", "the largest difference of a time / the committed time"),
        Column("largest_R_difference", "the largest difference of an R / the committed R"),
        text("where", "the row or table of the largest difference"),
        text("reason", "why the run differs, failed or was skipped"),
    ),
)


def plan_table(
    runs: Sequence[DeclaredRun], finished: Mapping[str, int], obstacles: Mapping[str, str]
) -> TextTable:
    """A row for each run in the order of the work: its points, their minutes, what is there."""
    headings = ("run", "engine", "points", "done", "minutes")
    table = TextTable("", [Heading(name, right=name in headings[2:5]) for name in headings])
    for run in runs:
        table.add_row(
            run.name,
            run.engine or "-",
            str(run.points or "-"),
            "skip" if obstacles.get(run.name) else str(finished.get(run.name) or "-"),
            f"{run.minutes:.1f}" if run.minutes else "-",
        )
    return table


def plan_lines(
    runs: Sequence[DeclaredRun], finished: Mapping[str, int], obstacles: Mapping[str, str]
) -> Iterable[str]:
    """Sentences on the work by engine, and on the runs that are skipped, by reason."""
    work = [run for run in runs if not obstacles.get(run.name)]
    for engine in dict.fromkeys(run.engine for run in work if run.engine):
        on_engine = [run for run in work if run.engine == engine]
        points = sum(run.points - min(finished.get(run.name, 0), run.points) for run in on_engine)
        minutes = sum(_minutes_left(run, finished.get(run.name, 0)) for run in on_engine)
        yield (
            f"{engine}: {counted(len(on_engine), 'run')}, {counted(points, 'point')} to simulate, "
            f"{minutes:.0f} min of one core by the committed runs' records"
        )
    reasons: dict[str, list[str]] = {}
    for run in runs:
        if reason := obstacles.get(run.name):
            reasons.setdefault(reason, []).append(run.name)
    for reason, names in reasons.items():
        yield f"skipped: {counted(len(names), 'run')}: {reason}"


def _minutes_left(run: DeclaredRun, finished: int) -> float:
    return run.minutes * max(run.points - finished, 0) / run.points if run.points else 0.0


def result_table(results: Sequence[RunDifference]) -> TextTable:
    """A row for each run: its outcome, and the largest differences of times and of R."""
    headings = ("run", "outcome", "rows", "beyond", "time", "R", "where")
    table = TextTable("", [Heading(name, right=name in headings[2:6]) for name in headings])
    for result in results:
        compared = bool(result.rows) or result.time > 0
        table.add_row(
            result.name,
            result.outcome,
            str(result.rows or ""),
            str(result.beyond + result.unlimited) if result.rows else "",
            f"{result.time:.2%}" if compared else "",
            f"{result.speed:.2%}" if result.rows else "",
            result.where,
        )
    return table


def result_lines(results: Sequence[RunDifference]) -> Iterable[str]:
    """A sentence for each reason, and the number of runs of each outcome."""
    for result in results:
        if result.reason:
            yield f"{result.name}: {result.outcome}: {result.reason}"
    counts = {outcome: sum(result.outcome is outcome for result in results) for outcome in Verdict}
    yield ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)


def result_csv(results: Sequence[RunDifference]) -> str:
    """The results as CSV; differences are relative to the committed run."""
    rows = [
        (r.name, r.outcome, r.rows, r.beyond, r.unlimited, r.time, r.speed, r.where, r.reason)
        for r in results
    ]
    return table_text(REPRODUCED.frame(rows))
