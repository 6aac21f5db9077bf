# SPDX-License-Identifier: BSD-3-Clause
"""Describes a suite to the analysis; osgap/suites has one folder for each suite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from osgap.analysis.analysed import AnalysedRun, PlacedPoint
from osgap.analysis.constants import EMPTY_LOOP, RATING

Printed = str | tuple[str, pd.DataFrame]
"""A line of text, or a title and the rows to print below it."""


@dataclass(frozen=True, eq=False)
class CombinedResult:
    """A computed table over several runs: its rows, and the texts and tables to print."""

    rows: pd.DataFrame
    printed: Sequence[Printed]


@dataclass(frozen=True)
class CombinedTable:
    """A table over several runs, for `analyze --table`.

    `compute` takes the finished points of all runs.  It raises ResultsError where they lack data
    that the table needs.
    """

    description: str
    compute: Callable[[Sequence[PlacedPoint]], CombinedResult]


@dataclass(frozen=True, eq=False)
class Beside:
    """A publication's printed values beside simulated values, for a report page.

    `headline` is a sentence of it. With `printed` and `simulated`, columns of `rows`, each row is a
    point against the diagonal, called by its columns `names` and coloured by `colour`. With `x` and
    `y`, and `low` and `high` where they are known, it is a point of a line, one of each `colour`,
    in a chart of each `panel`.
    """

    name: str
    title: str
    headline: str
    rows: pd.DataFrame
    colour: str
    names: Sequence[str] = ()
    printed: str = ""
    simulated: str = ""
    x: str = ""
    y: str = ""
    panel: str = ""
    note: str = ""


@dataclass(frozen=True)
class Suite:
    """The benchmarks of one publication, and the tables computed from them.

    `title` is the publication, as "Hohmuth 1996".  `workloads` are the folders of workloads/ with
    its guest programs, which `sweep --run` takes.  `sets` are the sets of benchmarks whose mean R
    is taken, by name; the first is the suite's own, `rows` its benchmarks as figures list them.
    With `always` the table of means has the sets also for a run with no benchmark of them.

    `composites` are sums of benchmarks, by name.  Of the benchmarks in `uncorrected` the empty
    loop's time is not subtracted; of those in `overheads` another benchmark's is in its place.
    `combined` are its tables over several runs, by name; `figures` is its folder of figures.
    `beside` gives the comparisons of the runs in a directory with the publication.
    """

    name: str
    title: str
    workloads: tuple[str, ...]
    sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rows: tuple[str, ...] = ()
    always: bool = False
    composites: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    uncorrected: frozenset[str] = frozenset()
    overheads: Mapping[str, str] = field(default_factory=dict)
    combined: Mapping[str, CombinedTable] = field(default_factory=dict)
    figures: Path | None = None
    beside: Callable[[Path, Sequence[AnalysedRun]], Sequence[Beside]] = lambda path, runs: ()

    @property
    def main_set(self) -> str | None:
        """The name of the set whose mean represents the suite; None for a suite without sets."""
        return next(iter(self.sets), None)


def composites(suites: Sequence[Suite]) -> dict[str, tuple[str, ...]]:
    """Every suite's sums: name -> the benchmarks that are summed."""
    return {name: parts for suite in suites for name, parts in suite.composites.items()}


def subtracted(suites: Sequence[Suite]) -> dict[str, str | None]:
    """Benchmark -> the benchmark whose time is subtracted from its time, None for nothing.

    Of all other benchmarks the empty loop's time is subtracted.
    """
    overheads: dict[str, str | None] = dict.fromkeys((EMPTY_LOOP, *RATING))
    for suite in suites:
        overheads |= suite.overheads
        overheads |= dict.fromkeys(sorted(suite.uncorrected))
    return overheads


def sets_for(
    suites: Sequence[Suite], benchmarks: set[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(name, benchmarks) of each set that a run of `benchmarks` has in its table of means."""
    for suite in suites:
        for name, members in suite.sets.items():
            if suite.always or benchmarks & set(members):
                yield name, members
