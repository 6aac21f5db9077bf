# SPDX-License-Identifier: BSD-3-Clause
"""Ratios of two simulators' times: a row for each benchmark, a mark for each point."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator

from osgap.analysis.compare import TIMES_LIMIT
from osgap.drawing import panels, style
from osgap.drawing.display_names import benchmark_name, engine_name
from osgap.drawing.figure import FigureError
from osgap.figures import _rows

TABLES = ["sides", "compared"]
_TICKS = (0.125, 0.25, 0.5, 0.8, 1.0, 1.25, 2.0, 4.0, 8.0)


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws times of B over those of A on a log axis, with the 25 % band shaded."""
    drawn = _rows.listed_rows(tables["compared"])
    drawn = drawn[drawn["time_ratio"] > 0]
    if drawn.empty:
        raise FigureError("agreement: no benchmark has a time in both runs")
    label_a, label_b = (engine_name(str(label)) for label in tables["sides"]["label"])
    groups = drawn.groupby(["benchmark", "fs"], sort=False)
    order = list(groups["time_ratio"].median().sort_values(kind="stable").index)
    figure = Figure(figsize=(7.5, 0.2 * len(order) + 0.7), layout="constrained")
    axes = figure.add_subplot()
    band = f"within {TIMES_LIMIT - 1:.0%}".replace("%", " %")
    axes.axvspan(1 / TIMES_LIMIT, TIMES_LIMIT, color="#e8e8e8", zorder=0, label=band)
    axes.axvline(1, color=style.GREY, linewidth=1, zorder=1)
    styles = style.series_style(drawn["series"].unique())
    positions = {pair: index for index, pair in enumerate(order)}
    for series, rows in drawn.groupby("series", sort=False):
        pairs = rows[["benchmark", "fs"]].itertuples(index=False, name=None)
        axes.plot(
            rows["time_ratio"],
            [positions[pair] for pair in pairs],
            markersize=4.5,
            alpha=0.75,
            **{**styles[str(series)], "linestyle": "none"},
        )
    names = [benchmark_name(name, fs) for name, fs in order]
    axes.set_yticks(range(len(names)), names, fontsize=7.5)
    axes.margins(y=0.02)
    axes.invert_yaxis()
    axes.set_xscale("log")
    low, high = drawn["time_ratio"].min() / 1.1, drawn["time_ratio"].max() * 1.1
    axes.set_xlim(min(low, 0.75), max(high, 1.35))
    style.only_ticks(axes.xaxis, FixedLocator(_TICKS))
    axes.set_xlabel(f"time on {label_b} / time on {label_a}")
    style.plain(axes)
    close = drawn["time_ratio"].between(1 / TIMES_LIMIT, TIMES_LIMIT).sum()
    words = (
        f"Times on {label_b} and on {label_a}: {close} of {len(drawn)} are {band}",
        "sorted by the median ratio; a mark for each clock and series",
    )
    panels.add_heading(figure, words, axes.get_legend_handles_labels(), 3)
    return figure
