# SPDX-License-Identifier: BSD-3-Clause
"""Figure 1 of 1990 and the same ten machines simulated; with --native machines of today too."""

import math
from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from osgap.drawing import style
from osgap.drawing.figure import FigureError
from osgap.suites.ousterhout.since import SINCE_1990_MEANS
from osgap.suites.ousterhout.tables import MEANS

TABLES = [MEANS]
OPTIONAL = [SINCE_1990_MEANS]
# Not all rows of the paper's own Figure 1, which has remote files too and may leave out bcopy.
PUBLISHED = "Ousterhout 1990, local files and uncached bcopy"


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Geometric mean of R against the paper's MIPS: circles are the paper's machines, lines the
    engines'.

    Raises FigureError when there is no mean.
    """
    means = tables["means"].dropna(subset=["paper", "simulated"])
    if means.empty:
        raise FigureError("figure1: no machine has a mean")
    figure = Figure(figsize=(7.5, 4.8), layout="constrained")
    axes = figure.add_subplot()
    axes.axhline(1, color=style.GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    for number, (engine, group) in enumerate(means.groupby("engine", sort=False)):
        line = group.sort_values("mips")
        axes.plot(
            line["mips"],
            line["simulated"],
            color=style.COLOURS[number],
            label=str(engine),
            marker=style.MARKERS[number],
            markersize=5,
        )
    paper = means.drop_duplicates("machine")
    here = _measured(tables)
    for number, row in enumerate(here, start=means["engine"].nunique()):
        axes.plot(
            [row[0]],
            [row[1]],
            color=style.COLOURS[number % len(style.COLOURS)],
            marker="*",
            markersize=11,
            linestyle="none",
            label=f"{row[2]}, measured",
        )
    axes.plot(
        paper["mips"],
        paper["paper"],
        "o",
        markersize=6,
        markerfacecolor="white",
        markeredgecolor="black",
        label=PUBLISHED,
    )
    style.plain(axes)
    fastest = max([16.0, *(row[0] for row in here)])
    octaves = range(0, int(math.log2(fastest)) + 1, 2 if here else 1)
    style.log2_ticks(axes, [float(2**octave) for octave in octaves])
    axes.set_xlim(0.7, fastest * 1.6)
    axes.set_ylim(0, max(1.1, means[["paper", "simulated"]].max().max()) * 1.12)
    axes.set_xlabel("MIPS (the paper's Table 1" + ("; measured)" if here else ")"))
    axes.set_ylabel("MIPS-relative speed, geometric mean")
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    labels = paper[["mips", "paper", "machine"]].itertuples(index=False, name=None)
    style.place_labels(axes, [(float(x), float(y), str(name)) for x, y, name in labels])
    return figure


def _measured(tables: Mapping[str, pd.DataFrame]) -> list[tuple[float, float, str]]:
    """MIPS, mean R and name of each machine measured with --native."""
    if "since_1990_means" not in tables:
        return []
    means = tables["since_1990_means"]
    means = means[(means["mips"] > 0) & (means["geomean"] > 0)]
    measured = means[means["source"] == "measured"][["mips", "geomean", "machine"]]
    return [(float(x), float(y), str(n)) for x, y, n in measured.itertuples(index=False, name=None)]
