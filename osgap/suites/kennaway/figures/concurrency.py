# SPDX-License-Identifier: BSD-3-Clause
"""Effective concurrency of extractions against harts and against the clock."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import style
from osgap.drawing.figure import FigureError
from osgap.suites.kennaway.tables import CONCURRENCY

TABLES = [CONCURRENCY]
LOCKS = {"none": "no giant lock", "adaptive": "adaptive", "giant": "giant"}
ENGINE_LINES = ("-", "--", ":")


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """One column for each file system: above against harts, below against the clock.

    Above is the clock with the most harts, below the machine with the most clocks. Bars are 95 %
    intervals. Raises FigureError without a value.
    """
    drawn = tables["concurrency"]
    drawn = drawn[drawn["concurrency"].notna()]
    if drawn.empty:
        raise FigureError("concurrency: no machine has single and parallel extractions")
    clock = drawn.groupby("clock_mhz")["harts"].nunique().idxmax()
    every = sorted(drawn["harts"].unique())
    clocks = drawn.groupby("harts")["clock_mhz"].nunique()
    harts = clocks[clocks == clocks.max()].index.max()
    names = list(dict.fromkeys(drawn["fs"]))
    figure = Figure(figsize=(4.1 * len(names), 6.4), layout="constrained")
    grid = figure.subplots(2, len(names), squeeze=False, sharey="row")
    for (above, below), fs in zip(grid.T, names, strict=True):
        fs_rows = drawn[drawn["fs"] == fs]
        _lines(above, fs_rows[fs_rows["clock_mhz"] == clock], "harts")
        above.plot(every, every, color=style.GREY, linewidth=0.8, linestyle=(0, (1, 2)))
        above.set_title(f"{fs}, {clock:g} MHz", fontsize=9)
        above.set_xlabel("harts, and extractions at once", fontsize=8)
        _lines(below, fs_rows[fs_rows["harts"] == harts], "clock_mhz")
        below.set_title(f"{fs}, {harts} harts", fontsize=9)
        below.set_xlabel("clock (MHz)", fontsize=8)
    row_pair = drawn[drawn["clock_mhz"] == clock], drawn[drawn["harts"] == harts]
    for axes, rows in zip(grid.T[0], row_pair, strict=True):
        axes.set_ylabel("effective concurrency, N x T1 / TN", fontsize=8)
        axes.set_ylim(0, 1.05 * rows[["concurrency", "high"]].max(axis=None))
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False, fontsize=8)
    return figure


def _lines(axes: Axes, rows: pd.DataFrame, column: str) -> None:
    axes.axhline(1, color=style.GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    engines = list(dict.fromkeys(rows["engine"]))
    for number, (lock, label) in enumerate(LOCKS.items()):
        for engine, dash in zip(engines, ENGINE_LINES, strict=False):
            line = rows[(rows["lock"] == lock) & (rows["engine"] == engine)].sort_values(column)
            y = line["concurrency"]
            axes.errorbar(
                line[column],
                y,
                [y - line["low"], line["high"] - y],
                linestyle=dash,
                color=style.COLOURS[number],
                marker=style.MARKERS[number],
                markersize=4,
                linewidth=1.2,
                elinewidth=0.8,
                capsize=2,
                label=f"{label}, {engine}",
            )
    style.plain(axes)
    style.log2_ticks(axes, sorted(rows[column].unique()))
    axes.tick_params(labelsize=7)
