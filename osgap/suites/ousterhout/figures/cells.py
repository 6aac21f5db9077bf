# SPDX-License-Identifier: BSD-3-Clause
"""Every cell of the paper's tables: R simulated against R printed, with the diagonal."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from osgap.drawing import panels, style
from osgap.drawing.display_names import engine_name
from osgap.drawing.figure import FigureError
from osgap.suites.ousterhout.cells import CELLS, NULL_MODELS, as_simulated, is_comparable
from osgap.suites.ousterhout.simulated import REFERENCE

TABLES = [CELLS]
TITLES = {
    2: "getpid",
    3: "context switch",
    4: "select",
    5: "bcopy",
    6: "read",
    7: "Andrew",
    9: "open-close",
    10: "create-delete",
}
TITLE = "Every printed cell: R simulated against R printed"
READING = "on the line they are equal; grey band: within 25 %; without the row that is fitted"
CLOSE = 1.25
LEAST = 0.015
"""The end of the axes: cells printed below it stand at the edge, and count as all others."""
TICK = "printed: 10 ms tick"
_ACROSS = 3
_COLOURS = (*style.COLOURS, style.GREY)
_MARKERS = (*style.MARKERS, "*")


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """One panel for each engine and null model; one point for each cell."""
    cells = tables["cells"]
    cells = cells[(cells["machine"] != REFERENCE) & is_comparable(cells)]
    cells = cells.dropna(subset=["relative_paper"])
    simulated = cells.dropna(subset=["relative_simulated"])
    if simulated.empty:
        raise FigureError("cells: no cell was simulated")
    groups = {str(name): rows for name, rows in simulated.groupby("engine", sort=False)}
    first = simulated[simulated["engine"] == simulated["engine"].iloc[0]]
    groups |= {model: as_simulated(first, column) for model, column in NULL_MODELS.items()}
    down = -(-len(groups) // _ACROSS)
    figure = Figure(figsize=(7.5, 2.75 * down), layout="constrained")
    grid = figure.subplots(down, _ACROSS, sharex=True, sharey=True, squeeze=False)
    for axes, (name, rows) in zip(grid.flat, groups.items(), strict=False):
        _panel(axes, name, rows)
    for axes in grid.flat[len(groups) :]:
        axes.set_visible(False)
    for axes in grid.flat[max(0, len(groups) - _ACROSS) : len(groups)]:
        axes.set_xlabel("R printed", fontsize=9)
        axes.tick_params(labelbottom=True)
    for axes in grid[:, 0]:
        axes.set_ylabel("R simulated", fontsize=9)
    handles, labels = grid.flat[0].get_legend_handles_labels()
    panels.add_heading(figure, (TITLE, READING), (handles, labels), 4)
    return figure


def _panel(axes: Axes, name: str, rows: pd.DataFrame) -> None:
    both = rows[["relative_paper", "relative_simulated"]].to_numpy(dtype=float)
    ends = np.array([LEAST, both.max() * 1.2])
    axes.fill_between(ends, ends / CLOSE, ends * CLOSE, color=style.GREY, alpha=0.15, linewidth=0)
    axes.plot(ends, ends, color=style.GREY, linewidth=0.8)
    for number, (table, row) in enumerate(rows.groupby("table")):
        # The first tables are above: getpid's cells are few and lie in one line.
        axes.plot(
            row["relative_paper"].clip(LEAST),
            row["relative_simulated"],
            linestyle="none",
            markersize=3.5,
            marker=_MARKERS[number],
            alpha=0.75,
            color=_COLOURS[number],
            label=TITLES[int(str(table))],
            zorder=20 - number,
            clip_on=False,
        )
    for x, y in both[(rows["relative_paper"] < LEAST).to_numpy()][:1]:
        place = max(x, LEAST), y
        axes.annotate(TICK, place, xytext=(4, 8), textcoords="offset points", fontsize=7)
    off = np.abs(np.log(both[:, 1] / both[:, 0]))
    share = float((off <= np.log(CLOSE)).mean())
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(left=LEAST)
    close = f"{share:.0%} of {len(rows)}".replace("%", " %")
    axes.set_title(f"{engine_name(name)}\n{close} within 25 %", fontsize=8.5)
    for axis in (axes.xaxis, axes.yaxis):
        style.only_ticks(axis, LogLocator(10))
    axes.tick_params(labelsize=7.5)
    style.plain(axes)
