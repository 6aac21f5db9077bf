# SPDX-License-Identifier: BSD-3-Clause
"""Prints measured machines beside the MicroVAX II."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from osgap.analysis.analysed import PlacedPoint
from osgap.analysis.relative import defined
from osgap.analysis.rounds import WIDE_INTERVAL
from osgap.analysis.runs import placed_points
from osgap.analysis.suite import CombinedResult, Printed
from osgap.base.quoting import counted
from osgap.drawing import text
from osgap.drawing.frame_table import frame_table
from osgap.drawing.text_table import TextTable
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs
from osgap.suites.ousterhout.since import (
    SINCE_1990,
    SINCE_1990_MEANS,
    since_means,
    since_table,
)

CAVEAT = (
    "R: times as fast / times as many MIPS. These are our programs, compiled by today's compiler "
    "for another instruction set: R compares systems, and not one system then and now. "
    "R (sim): against the MicroVAX II simulated with these same programs."
)


@dataclass(frozen=True)
class SinceTables:
    """Measured machines' tables by name, and their printed form; both may be empty."""

    tables: Mapping[str, pd.DataFrame]
    printed: Sequence[Printed]

    def renderables(self) -> Iterator[str | TextTable]:
        """Yields the printed lines and tables for a console."""
        for part in self.printed:
            yield part if isinstance(part, str) else frame_table(part[1], part[0])


def measured(runs: Sequence[Path]) -> SinceTables:
    """The tables of the runs in and below `runs`. Raises ResultsError for one of a simulator."""
    if not runs:
        return SinceTables({}, ())
    loaded = load_runs(runs)
    for run in loaded:
        if run.is_simulated:
            raise ResultsError(f"{run.path}: found a run on {run.engine}; allowed: on native")
    points = placed_points(loaded)
    since = since_table(points)
    means = _means(since)
    return SinceTables(
        {SINCE_1990.name: since, SINCE_1990_MEANS.name: means.rows},
        [*_printed(since), *means.printed],
    )


def since_result(points: Sequence[PlacedPoint]) -> CombinedResult:
    """Returns the table SINCE_1990 and its printed form."""
    since = since_table(points)
    return CombinedResult(since, list(_printed(since)))


def means_result(points: Sequence[PlacedPoint]) -> CombinedResult:
    """Returns the table SINCE_1990_MEANS, and a sentence for each machine."""
    return _means(since_table(points))


def _means(since: pd.DataFrame) -> CombinedResult:
    means = since_means(since)
    measured = means[means["source"] == "measured"]
    lines = [_sentence(row, means) for row in measured.to_dict("records")]
    return CombinedResult(means, lines)


def _printed(since: pd.DataFrame) -> Iterator[Printed]:
    for (machine, _), rows in since.groupby(["machine", "key"], sort=False):
        ratio = float(rows["mips_ratio"].iloc[0])
        title = f"{machine} beside the MicroVAX II of 1990; its processor: {ratio:,.0f} x the MIPS"
        yield title, pd.DataFrame([_row(row) for row in rows.to_dict("records")])
    wide = since[(since["high"] - since["low"]) > WIDE_INTERVAL * since["value"]]
    if len(wide):
        yield f"*: the 95 % interval is wider than {WIDE_INTERVAL:.0%} of the median"
    yield CAVEAT


def _row(row: Mapping[Hashable, object]) -> dict[str, str]:
    value, low, high = (float(str(row[name])) for name in ("value", "low", "high"))
    interval = (
        f" [{text.grouped(low)}, {text.grouped(high)}]" if defined(low) and defined(high) else ""
    )
    mark = "*" if high - low > WIDE_INTERVAL * value else ""
    fs = "" if row["fs"] == "none" else f" ({row['fs']})"
    unit = row["metric"]
    return {
        "benchmark": f"{row['benchmark']}{fs}",
        "1990": _with_unit(row["paper"], unit),
        "here [95 %]": f"{text.grouped(value)}{interval} {unit}{mark}",
        "had it kept up": _with_unit(row["kept_up"], unit),
        "times as fast": text.grouped(row["faster"]),
        "R": text.grouped(row["relative"]),
        "R (sim)": text.grouped(row["relative_simulated"]),
    }


def _sentence(row: Mapping[Hashable, object], means: pd.DataFrame) -> str:
    machine = row["machine"]
    simulated = means[(means["machine"] == machine) & (means["source"] == "simulated")]
    low, high = (float(str(row[name])) for name in ("low", "high"))
    interval = f" [{low:.3g}, {high:.3g}]" if defined(low) and defined(high) else ""
    beside = float(simulated["geomean"].iloc[0]) if len(simulated) else float("nan")
    against = f", {beside:.3g} against the simulated one with Andrew" if defined(beside) else ""
    return (
        f"{machine}: {row['mips']:,.0f} MIPS; mean R of {counted(int(str(row['rows'])), 'row')} of "
        f"Figure 1 {float(str(row['geomean'])):.3g}{interval}{against}."
    )


def _with_unit(value: object, unit: object) -> str:
    number = text.grouped(value)
    return f"{number} {unit}" if number else ""
