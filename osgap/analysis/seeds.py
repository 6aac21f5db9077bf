# SPDX-License-Identifier: BSD-3-Clause
"""The tables that need several runs, as text: what scripts/analyze.py prints for each name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd
from rich.console import Console
from rich.text import Text

from osgap.analysis import hohmuth_runs, raveling_runs, write_tables
from osgap.analysis.hypothesis import BEST, best_predictors, hypothesis_table, verdicts
from osgap.analysis.parts import Part, Place, places, unfinished
from osgap.analysis.reflected import LIMIT, reflected_sheets, reflected_table
from osgap.analysis.report import plain_table
from osgap.csvfile import ResultsError
from osgap.reference import load_reference


def choose(every: Sequence[Place], clocks: Sequence[float], series: Sequence[str]) -> list[Place]:
    """The places at these clocks in these series, all where none is named.

    Raises ResultsError when there is none.
    """
    chosen = [
        place
        for place in every
        if (not clocks or place.clock_mhz in clocks) and (not series or place.series in series)
    ]
    if not chosen:
        raise ResultsError("no finished point is at the clocks and in the series asked for")
    return chosen


def print_combined(
    console: Console,
    name: str,
    parts: Sequence[Part],
    directory: Path,
    clocks: Sequence[float] = (),
    series: Sequence[str] = (),
) -> None:
    """Print table `name` (a key of COMBINED), and write what it computed below `directory`.

    Raises KeyError for another name, ResultsError when the runs do not have what it needs.
    """
    chosen = choose(places(parts), clocks, series)
    COMBINED[name](console, chosen, directory / "tables")
    for line in unfinished(parts):
        _plain(console, line)


def _hohmuth(console: Console, every: Sequence[Place], _: Path) -> None:
    for line in hohmuth_runs.pages(every):
        _plain(console, line)


def _raveling(console: Console, every: Sequence[Place], _: Path) -> None:
    for line in raveling_runs.report(every):
        _plain(console, line)


def _reflected(console: Console, every: Sequence[Place], directory: Path) -> None:
    table = reflected_table(every, load_reference("hohmuth_lmbench"))
    for title, sheet in reflected_sheets(table):
        console.print(plain_table(sheet, title))
    beyond = int((table["beyond"] == "yes").sum())
    judged = int((table["beyond"] != "").sum())
    _plain(console, "seed: Linux on L4 by Linux, mean of three runs by mean of three, page 1")
    _plain(console, f"! differs from it by more than {LIMIT:g}x: {beyond} of {judged} ratios")
    _write({"reflected": table}, directory, console)


def _hypothesis(console: Console, every: Sequence[Place], directory: Path) -> None:
    table = hypothesis_table(every)
    title = f"does context switching predict the shell's load?  the best {BEST}, and switches"
    console.print(plain_table(best_predictors(table), title))
    for line in verdicts(table):
        _plain(console, line)
    _plain(console, "intervals: points resampled; points of one sweep are no independent sample")
    _write({"hypothesis": table}, directory, console)


def _write(tables: dict[str, pd.DataFrame], directory: Path, console: Console) -> None:
    for file in write_tables(tables, directory):
        _plain(console, f"written to {file}")


def _plain(console: Console, line: str) -> None:
    console.print(Text(line), soft_wrap=True)


COMBINED: dict[str, Callable[[Console, Sequence[Place], Path], None]] = {
    "hohmuth": _hohmuth,
    "reflected": _reflected,
    "raveling": _raveling,
    "hypothesis": _hypothesis,
}
