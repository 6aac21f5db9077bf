# SPDX-License-Identifier: BSD-3-Clause
"""Effective concurrency of extractions against harts and against the clock."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import panels, style
from osgap.drawing.display_names import engine_name, file_system_name
from osgap.drawing.figure import FigureError
from osgap.suites.kennaway.tables import CONCURRENCY, plain_rows

TABLES = [CONCURRENCY]
LOCKS = {"none": "no giant lock", "adaptive": "adaptive", "giant": "giant"}
PERFECT = "perfect: N at once in the time of one"
READING = "file extractions at once, as many as CPUs; bars: 95 % intervals"
ENGINE_LINES = ("-", "--", ":")


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """A column for each file system: above against harts, below against the clock if it varies."""
    drawn = plain_rows(tables["concurrency"])
    drawn = drawn[drawn["concurrency"].notna()]
    if drawn.empty:
        raise FigureError("concurrency: no machine has single and parallel extractions")
    clock = drawn.groupby("clock_mhz")["harts"].nunique().idxmax()
    every = sorted(drawn["harts"].unique())
    clocks = drawn.groupby("harts")["clock_mhz"].nunique()
    harts = clocks[clocks == clocks.max()].index.max()
    at_clock, at_harts = drawn[drawn["clock_mhz"] == clock], drawn[drawn["harts"] == harts]
    several = at_harts.groupby("fs")["clock_mhz"].nunique() > 1
    names = sorted(dict.fromkeys(drawn["fs"]), key=lambda fs: not several.get(fs, False))
    lines = 2 if several.any() else 1
    figure = Figure(figsize=(3.75 * len(names), 0.6 + 2.4 * lines), layout="constrained")
    grid = figure.subplots(lines, len(names), squeeze=False, sharey="row")
    dotted = (0, (1, 1.5))
    for axes, fs in zip(grid[0], names, strict=True):
        _lines(axes, at_clock[at_clock["fs"] == fs], "harts")
        axes.plot(every, every, color="black", linewidth=1.2, linestyle=dotted, label=PERFECT)
        axes.set_title(f"{file_system_name(fs)}, {clock:g} MHz", fontsize=9)
        axes.set_xlabel("CPUs, and extractions at once", fontsize=8)
    for axes, fs in zip(grid[1] if lines > 1 else [], names, strict=False):
        if not several.get(fs, False):
            axes.set_visible(False)
            continue
        _lines(axes, at_harts[at_harts["fs"] == fs], "clock_mhz")
        axes.set_title(f"{file_system_name(fs)}, {harts} CPUs", fontsize=9)
        axes.set_xlabel("clock, MHz", fontsize=8)
    for axes, rows in zip(grid.T[0], (at_clock, at_harts), strict=False):
        axes.set_ylabel("times the speed of one", fontsize=8)
        axes.set_ylim(0, 1.05 * rows[["concurrency", "high"]].max(axis=None))
    panels.add_heading(
        figure,
        (_title(drawn, float(str(clock))), READING),
        grid[0][0].get_legend_handles_labels(),
        4,
    )
    return figure


def _title(drawn: pd.DataFrame, clock: float) -> str:
    """The speed of the most CPUs with a giant lock and without, at the clock of most CPUs."""
    rows = drawn[(drawn["clock_mhz"] == clock) & (drawn["harts"] == drawn["harts"].max())]
    if not {"none", "giant"} <= set(rows["lock"]):
        return "Files extracted on several CPUs at once, by the kernel's lock"
    spans = {lock: _span(rows[rows["lock"] == lock]["concurrency"]) for lock in ("none", "giant")}
    return (
        f"{rows['harts'].max()} CPUs extract files {spans['none']} times as fast as one, "
        f"with a giant lock {spans['giant']} times"
    )


def _span(values: pd.Series) -> str:
    low, high = f"{values.min():.1f}", f"{values.max():.1f}"
    return low if low == high else f"{low} to {high}"


def _lines(axes: Axes, rows: pd.DataFrame, column: str) -> None:
    axes.axhline(1, color=style.GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    engines = list(dict.fromkeys(rows["engine"]))
    for lock, label in LOCKS.items():
        colour, marker = style.ENTITIES[label]
        for engine, dash in zip(engines, ENGINE_LINES, strict=False):
            line = rows[(rows["lock"] == lock) & (rows["engine"] == engine)].sort_values(column)
            y = line["concurrency"]
            axes.errorbar(
                line[column],
                y,
                [y - line["low"], line["high"] - y],
                linestyle=dash,
                color=colour,
                marker=marker,
                markersize=4,
                linewidth=1.2,
                elinewidth=0.8,
                capsize=2,
                label=f"{label}, {engine_name(engine)}",
            )
    style.plain(axes)
    style.log2_ticks(axes, sorted(rows[column].unique()))
    axes.tick_params(labelsize=7)
