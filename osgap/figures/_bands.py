# SPDX-License-Identifier: BSD-3-Clause
"""Bands around the curves of a run: where one more layout of its code and data would lie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from osgap.analysis.layouts.values import MEAN

LABEL = "95 % of layouts"
_GREY = "#bbbbbb"


def of_set(tables: Mapping[str, pd.DataFrame], name: str) -> pd.DataFrame:
    """The rows of the table `layouts`, if the run has one, for the means of a set."""
    rows = tables.get("layouts")
    if rows is None:
        return pd.DataFrame(columns=["series"])
    own = rows[(rows["quantity"] == MEAN) & (rows["set"] == name)]
    return own.dropna(subset=["one_low", "one_high"])


def draw(
    axes: Axes, rows: pd.DataFrame, means: pd.DataFrame, styles: Mapping[str, dict[str, Any]]
) -> bool:
    """A bar at each clock that has layouts, and a band between neighbouring clocks that have them.

    At the reference R is 1 in every layout. `rows` are of `of_set`, `means` of the table
    `geomean`: its `mips_ratio` is x.  Says whether there was any.
    """
    drawn = False
    for series, own in rows.groupby("series", sort=False):
        curve = means[means["series"] == series].set_index("clock_mhz")["mips_ratio"]
        known = own[own["clock_mhz"].isin(curve.index)].sort_values("clock_mhz")
        reference = known["reference_mhz"].min()
        if known.empty or reference not in curve.index or str(series) not in styles:
            continue
        bounds = known.set_index("clock_mhz")[["one_low", "one_high"]].reindex(sorted(curve.index))
        bounds.loc[reference] = 1.0
        x, low, high = curve[bounds.index], bounds["one_low"], bounds["one_high"]
        color = styles[str(series)]["color"]
        axes.fill_between(x, low, high, color=color, alpha=0.2, linewidth=0, zorder=1)
        axes.vlines(x, low, high, color=color, alpha=0.4, linewidth=5, zorder=1)
        drawn = True
    return drawn


def explain(axes: Axes) -> None:
    """An entry of the legend that says what the bands are."""
    axes.fill_between([], [], [], color=_GREY, alpha=0.5, linewidth=0, label=LABEL)
