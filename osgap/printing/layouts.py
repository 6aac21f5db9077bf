# SPDX-License-Identifier: BSD-3-Clause
"""Runs of several layouts: their tables, and what is printed of a group or beside a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from osgap.analysis import Tables
from osgap.analysis.analysed import AnalysedRun, PlacedPoint
from osgap.analysis.layouts.average import averaged
from osgap.analysis.layouts.coverage import counts, covered_table
from osgap.analysis.layouts.groups import Group, grouped, lent, match, several
from osgap.analysis.layouts.table import layouts_table
from osgap.analysis.layouts.values import TIME
from osgap.analysis.suite import CombinedResult, CombinedTable, Printed
from osgap.printing.formats import OF_LAYOUTS
from osgap.printing.intervals import NO_BANDS, Bands, of_means, of_one
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs, suites

_POINT = ["series", "clock_mhz"]


@dataclass(frozen=True, eq=False)
class View:
    """What is printed of one group, or of one run: a title, tables, and intervals in them."""

    title: str
    tables: Tables
    bands: Bands


@dataclass(frozen=True, eq=False)
class KnownLayouts:
    """The groups of several layouts that `runs` make, or with `lent` another directory's."""

    runs: Sequence[AnalysedRun]
    groups: Sequence[Group]
    lent: bool

    @cached_property
    def tables(self) -> Mapping[Group, pd.DataFrame]:
        """The table `layouts` of each group."""
        return {group: layouts_table([group]) for group in self.groups}

    @property
    def rows(self) -> pd.DataFrame:
        """The table `layouts` of all groups; there is one at least."""
        return pd.concat(self.tables.values(), ignore_index=True)

    def table(self, points: Sequence[PlacedPoint]) -> CombinedResult:
        """The table `layouts` at the clocks and in the series of `points`."""
        self._check()
        rows = self.rows
        places = {(point.series, point.clock_mhz) for point in points}
        kept = [place in places for place in rows[_POINT].itertuples(index=False, name=None)]
        chosen = rows[pd.Series(kept, index=rows.index, dtype=bool)]
        shown = chosen[chosen["quantity"] != TIME].drop(columns=["width"])
        return CombinedResult(chosen.reset_index(drop=True), _by_group(shown))

    def covered(self, points: Sequence[PlacedPoint]) -> CombinedResult:
        """The table `covered`, of the runs of `points`; printed are its counts."""
        self._check()
        rows = covered_table(list(dict.fromkeys(point.analysed for point in points)), self.groups)
        title = "rows of a run that lie where one more layout would, with 95 %"
        return CombinedResult(rows, [(title, counts(rows, self.rows))])

    def combined(self) -> dict[str, CombinedTable]:
        """Both tables, by name."""
        computed = {"layouts": self.table, "covered": self.covered}
        return {name: CombinedTable(OF_LAYOUTS[name], computed[name]) for name in OF_LAYOUTS}

    def views(self) -> list[View]:
        """What is printed by default: each run, or in the place of all its runs their group."""
        known = {run: group for group in self.groups for run in group.runs} if not self.lent else {}
        things = dict.fromkeys(known.get(run, run) for run in self.runs)
        return [self._group(one) if isinstance(one, Group) else self._run(one) for one in things]

    def _group(self, group: Group) -> View:
        where = f"{group.engine}, {group.machine}, {group.variant}"
        title = f"{where}: {len(group.layouts)} layouts"
        return View(title, averaged(group), of_means(self.tables[group]))

    def _run(self, run: AnalysedRun) -> View:
        group = match(run, self.groups) if self.lent else None
        bands = of_one(self.tables[group]) if group else NO_BANDS
        return View(f"{run.path}", run.tables, bands)

    def _check(self) -> None:
        if not self.groups:
            raise ResultsError("no system has runs of two layouts; --layouts names those of others")


def known_layouts(runs: Sequence[AnalysedRun], lenders: Sequence[Path]) -> KnownLayouts:
    """The layouts among `runs`, or with `lenders` those of the systems of `runs` in there.

    Raises ResultsError where there are lenders, and no two layouts of any of these systems.
    """
    if not lenders:
        return KnownLayouts(runs, several(grouped(runs, suites())), False)
    groups = several(grouped(load_runs(lenders), suites()))
    return KnownLayouts(runs, lent(runs, groups, lenders), True)


def _by_group(rows: pd.DataFrame) -> list[Printed]:
    names = ["engine", "machine", "variant", "calls"]
    return [
        (f"over layouts: {', '.join(map(str, name))}", own.drop(columns=names))
        for name, own in rows.groupby(names, sort=False)
    ]
