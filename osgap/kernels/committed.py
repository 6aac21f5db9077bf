# SPDX-License-Identifier: BSD-3-Clause
"""Reads the committed comparison of a kernel with itself: how far layouts move its rows."""

from __future__ import annotations

import pandas as pd

from osgap.base.paths import project_root
from osgap.kernels.comparison import places_of
from osgap.kernels.resolution import KERNEL_AB_RESOLUTION, deviations, resolution
from osgap.kernels.results import KERNEL_AB_LAYOUTS, sides_of
from osgap.rundir.csvfile import read_table
from osgap.sweep.spec import SweepFile

COMMITTED = "results/locked/kernels/itself"
"""The directory of the committed comparison, below the checkout."""


def committed_resolution(sweep: SweepFile, pair_s: float, at_once: int) -> pd.DataFrame:
    """The table of what can be told in a comparison by `sweep`, by the committed one's spread.

    The spread is that of two layouts of one kernel; a small change moves less. It has no row in a
    checkout without committed results. Raises ResultsError.
    """
    file = project_root() / COMMITTED / "tables" / f"{KERNEL_AB_LAYOUTS.name}.csv"
    if not file.is_file():
        return KERNEL_AB_RESOLUTION.frame([])
    layouts = KERNEL_AB_LAYOUTS.typed(read_table(file), file)
    spreads = deviations(*sides_of(layouts))
    names = [name.rpartition("/")[2] for name in sweep.run]
    chosen = layouts["benchmark"].isin(names)
    if chosen.any():
        spreads = deviations(*sides_of(layouts[chosen]))
    return resolution(spreads, len(spreads) * places_of(sweep), pair_s, at_once)
