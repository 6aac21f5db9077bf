# SPDX-License-Identifier: BSD-3-Clause
"""Describes a suite to the analysis; osgap/suites has one folder for each suite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from osgap.analysis.analysed import AnalysedRun, PlacedPoint
from osgap.analysis.constants import EMPTY_LOOP, RATING
from osgap.analysis.table import Table

Printed = str | tuple[str, pd.DataFrame]
"""A line of text, or a title and the rows to print below it."""


@dataclass(frozen=True, eq=False)
class CombinedResult:
    """A computed table over several runs: its rows, and the texts and tables to print."""

    rows: pd.DataFrame
    printed: Sequence[Printed]


@dataclass(frozen=True)
class CombinedTable:
    """A table over several runs' finished points; `compute` raises ResultsError where data lack."""

    table: Table
    compute: Callable[[Sequence[PlacedPoint]], CombinedResult]


@dataclass(frozen=True)
class PublishedMeans:
    """The means of R that a publication prints, to draw beside a run's.

    They average the benchmarks of `set_name`, on the same files as a run's. `table`, of
    results/reference, has the columns machine, mips and gm_local_unix. MIPS are relative to those
    of the machine `base`. A legend calls the means `label`, a sentence the machines `machines`.
    """

    set_name: str
    table: str
    base: str
    label: str
    machines: str

    def points(self, reference: pd.DataFrame) -> list[tuple[float, float, str]]:
        """(MIPS / MIPS of `base`, mean of R, machine) of each row of the table `reference`."""
        base = reference.loc[reference["machine"] == self.base, "mips"].iloc[0]
        columns = reference[["mips", "gm_local_unix", "machine"]]
        return [
            (float(mips / base), float(mean), str(name))
            for mips, mean, name in columns.itertuples(index=False, name=None)
        ]


@dataclass(frozen=True, eq=False)
class Beside:
    """A publication's printed values beside simulated values, for a report page.

    `headline` is a sentence of it. With `printed` and `simulated`, columns of `rows`, each row is a
    point against the diagonal, called by its columns `names` and coloured by `colour`; `axes` says
    in words what the two are. With `x` and `y`, and `low` and `high` where they are known, it is a
    point of a line, one of each `colour`, in a chart of each `panel`. With `dots`, a column of
    ratios, it is a dot beside its `names`.
    """

    name: str
    title: str
    headline: str
    rows: pd.DataFrame
    colour: str
    names: Sequence[str] = ()
    printed: str = ""
    simulated: str = ""
    axes: tuple[str, str] = ("printed", "simulated")
    x: str = ""
    y: str = ""
    panel: str = ""
    dots: str = ""
    note: str = ""


@dataclass(frozen=True)
class Suite:
    """The benchmarks of one publication, and the tables computed from them.

    `title` is the publication, as "Hohmuth 1996".  `workloads` are the folders of workloads/ with
    its guest programs, which `sweep --run` takes.  `sets` are the sets of benchmarks whose mean R
    is taken, by name; the first is the suite's own, `rows` its benchmarks as figures list them.
    Figures of all benchmarks leave out those in `unlisted`.
    With `always` the table of means has the sets also for a run with no benchmark of them.

    `composites` are sums of benchmarks, by name.  Of the benchmarks in `uncorrected` the empty
    loop's time is not subtracted; of those in `overheads` another benchmark's is in its place.
    `combined` are its tables over several runs; `analyze` prints those named in `default_tables`
    for measured machines. `figures` is its folder of figures; those with ENGINES are of runs.
    `published` are printed means of R. `beside` gives the comparisons of the runs in a directory
    with the publication. `command` is the subcommand that prints the suite's own tables; without
    one `osgap suite NAME` prints those of `combined`.
    """

    name: str
    title: str
    workloads: tuple[str, ...]
    sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rows: tuple[str, ...] = ()
    always: bool = False
    unlisted: frozenset[str] = frozenset()
    composites: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    uncorrected: frozenset[str] = frozenset()
    overheads: Mapping[str, str] = field(default_factory=dict)
    combined: tuple[CombinedTable, ...] = ()
    default_tables: tuple[str, ...] = ()
    figures: Path | None = None
    published: PublishedMeans | None = None
    command: str = ""
    beside: Callable[[Sequence[AnalysedRun]], Sequence[Beside]] = lambda runs: ()

    @property
    def main_set(self) -> str | None:
        """The name of the set whose mean represents the suite; None for a suite without sets."""
        return next(iter(self.sets), None)


def composites(suites: Sequence[Suite]) -> dict[str, tuple[str, ...]]:
    """Every suite's sums: name -> the benchmarks that are summed."""
    return {name: parts for suite in suites for name, parts in suite.composites.items()}


def subtracted(suites: Sequence[Suite]) -> dict[str, str | None]:
    """Benchmark -> whose time is subtracted: None for nothing; of all others the empty loop's."""
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
