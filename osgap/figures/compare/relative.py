# SPDX-License-Identifier: BSD-3-Clause
"""R against the clock on two simulators: a panel a benchmark, a band between the two curves."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import style
from osgap.drawing.figure import FigureError

TABLES = ["sides", "compared"]
COLUMNS = 4
LEGEND_COLUMNS = 4


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """One colour a series, solid for side A and dashed for B. Raises FigureError without an R."""
    drawn = tables["compared"].dropna(subset=["relative_a", "relative_b"])
    if drawn.empty:
        raise FigureError("relative: no benchmark has an R in both runs")
    label_a, label_b = tables["sides"]["label"]
    panels = list(drawn.groupby(["benchmark", "fs"], sort=False))
    rows = math.ceil(len(panels) / COLUMNS)
    figure = Figure(figsize=(2.6 * COLUMNS, 2.0 * rows + 0.9), layout="constrained")
    grid = figure.subplots(rows, COLUMNS, squeeze=False).ravel()
    styles = style.series_style(drawn["series"].unique())
    clocks = sorted(drawn["clock_mhz"].unique())
    for axes, ((name, fs), group) in zip(grid, panels, strict=False):
        _panel(axes, group, styles)
        axes.set_title(style.benchmark_label(name, fs), fontsize=8)
        style.log2_ticks(axes, clocks)
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    figure.supxlabel("clock (MHz)", fontsize=9)
    figure.supylabel(f"MIPS-relative speed: {label_a} solid, {label_b} dashed", fontsize=9)
    handles, labels = grid[0].get_legend_handles_labels()
    columns = min(len(handles), LEGEND_COLUMNS)
    figure.legend(
        handles, labels, loc="outside upper center", ncols=columns, frameon=False, fontsize=8
    )
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
