# SPDX-License-Identifier: BSD-3-Clause
"""Ratios of two simulators' times: a row for each benchmark, a mark for each point."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from osgap.analysis.compare import TIMES_LIMIT
from osgap.drawing import style
from osgap.drawing.figure import FigureError

TABLES = ["sides", "compared"]
_TICKS = (0.125, 0.25, 0.5, 0.8, 1.0, 1.25, 2.0, 4.0, 8.0)


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws times of B over those of A on a log axis, with the 25 % band shaded.

    Raises FigureError without a common time.
    """
    drawn = tables["compared"]
    drawn = drawn[drawn["time_ratio"] > 0]
    if drawn.empty:
        raise FigureError("agreement: no benchmark has a time in both runs")
    label_a, label_b = tables["sides"]["label"]
    groups = list(drawn.groupby(["benchmark", "fs"], sort=False))
    figure = Figure(figsize=(7.5, 0.22 * len(groups) + 1.4), layout="constrained")
    axes = figure.add_subplot()
    axes.axvspan(1 / TIMES_LIMIT, TIMES_LIMIT, color="#eeeeee", zorder=0)
    styles = style.series_style(drawn["series"].unique())
    positions = {pair: index for index, (pair, _) in enumerate(groups)}
    for series, rows in drawn.groupby("series", sort=False):
        pairs = rows[["benchmark", "fs"]].itertuples(index=False, name=None)
        axes.plot(
            rows["time_ratio"],
            [positions[pair] for pair in pairs],
            linestyle="none",
            markersize=4,
            alpha=0.7,
            **styles[str(series)],
        )
    names = [style.benchmark_label(name, fs) for (name, fs), _ in groups]
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.margins(y=0.02)
    axes.invert_yaxis()
    axes.set_xscale("log")
    low, high = drawn["time_ratio"].min() / 1.1, drawn["time_ratio"].max() * 1.1
    axes.set_xlim(min(low, 0.75), max(high, 1.35))
    axes.xaxis.set_major_locator(FixedLocator(_TICKS))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_xlabel(f"time on {label_b} / time on {label_a}")
    style.plain(axes)
    figure.legend(loc="outside upper center", ncols=4, frameon=False, fontsize=8)
    return figure
