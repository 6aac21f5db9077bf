# SPDX-License-Identifier: BSD-3-Clause
"""Figure 1 of 1990 with a measured machine on it."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from osgap.drawing import labels, panels, style
from osgap.drawing.display_names import machine_name
from osgap.drawing.figure import FigureError, NothingToDraw
from osgap.suites.ousterhout.since import SINCE_1990_MEANS

TABLES: list[str] = []
OPTIONAL = [SINCE_1990_MEANS]
ENGINES = ("native",)
TITLE = "Figure 1 of 1990 with a machine of today"
READING = (
    "R = speed-up of the operating system / speed-up of the processor; mean, with its 95 % interval"
)
_PAPER = "the paper's machines (same rows, local files)"


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Geometric mean of R against MIPS, both on log axes; the machine with its 95 % interval."""
    if SINCE_1990_MEANS.name not in tables:
        raise NothingToDraw("figure1_measured: the run has no MIPS rating, so no R")
    means = tables[SINCE_1990_MEANS.name]
    means = means[(means["mips"] > 0) & (means["geomean"] > 0)]
    valid = (means["low"] > 0) & (means["low"] <= means["geomean"])
    means = means[valid & (means["high"] >= means["geomean"]) | means["low"].isna()]
    means = means.assign(
        low=means["low"].fillna(means["geomean"]), high=means["high"].fillna(means["geomean"])
    )
    paper, measured = means[means["source"] == "paper"], means[means["source"] == "measured"]
    if measured.empty:
        raise FigureError("figure1_measured: no machine was measured")
    figure = Figure(figsize=(7.5, 4.6), layout="constrained")
    axes = figure.add_subplot()
    style.shade_below(axes)
    style.white_marks(axes, paper["mips"], paper["geomean"], 6, label=_PAPER)
    for number, row in enumerate(measured.to_dict("records")):
        colour = style.COLOURS[number % len(style.COLOURS)]
        errors = [[row["geomean"] - row["low"]], [row["high"] - row["geomean"]]]
        label = f"{row['machine']}, against the printed MicroVAX II"
        axes.errorbar(
            [row["mips"]],
            [row["geomean"]],
            yerr=errors,
            fmt="s",
            color=colour,
            capsize=4,
            markersize=7,
            label=label,
        )
    simulated = means[means["source"] == "simulated"]
    axes.plot(
        simulated["mips"],
        simulated["geomean"],
        "X",
        color=style.GREY,
        markersize=7,
        label="the same against the simulated one, Andrew among the rows",
    )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(0.5, max(100.0, float(means["mips"].max())) * 3)
    axes.set_ylim(min(0.1, float(means["geomean"].min())) / 2, 2)
    axes.xaxis.set_major_formatter("{x:,.10g}")
    style.only_ticks(axes.yaxis, LogLocator(10, subs=(1.0, 2.0, 5.0)))
    style.plain(axes)
    axes.set_xlabel("MIPS (the paper's Table 1; measured)")
    axes.set_ylabel("mean R")
    panels.add_heading(figure, (TITLE, READING), axes.get_legend_handles_labels(), 1)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    names = pd.concat([paper, measured])[["mips", "geomean", "machine"]]
    points = names.itertuples(index=False, name=None)
    labels.place_labels(axes, [(float(x), float(y), machine_name(str(n))) for x, y, n in points])
    return figure
