# SPDX-License-Identifier: BSD-3-Clause
"""Stacked bars of each benchmark's cycles by clock: user, kernel, memory stall and idle.

Shows the series `fixed`; without it, the run's first series, which the figure then names.
"""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import panels, style
from osgap.drawing.figure import FigureError

TABLES = ["points", "attribution"]
SERIES = "fixed"
PARTS = {
    "user": ("user", "#0072B2"),
    "kernel": ("kernel", "#56B4E9"),
    "busy": ("user and kernel", "#009E73"),
    "memory_stall": ("memory stall", "#D55E00"),
    "idle": ("idle", "#dddddd"),
}
COLUMNS = 5


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws a panel for each benchmark with a bar for each clock, in fractions of all cycles.

    Raises FigureError when no cycles are attributed.
    """
    points = tables["points"]
    names = points["series"][points["series"] != ""]
    series = SERIES if SERIES in set(names) else next(iter(names), SERIES)
    merged = points[points["series"] == series].merge(tables["attribution"], on="key")
    merged = merged[merged[["memory_stall", "idle"]].notna().all(axis=1)]
    # An engine counts user and kernel cycles apart or together; drop the parts without a count.
    parts = {name: look for name, look in PARTS.items() if merged[name].notna().any()}
    merged = merged.fillna(dict.fromkeys(parts, 0.0))
    if merged.empty:
        raise FigureError(f"attribution: no finished point of series {series} attributes cycles")
    figure, grid = panels.benchmark_panels(merged, COLUMNS, (2.1, 1.9), 0.8, shared_y=True)
    for axes, group in grid:
        _bars(axes, group.sort_values("clock_mhz"), parts)
    suffix = "" if series == SERIES else f"; {style.series_label(series)}"
    figure.supxlabel(f"clock (MHz){suffix}", fontsize=9)
    figure.supylabel("fraction of cycles", fontsize=9)
    panels.legend_above(figure, grid[0][0].get_legend_handles_labels(), len(parts))
    return figure


def _bars(axes: Axes, group: pd.DataFrame, parts: Mapping[str, tuple[str, str]]) -> None:
    positions = range(len(group))
    base = pd.Series(0.0, index=group.index)
    for part, (label, colour) in parts.items():
        axes.bar(positions, group[part], bottom=base, color=colour, label=label, width=0.8)
        base = base + group[part]
    style.plain(axes)
    axes.set_ylim(0, 1)
    axes.set_xticks(positions, [f"{clock:g}" for clock in group["clock_mhz"]])
    axes.tick_params(labelsize=7)
