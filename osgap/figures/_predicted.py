# SPDX-License-Identifier: BSD-3-Clause
"""The curves of a run that was predicted in part: bands, and marks for what was simulated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

_GREY = "#bbbbbb"
LABEL, MARK = "predicted, with 95 %", "predicted, not simulated"


def means(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The table `geomean`, or in its place the whole grid of a run that was predicted in part.

    The grid's rows have `low`, `high` and `simulated` too.
    """
    grid = tables.get("predicted_means")
    if grid is None:
        return tables["geomean"]
    slowest = grid[grid["clock_mhz"] == grid["clock_mhz"].min()]["mips"].min()
    return grid.assign(mips_ratio=grid["mips"] / slowest)


def draw(axes: Axes, rows: pd.DataFrame, styles: Mapping[str, dict[str, Any]]) -> bool:
    """A band along each series, and white marks over what was not simulated.

    `rows` are of `means`; says whether they are predicted.
    """
    if "simulated" not in rows:
        return False
    for series, own in rows.groupby("series", sort=False):
        if str(series) not in styles:
            continue
        color = styles[str(series)]["color"]
        known = own.dropna(subset=["low", "high"]).sort_values("mips_ratio")
        axes.fill_between(
            known["mips_ratio"],
            known["low"],
            known["high"],
            color=color,
            alpha=0.2,
            linewidth=0,
            zorder=1,
        )
        open_marks = own[own["simulated"] == "no"]
        axes.plot(
            open_marks["mips_ratio"],
            open_marks["geomean"],
            linestyle="",
            markersize=5,
            marker=styles[str(series)].get("marker", "o"),
            markerfacecolor="white",
            markeredgecolor=color,
            zorder=3,
        )
    return True


def explain(axes: Axes) -> None:
    """Entries of the legend that say what bands and white marks are."""
    axes.fill_between([], [], [], color=_GREY, alpha=0.5, linewidth=0, label=LABEL)
    axes.plot(
        [],
        [],
        linestyle="",
        marker="o",
        markersize=5,
        markerfacecolor="white",
        markeredgecolor=_GREY,
        label=MARK,
    )
