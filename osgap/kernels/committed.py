# SPDX-License-Identifier: BSD-3-Clause
"""Reads a committed comparison: how far apart its pairs are, and how long its points took."""

from __future__ import annotations

import pandas as pd

from osgap.base.paths import project_root
from osgap.kernels.comparison import places_of, run_folders
from osgap.kernels.resolution import KERNEL_AB_RESOLUTION, deviations, resolution
from osgap.kernels.results import KERNEL_AB_LAYOUTS, sides_of
from osgap.points import record
from osgap.rundir.csvfile import read_table
from osgap.rundir.load import load_run
from osgap.rundir.point import Spec
from osgap.sweep.spec import SweepFile

COMMITTED = "results/locked/kernels/longer-panic"
"""The directory of a comparison, below the checkout, whose patch only moves code."""


def committed_resolution(sweep: SweepFile, pair_s: float, at_once: int) -> pd.DataFrame:
    """The smallest differences that a comparison by `sweep` detects, by the committed one's spread.

    The table has no row in a checkout without committed results. Raises ResultsError.
    """
    file = project_root() / COMMITTED / "tables" / f"{KERNEL_AB_LAYOUTS.name}.csv"
    if not file.is_file():
        return KERNEL_AB_RESOLUTION.frame([])
    layouts = KERNEL_AB_LAYOUTS.typed(read_table(file), file)
    names = [name.rpartition("/")[2] for name in sweep.run]
    chosen = layouts["benchmark"].isin(names)
    spreads = deviations(*sides_of(layouts[chosen] if chosen.any() else layouts))
    return resolution(spreads, len(spreads) * places_of(sweep), pair_s, at_once)


def committed_point_s(sweep: SweepFile) -> float:
    """Mean seconds of a point of the committed comparison, on the host that made it.

    NaN if `sweep` has another engine or other rows, or if there are no committed results. Raises
    OsgapError for a damaged run.
    """
    folders = run_folders(project_root() / COMMITTED)
    seconds: list[float] = []
    for folder in folders:
        points = load_run(folder).points
        if any(_work(point.record) != (sweep.engine, sweep.run) for point in points.values()):
            return float("nan")
        costs = (entry.total_s for entry in record.accepted(folder, points))
        seconds += filter(None, costs)
    return sum(seconds) / len(seconds) if seconds else float("nan")


def _work(spec: Spec) -> tuple[str, tuple[str, ...]]:
    return spec.engine, spec.orders.run
