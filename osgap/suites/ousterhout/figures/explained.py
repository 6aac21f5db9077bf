# SPDX-License-Identifier: BSD-3-Clause
"""The parts of log R of each benchmark and machine, with the paper's R."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from osgap.drawing import style
from osgap.drawing.figure import FigureError
from osgap.suites.ousterhout.explain import EXPLAINED
from osgap.suites.ousterhout.tables import MEANS

TABLES = [EXPLAINED, MEANS]
PARTS = {
    "memory": ("memory", "#D55E00"),
    "disk": ("disk", "#009E73"),
    "rest": ("neither", "#999999"),
}
_LOG2 = np.log(2)


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """One row for each benchmark, one column for each engine; bars are machines by MIPS, log2 of R.

    Raises FigureError when no benchmark that the paper relates was simulated.
    """
    explained = tables["explained"].dropna(subset=["paper"])
    if explained.empty:
        raise FigureError("explained: the runs share no benchmark with the paper")
    order = list(tables["means"].drop_duplicates("machine").sort_values("mips")["machine"])
    engines = list(dict.fromkeys(explained["engine"]))
    panels = list(dict.fromkeys(zip(explained["benchmark"], explained["fs"], strict=True)))
    figure = Figure(figsize=(4.6 * len(engines), 1.75 * len(panels) + 0.8), layout="constrained")
    grid = figure.subplots(len(panels), len(engines), squeeze=False, sharey="row")
    for row, (name, fs) in zip(grid, panels, strict=True):
        for axes, engine in zip(row, engines, strict=True):
            rows = explained[(explained["benchmark"] == name) & (explained["fs"] == fs)]
            rows = rows[rows["engine"] == engine].set_index("machine")
            _bars(axes, rows.reindex([m for m in order if m in rows.index]))
            axes.set_title(f"{style.benchmark_label(name, fs)}, {engine}", fontsize=8)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False, fontsize=8)
    figure.supylabel("MIPS-relative speed (log scale)", fontsize=9)
    return figure


def _bars(axes: Axes, rows: pd.DataFrame) -> None:
    places = np.arange(len(rows))
    above, below = np.zeros(len(rows)), np.zeros(len(rows))
    for part, (label, colour) in PARTS.items():
        height = rows[part].to_numpy(dtype=float) / _LOG2
        base = np.where(height >= 0, above, below)
        axes.bar(places, height, bottom=base, color=colour, label=label, width=0.7)
        above, below = above + np.maximum(height, 0), below + np.minimum(height, 0)
    axes.plot(
        places,
        rows["paper"] / _LOG2,
        "o",
        markersize=4,
        markerfacecolor="white",
        markeredgecolor="black",
        label="the paper's R",
    )
    style.plain(axes)
    axes.axhline(0, color="black", linewidth=0.6)
    axes.set_xticks(places, list(rows.index), rotation=30)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{2.0**value:.2g}"))
    axes.tick_params(labelsize=7)
