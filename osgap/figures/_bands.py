# SPDX-License-Identifier: BSD-3-Clause
"""Bands around the curves of a run: the 95 % interval of one more layout of code and data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from osgap.analysis.layouts.intervals import mean_intervals

LABEL = "95 % of layouts"
_GREY = "#bbbbbb"


def of_set(tables: Mapping[str, pd.DataFrame], name: str) -> pd.DataFrame:
    """The intervals of the means of a set (COLUMNS of osgap.analysis.layouts.intervals)."""
    return mean_intervals(tables.get("layouts"), name)


def draw(
    axes: Axes, rows: pd.DataFrame, means: pd.DataFrame, styles: Mapping[str, dict[str, Any]]
) -> bool:
    """Draws a bar at each clock with layouts, and a band between neighbouring ones.

    Returns whether there is any.
    """
    drawn = False
    for series, group in rows.groupby("series", sort=False):
        curve = means[means["series"] == series].set_index("clock_mhz")["mips_ratio"]
        if str(series) not in styles or not curve.index.isin(group["clock_mhz"]).any():
            continue
        bounds = group.set_index("clock_mhz").reindex(sorted(curve.index))
        x, low, high = curve[bounds.index], bounds["low"], bounds["high"]
        color = styles[str(series)]["color"]
        axes.fill_between(x, low, high, color=color, alpha=0.2, linewidth=0, zorder=1)
        axes.vlines(x, low, high, color=color, alpha=0.4, linewidth=5, zorder=1)
        drawn = True
    return drawn


def explain(axes: Axes) -> None:
    """Adds the bands to the legend."""
    axes.fill_between([], [], [], color=_GREY, alpha=0.5, linewidth=0, label=LABEL)
