# SPDX-License-Identifier: BSD-3-Clause
"""The views of a page: each run, or all layouts of a system together, with known intervals."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.layouts.intervals import OF_MEAN, OF_ONE, mean_intervals
from osgap.analysis.layouts.table import LAYOUTS
from osgap.analysis.layouts.values import MEAN
from osgap.analysis.tables import read_tables
from osgap.drawing.display_names import engine_name
from osgap.predict.prediction import Prediction
from osgap.printing.headline import Gain, gains_of, headline
from osgap.printing.intervals import Bands, of_single_layout
from osgap.printing.layouts import View
from osgap.printing.predictions import view_of
from osgap.report.subject import FIRST_ENGINE, Subject

_PREDICTED = "In brackets: the 95 % interval of the prediction."
_OF_MEAN = "In brackets: the 95 % interval of the mean over {count} of code and data."
_OF_ONE = "In brackets: where one more layout of code and data lies, with 95 %."


@dataclass(frozen=True, eq=False)
class PageView:
    """A view: its name, its engine, its tables with intervals, and the rows that these come from.

    `layouts` is the table of that name, None without one; `ends` are its columns of the interval.
    `brackets` says in a sentence what the intervals are, "" without any.
    """

    name: str
    engine: str
    tables: Tables
    bands: Bands
    layouts: pd.DataFrame | None
    ends: tuple[str, str]
    brackets: str

    @property
    def sentence(self) -> str:
        """The finding in plain words; "" without a mean of R."""
        return headline(self.tables, self.bands) or ""

    @property
    def first_gain(self) -> Gain | None:
        """The gain of the first series; None without a mean of R."""
        return next(iter(gains_of(self.tables, self.bands).values()), None)

    def intervals(self, set_name: str) -> pd.DataFrame:
        """The intervals of a set's means, by series and clock."""
        return mean_intervals(self.layouts, set_name, self.ends)


def page_views(subject: Subject) -> list[PageView]:
    """The views of a page; those of the first engine come first."""
    if not subject.is_simulated:
        return []
    views = [_page_view(subject, view) for view in subject.layouts.views()]
    return sorted(views, key=lambda view: view.engine != FIRST_ENGINE)


def _page_view(subject: Subject, view: View) -> PageView:
    name = view.title.rpartition("/")[2]
    run = next((run for run in subject.analysed if str(run.path) == view.title), None)
    if run is None:
        brackets = _OF_MEAN.format(count=view.title.rpartition(": ")[2])
        name, rows = engine_name(view.engine), view.layouts
        return PageView(name, view.engine, view.tables, view.bands, rows, OF_MEAN, brackets)
    if grid := subject.grids.get(run):
        grid_view, rows = view_of(view, grid), _of_grid(grid)
        return PageView(
            name, run.engine, grid_view.tables, grid_view.bands, rows, OF_MEAN, _PREDICTED
        )
    layouts = _stored(run.path) if view.layouts is None else view.layouts
    if layouts is None:
        return PageView(name, run.engine, view.tables, view.bands, None, OF_ONE, "")
    bands = of_single_layout(layouts)
    return PageView(name, run.engine, view.tables, bands, layouts, OF_ONE, _OF_ONE)


def _of_grid(grid: Prediction) -> pd.DataFrame:
    """The intervals of a prediction's means, in the columns of the table `layouts`."""
    means = grid.means[grid.means["low"] < grid.means["high"]]
    return means.assign(quantity=MEAN, reference_mhz=grid.means["clock_mhz"].min())


def _stored(path: Path) -> pd.DataFrame | None:
    """The table `layouts` among the run's tables, from which its figures get their bands."""
    if not (path / "tables" / f"{LAYOUTS.name}.csv").is_file():
        return None
    rows = read_tables(path / "tables", [LAYOUTS.name])[LAYOUTS.name]
    return rows if len(rows) else None
