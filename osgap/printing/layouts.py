# SPDX-License-Identifier: BSD-3-Clause
"""Prints runs of several layouts: a group as one run, or a run with its layouts' intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from osgap.analysis.analysed import AnalysedRun, PlacedPoint, Tables
from osgap.analysis.layouts.average import mean_tables
from osgap.analysis.layouts.coverage import COVERED, counts, covered_table
from osgap.analysis.layouts.groups import (
    LayoutGroup,
    borrowed_groups,
    layout_groups,
    match,
    several,
)
from osgap.analysis.layouts.table import LAYOUTS, layouts_table
from osgap.analysis.layouts.values import TIME
from osgap.analysis.suite import CombinedResult, CombinedTable, Printed
from osgap.printing.intervals import NO_BANDS, Bands, of_means, of_single_layout
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs, suites

_POINT = ["series", "clock_mhz"]


@dataclass(frozen=True, eq=False)
class View:
    """A group or a run to print: its title, its tables, their intervals, and the rows behind."""

    title: str
    tables: Tables
    bands: Bands
    engine: str = ""
    layouts: pd.DataFrame | None = None


@dataclass(frozen=True, eq=False)
class KnownLayouts:
    """The groups of several layouts among `runs`, or (`borrowed`) those of other directories."""

    runs: Sequence[AnalysedRun]
    groups: Sequence[LayoutGroup]
    borrowed: bool

    @cached_property
    def tables(self) -> Mapping[LayoutGroup, pd.DataFrame]:
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
        positions = {(point.series, point.clock_mhz) for point in points}
        mask = [row in positions for row in rows[_POINT].itertuples(index=False, name=None)]
        rows = rows[pd.Series(mask, index=rows.index, dtype=bool)]
        printed = rows[rows["quantity"] != TIME].drop(columns=["width"])
        return CombinedResult(rows.reset_index(drop=True), _by_group(printed))

    def covered(self, points: Sequence[PlacedPoint]) -> CombinedResult:
        """The table `covered` of the runs of `points`; its counts are printed."""
        self._check()
        rows = covered_table(list(dict.fromkeys(point.analysed for point in points)), self.groups)
        title = "rows of a run that lie where one more layout would, with 95 %"
        return CombinedResult(rows, [(title, counts(rows, self.rows))])

    def combined(self) -> dict[str, CombinedTable]:
        """Both tables, by name."""
        computations = ((LAYOUTS, self.table), (COVERED, self.covered))
        return {table.name: CombinedTable(table, compute) for table, compute in computations}

    def views(self) -> list[View]:
        """The views to print by default: each run, or, instead of its runs, each group."""
        group_of = (
            {} if self.borrowed else {run: group for group in self.groups for run in group.runs}
        )
        items = dict.fromkeys(group_of.get(run, run) for run in self.runs)
        return [
            self._group(item) if isinstance(item, LayoutGroup) else self._run(item)
            for item in items
        ]

    def _group(self, group: LayoutGroup) -> View:
        where = f"{group.engine}, {group.machine}, {group.variant}"
        title = f"{where}: {len(group.layouts)} layouts"
        rows = self.tables[group]
        return View(title, mean_tables(group), of_means(rows), group.engine, rows)

    def _run(self, run: AnalysedRun) -> View:
        group = match(run, self.groups) if self.borrowed else None
        rows = self.tables[group] if group else None
        bands = NO_BANDS if rows is None else of_single_layout(rows)
        return View(f"{run.path}", run.tables, bands, run.engine, rows)

    def _check(self) -> None:
        if not self.groups:
            raise ResultsError("no system has runs of two layouts; --layouts names those of others")


def known_layouts(runs: Sequence[AnalysedRun], lenders: Sequence[Path]) -> KnownLayouts:
    """The layouts among `runs`, or those of `lenders` of the same systems. Raises ResultsError."""
    if not lenders:
        return KnownLayouts(runs, several(layout_groups(runs, suites())), False)
    groups = several(layout_groups(load_runs(lenders), suites()))
    return KnownLayouts(runs, borrowed_groups(runs, groups, lenders), True)


def _by_group(rows: pd.DataFrame) -> list[Printed]:
    names = ["engine", "machine", "variant", "calls"]
    return [
        (f"over layouts: {', '.join(map(str, name))}", group.drop(columns=names))
        for name, group in rows.groupby(names, sort=False)
    ]
