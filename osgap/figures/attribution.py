# SPDX-License-Identifier: BSD-3-Clause
"""Stacked bars of each benchmark's cycles by clock: user, kernel, memory stall and idle.

Large panels of the benchmarks of the reference set, in the order of what limits them.  Shows the
series `fixed`; without it, the run's first series, which the figure then names.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import panels, style
from osgap.drawing.display_names import benchmark_name, file_system_name, series_name
from osgap.drawing.figure import FigureError
from osgap.drawing.labels import HALO
from osgap.figures import _rows

TABLES = ["points", "attribution"]
SERIES = "fixed"
PARTS = {
    "user": ("computing, program", "user"),
    "kernel": ("computing, kernel", "kernel"),
    "busy": ("computing", "busy"),
    "memory_stall": ("waiting for memory", "memory"),
    "idle": ("idle: waiting for the disk", "disk"),
}
"""Columns of the table `attribution` -> their names, and their keys in style.RESOURCES."""
LIMITS = {"computing": ("user", "kernel", "busy"), "memory": ("memory_stall",), "disk": ("idle",)}
"""Limit of a benchmark -> the parts of its cycles; the largest at the fastest clock counts."""
COLUMNS, SIZE = 4, (1.875, 1.75)
OTHER_WORK = 1.025
ESTIMATED = {
    "rvsim": "waiting for memory is estimated on rvsim: 11 % too much in the median, 67 % at worst"
}
"""Engine -> how far its estimate of the memory stall may be off (docs/method/machine-model.md)."""
TITLE = "Where the time of an operation goes as the clock gets faster"
_MARK = "*"


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws a panel for each benchmark with a bar for each clock, in fractions of all cycles."""
    return draw_panels(_rows.main_rows(attributed(tables)), COLUMNS, SIZE)


def attributed(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Returns the attributed cycles of the series that is drawn.  Raises FigureError without."""
    points = tables["points"]
    names = points["series"][points["series"] != ""]
    series = SERIES if SERIES in set(names) else next(iter(names), SERIES)
    merged = points[points["series"] == series].merge(tables["attribution"], on="key")
    merged = merged[merged[["memory_stall", "idle"]].notna().all(axis=1)]
    if merged.empty:
        raise FigureError(f"attribution: no finished point of series {series} attributes cycles")
    # An engine counts user and kernel cycles apart or together; drop the parts without a count.
    parts = [name for name in PARTS if merged[name].notna().any()]
    filled: pd.DataFrame = merged.fillna(dict.fromkeys(parts, 0.0))
    return filled


def draw_panels(rows: pd.DataFrame, columns: int, size: tuple[float, float]) -> Figure:
    """Draws a panel for each benchmark of `rows`, in the order of what limits them."""
    limit = _limits(rows)
    ordered = rows.assign(
        limit=[limit[pair] for pair in zip(rows["benchmark"], rows["fs"], strict=True)]
    )
    ordered = ordered.sort_values("limit", kind="stable", key=lambda kinds: kinds.map(_RANK))
    subtitle = _subtitle(rows)
    figure, grid = panels.benchmark_panels(ordered, columns, size, 0.3, shared_y=True)
    parts = [name for name in PARTS if ordered[name].notna().any()]
    for axes, group in grid:
        kind = str(group["limit"].iloc[0])
        axes.set_title(_panel_title(group, kind), fontsize=7.5)
        _bars(axes, group.sort_values("clock_mhz"), parts)
    figure.supxlabel("clock, MHz", fontsize=9)
    figure.supylabel("share of the time", fontsize=9)
    legend = grid[0][0].get_legend_handles_labels()
    panels.add_heading(figure, (TITLE, subtitle), legend, len(parts))
    return figure


_RANK = {kind: place for place, kind in enumerate(LIMITS)}
_WORDS = {
    "computing": "mostly computes",
    "memory": "waits for memory",
    "disk": "waits for disk",
}


def _panel_title(group: pd.DataFrame, kind: str) -> str:
    name, fs = (str(group[column].iloc[0]) for column in ("benchmark", "fs"))
    system = file_system_name(fs)
    return f"{benchmark_name(name)}\n" + (f"{system}; " if system else "") + _WORDS[kind]


def _subtitle(rows: pd.DataFrame) -> str:
    series = str(rows["series"].iloc[0])
    lines = [
        "ordered by what takes most of the time at the fastest clock; "
        f"faster: {series_name(series)}"
    ]
    lines += [text for engine, text in ESTIMATED.items() if engine in set(rows["engine"])]
    groups = rows.groupby(["benchmark", "fs"], sort=False)
    if any(_odd(group).any() for _, group in groups):
        lines.append(
            f"{_MARK} over {100 * (OTHER_WORK - 1):.1f} % more instructions than the median, "
            "such as those of a timer's tick"
        )
    return "\n".join(lines)


def _limits(rows: pd.DataFrame) -> dict[tuple[str, str], str]:
    fastest = rows.sort_values("clock_mhz").drop_duplicates(["benchmark", "fs"], keep="last")
    limits = {}
    for row in fastest.to_dict("records"):
        sums = {
            kind: sum(float(row[part]) for part in parts if row[part] == row[part])
            for kind, parts in LIMITS.items()
        }
        limits[str(row["benchmark"]), str(row["fs"])] = max(sums, key=lambda kind: sums[kind])
    return limits


def _odd(group: pd.DataFrame) -> pd.Series[bool]:
    """True for a clock whose batch has more instructions than the others, so other work too."""
    return group["insts"] > OTHER_WORK * group["insts"].median()


def _bars(axes: Axes, group: pd.DataFrame, parts: list[str]) -> None:
    positions = range(len(group))
    base = pd.Series(0.0, index=group.index)
    for part in parts:
        label, key = PARTS[part]
        style.stacked_bars(axes, positions, group[part], base, key, label=label, width=0.86)
        base = base + group[part]
    for position, odd in zip(positions, _odd(group), strict=True):
        if odd:
            mark = axes.text(position, 0.98, _MARK, ha="center", va="top", fontsize=11)
            mark.set_path_effects([HALO])
    style.plain(axes)
    axes.set_ylim(0, 1)
    axes.set_xticks(positions, [f"{clock:g}" for clock in group["clock_mhz"]])
    axes.set_yticks([0, 0.5, 1], ["0", "50 %", "100 %"])
    axes.tick_params(labelsize=7.5)
