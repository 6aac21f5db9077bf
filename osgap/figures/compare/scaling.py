# SPDX-License-Identifier: BSD-3-Clause
"""Scaling curves of two simulators, with a band between them."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from osgap.drawing import style
from osgap.drawing.figure import FigureError
from osgap.suites import reference_set

TABLES = ["sides", "means"]


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws the geometric mean of R against MIPS, solid for side A, dashed for B.

    Raises FigureError without a common mean.
    """
    means = tables["means"]
    drawn = means[means["set"] == reference_set()].dropna(subset=["geomean_a", "geomean_b"])
    if drawn.empty:
        raise FigureError("scaling: no geometric mean is defined in both runs")
    label_a, label_b = tables["sides"]["label"]
    figure = Figure(figsize=(7.5, 4.6), layout="constrained")
    axes = figure.add_subplot()
    axes.axhline(1, color=style.GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    styles = style.series_style(drawn["series"].unique())
    for series, rows in drawn.groupby("series", sort=False):
        line = rows.sort_values("clock_mhz")
        look = styles[str(series)]
        # The band needs one x: the two engines' ratings of a machine differ by a few per cent.
        middle = (line["mips_ratio_a"] * line["mips_ratio_b"]) ** 0.5
        axes.fill_between(
            middle,
            line["geomean_a"],
            line["geomean_b"],
            color=look["color"],
            alpha=0.25,
            linewidth=0,
        )
        axes.plot(line["mips_ratio_a"], line["geomean_a"], markersize=5, **look)
        axes.plot(line["mips_ratio_b"], line["geomean_b"], "--", color=look["color"])
    style.plain(axes)
    style.log2_ticks(axes, [2.0**power for power in range(-6, 20)])
    axes.set_ylim(0, max(1.1, drawn[["geomean_a", "geomean_b"]].max().max()) * 1.08)
    axes.set_xlabel("MIPS relative to the slowest machine")
    axes.set_ylabel(f"geometric mean of R: {label_a} solid, {label_b} dashed")
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    return figure
