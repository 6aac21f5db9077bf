# SPDX-License-Identifier: BSD-3-Clause
"""Figure 1 of 1990 and the same ten machines simulated."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from osgap.drawing import style
from osgap.drawing.figure import FigureError

TABLES = ["means"]
# Not all rows of the paper's own Figure 1, which has remote files too and may leave out bcopy.
PUBLISHED = "Ousterhout 1990, local files and uncached bcopy"


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Geometric mean of R against the paper's MIPS: circles are the paper's, lines the engines'.

    Raises FigureError when there is no mean.
    """
    means = tables["means"].dropna(subset=["paper", "simulated"])
    if means.empty:
        raise FigureError("figure1: no machine has a mean")
    figure = Figure(figsize=(7.5, 4.8), layout="constrained")
    axes = figure.add_subplot()
    axes.axhline(1, color=style.GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    for at, (engine, group) in enumerate(means.groupby("engine", sort=False)):
        line = group.sort_values("mips")
        axes.plot(line["mips"], line["simulated"], color=style.COLOURS[at], label=str(engine),
                  marker=style.MARKERS[at], markersize=5)  # fmt: skip
    paper = means.drop_duplicates("machine")
    axes.plot(paper["mips"], paper["paper"], "o", markersize=6, markerfacecolor="white",
              markeredgecolor="black", label=PUBLISHED)  # fmt: skip
    style.plain(axes)
    style.log2_ticks(axes, [1, 2, 4, 8, 16])
    axes.set_xlim(0.7, 26)
    axes.set_ylim(0, max(1.1, means[["paper", "simulated"]].max().max()) * 1.12)
    axes.set_xlabel("MIPS (the paper's Table 1)")
    axes.set_ylabel("MIPS-relative speed, geometric mean")
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    labels = paper[["mips", "paper", "machine"]].itertuples(index=False, name=None)
    style.place_labels(axes, [(float(x), float(y), str(name)) for x, y, name in labels])
    return figure
