# SPDX-License-Identifier: BSD-3-Clause
"""Where the cycles went: user, kernel, memory stall and idle, at each clock.

Of the series `fixed`, or where a run has none of its first, which the figure then names.
"""

import math
from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import style
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
    """One panel a benchmark, one stacked bar a clock, fractions of all cycles.

    Raises FigureError when no cycles are attributed.
    """
    points = tables["points"]
    placed = points["series"][points["series"] != ""]
    series = SERIES if SERIES in set(placed) else next(iter(placed), SERIES)
    merged = points[points["series"] == series].merge(tables["attribution"], on="key")
    merged = merged[merged[["memory_stall", "idle"]].notna().all(axis=1)]
    # An engine tells user from kernel or gives their sum; a part without cycles is not drawn.
    parts = {name: shown for name, shown in PARTS.items() if merged[name].notna().any()}
    merged = merged.fillna(dict.fromkeys(parts, 0.0))
    if merged.empty:
        raise FigureError(f"attribution: no finished point of series {series} attributes cycles")
    panels = list(merged.groupby(["benchmark", "fs"], sort=False))
    rows = math.ceil(len(panels) / COLUMNS)
    figure = Figure(figsize=(2.1 * COLUMNS, 1.9 * rows + 0.8), layout="constrained")
    grid = figure.subplots(rows, COLUMNS, squeeze=False, sharey=True).ravel()
    for axes, ((name, fs), group) in zip(grid, panels, strict=False):
        _bars(axes, group.sort_values("clock_mhz"), parts)
        axes.set_title(style.benchmark_label(name, fs), fontsize=8)
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    which = "" if series == SERIES else f"; {style.series_label(series)}"
    figure.supxlabel(f"clock (MHz){which}", fontsize=9)
    figure.supylabel("fraction of cycles", fontsize=9)
    handles, labels = grid[0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside upper center", ncols=len(parts), frameon=False, fontsize=8
    )
    return figure


def _bars(axes: Axes, group: pd.DataFrame, parts: Mapping[str, tuple[str, str]]) -> None:
    places = range(len(group))
    base = pd.Series(0.0, index=group.index)
    for part, (label, colour) in parts.items():
        axes.bar(places, group[part], bottom=base, color=colour, label=label, width=0.8)
        base = base + group[part]
    style.plain(axes)
    axes.set_ylim(0, 1)
    axes.set_xticks(places, [f"{clock:g}" for clock in group["clock_mhz"]])
    axes.tick_params(labelsize=7)
