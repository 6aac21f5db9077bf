# SPDX-License-Identifier: BSD-3-Clause
"""Bands around the curves of a run: the 95 % interval of one more layout of code and data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from osgap.analysis.layouts.values import MEAN

LABEL = "95 % of layouts"
_GREY = "#bbbbbb"


def of_set(tables: Mapping[str, pd.DataFrame], name: str) -> pd.DataFrame:
    """The rows of the table `layouts` for the means of a set; empty without the table."""
    rows = tables.get("layouts")
    if rows is None:
        return pd.DataFrame(columns=["series"])
    means = rows[(rows["quantity"] == MEAN) & (rows["set"] == name)]
    return means.dropna(subset=["one_low", "one_high"])


def draw(
    axes: Axes, rows: pd.DataFrame, means: pd.DataFrame, styles: Mapping[str, dict[str, Any]]
) -> bool:
    """Draws a bar at each clock with layouts and a band between them; returns whether it drew any.

    `rows` come from `of_set`; `means`, rows of the table `geomean`, give x (`mips_ratio`). At the
    reference R is 1 in every layout.
    """
    drawn = False
    for series, group in rows.groupby("series", sort=False):
        curve = means[means["series"] == series].set_index("clock_mhz")["mips_ratio"]
        points = group[group["clock_mhz"].isin(curve.index)].sort_values("clock_mhz")
        reference = points["reference_mhz"].min()
        if points.empty or reference not in curve.index or str(series) not in styles:
            continue
        bounds = points.set_index("clock_mhz")[["one_low", "one_high"]].reindex(sorted(curve.index))
        bounds.loc[reference] = 1.0
        x, low, high = curve[bounds.index], bounds["one_low"], bounds["one_high"]
        color = styles[str(series)]["color"]
        axes.fill_between(x, low, high, color=color, alpha=0.2, linewidth=0, zorder=1)
        axes.vlines(x, low, high, color=color, alpha=0.4, linewidth=5, zorder=1)
        drawn = True
    return drawn


def explain(axes: Axes) -> None:
    """Adds the bands to the legend."""
    axes.fill_between([], [], [], color=_GREY, alpha=0.5, linewidth=0, label=LABEL)
