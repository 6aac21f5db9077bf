# SPDX-License-Identifier: BSD-3-Clause
"""R against the clock on two simulators: a panel for each benchmark, a band between the curves."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import panels, style
from osgap.drawing.figure import FigureError

TABLES = ["sides", "compared"]
COLUMNS = 4
LEGEND_COLUMNS = 4


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws a colour for each series, solid for side A and dashed for B.

    Raises FigureError without a common R.
    """
    drawn = tables["compared"].dropna(subset=["relative_a", "relative_b"])
    if drawn.empty:
        raise FigureError("relative: no benchmark has an R in both runs")
    label_a, label_b = tables["sides"]["label"]
    figure, grid = panels.benchmark_panels(drawn, COLUMNS, (2.6, 2.0), 0.9)
    styles = style.series_style(drawn["series"].unique())
    clocks = sorted(drawn["clock_mhz"].unique())
    for axes, group in grid:
        _panel(axes, group, styles)
        style.log2_ticks(axes, clocks)
    figure.supxlabel("clock (MHz)", fontsize=9)
    figure.supylabel(f"MIPS-relative speed: {label_a} solid, {label_b} dashed", fontsize=9)
    panels.legend_above(figure, grid[0][0].get_legend_handles_labels(), LEGEND_COLUMNS)
    return figure


def _panel(axes: Axes, group: pd.DataFrame, styles: dict[str, dict[str, Any]]) -> None:
    for series, rows in group.groupby("series", sort=False):
        line = rows.sort_values("clock_mhz")
        look = styles[str(series)]
        x, a, b = line["clock_mhz"], line["relative_a"], line["relative_b"]
        axes.fill_between(x, a, b, color=look["color"], alpha=0.25, linewidth=0)
        axes.plot(x, a, markersize=3, linewidth=1, **look)
        axes.plot(x, b, linewidth=1, linestyle="--", color=look["color"])
    style.plain(axes)
    axes.set_ylim(0, max(1.1, group[["relative_a", "relative_b"]].max().max() * 1.08))
    axes.tick_params(labelsize=7)
