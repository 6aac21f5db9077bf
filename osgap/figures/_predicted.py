# SPDX-License-Identifier: BSD-3-Clause
"""Curves of a run that was predicted in part: bands, and white marks for predicted points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from osgap.drawing import style

_GREY = "#bbbbbb"
LABEL, MARK = "predicted, with 95 %", "predicted, not simulated"


def means(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The predicted grid, with `low`, `high` and `simulated`, or else the table `geomean`."""
    grid = tables.get("predicted_means")
    if grid is None:
        return tables["geomean"]
    slowest = grid[grid["clock_mhz"] == grid["clock_mhz"].min()]["mips"].min()
    return grid.assign(mips_ratio=grid["mips"] / slowest)


def draw(axes: Axes, rows: pd.DataFrame, styles: Mapping[str, dict[str, Any]]) -> bool:
    """Draws a band along each series of a grid, and white marks; whether `rows` are a grid."""
    if "simulated" not in rows:
        return False
    for series, group in rows.groupby("series", sort=False):
        if str(series) not in styles:
            continue
        look = styles[str(series)]
        color = look["color"]
        bounds = group.dropna(subset=["low", "high"]).sort_values("mips_ratio")
        axes.fill_between(
            bounds["mips_ratio"],
            bounds["low"],
            bounds["high"],
            color=color,
            alpha=0.2,
            linewidth=0,
            zorder=1,
        )
        predicted = group[group["simulated"] == "no"]
        x, y, marker = predicted["mips_ratio"], predicted["geomean"], look.get("marker", "o")
        style.white_marks(axes, x, y, 5, color, marker=marker, zorder=3)
    return True


def explain(axes: Axes) -> None:
    """Adds the bands and the white marks to the legend."""
    axes.fill_between([], [], [], color=_GREY, alpha=0.5, linewidth=0, label=LABEL)
    style.white_marks(axes, [], [], 5, _GREY, label=MARK)
