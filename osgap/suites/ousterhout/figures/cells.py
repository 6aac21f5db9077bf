# SPDX-License-Identifier: BSD-3-Clause
"""Every cell of the paper's tables: R simulated against R printed, with the diagonal."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import style
from osgap.drawing.figure import FigureError
from osgap.suites.ousterhout.cells import CELLS
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
NULL = "null model"
CLOSE = 1.25
_ACROSS = 2
_COLOURS = (*style.COLOURS, style.GREY)
_MARKERS = (*style.MARKERS, "*")


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """One panel for each engine and one for the null model; one point for each cell.

    The MicroVAX II is left out. The band is within 25 % of the diagonal. Raises FigureError when no
    cell was simulated.
    """
    cells = tables["cells"]
    cells = cells[cells["machine"] != REFERENCE].dropna(subset=["relative_paper"])
    simulated = cells.dropna(subset=["relative_simulated"])
    if simulated.empty:
        raise FigureError("cells: no cell was simulated")
    panels = {str(name): rows for name, rows in simulated.groupby("engine", sort=False)}
    first = simulated[simulated["engine"] == simulated["engine"].iloc[0]]
    panels[NULL] = first.assign(relative_simulated=first["relative_null"])
    down = -(-len(panels) // _ACROSS)
    figure = Figure(figsize=(8.5, 4.0 * down + 0.6), layout="constrained")
    grid = figure.subplots(down, _ACROSS, sharex=True, sharey=True, squeeze=False)
    spare = grid.flat[len(panels) :]
    for axes, (name, rows) in zip(grid.flat, panels.items(), strict=False):
        _panel(axes, name, rows)
    for axes in spare:
        axes.set_visible(False)
    for axes in grid[-1]:
        axes.set_xlabel("R printed", fontsize=9)
    for axes in grid[:, 0]:
        axes.set_ylabel("R simulated", fontsize=9)
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=8,
        columnspacing=1,
        frameon=False,
        fontsize=8,
    )
    return figure


def _panel(axes: Axes, name: str, rows: pd.DataFrame) -> None:
    both = rows[["relative_paper", "relative_simulated"]].to_numpy(dtype=float)
    ends = np.array([both.min() / 1.2, both.max() * 1.2])
    axes.fill_between(ends, ends / CLOSE, ends * CLOSE, color=style.GREY, alpha=0.15, linewidth=0)
    axes.plot(ends, ends, color=style.GREY, linewidth=0.8)
    for number, (table, row) in enumerate(rows.groupby("table")):
        axes.plot(
            row["relative_paper"],
            row["relative_simulated"],
            linestyle="none",
            markersize=4,
            marker=_MARKERS[number],
            alpha=0.8,
            color=_COLOURS[number],
            label=TITLES[int(str(table))],
        )
    off = np.abs(np.log(both[:, 1] / both[:, 0]))
    share = float((off <= np.log(CLOSE)).mean())
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_title(f"{name}: {share:.0%} of {len(rows)} within 25 %", fontsize=9)
    style.plain(axes)
