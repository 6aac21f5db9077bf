# SPDX-License-Identifier: BSD-3-Clause
"""Stacked bars of each operation on files on a server: client, server, wire and server's disk.

A group of bars for each series, where all have space; else the series `fixed`, or the first one.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import panels, style
from osgap.drawing.display_names import series_name
from osgap.drawing.figure import NothingToDraw
from osgap.figures import _rows

TABLES = ["points"]
OPTIONAL = ["remote_time"]
SERIES = "fixed"
PARTS = {
    "client_ns": ("processor, client", "user"),
    "server_ns": ("processor, server", "kernel"),
    "wire_ns": ("waiting for the wire", "wire"),
    "server_disk_ns": ("waiting for the server's disk", "disk"),
    "other_wait_ns": ("other waits", "rest"),
}
"""Columns of the table `remote_time` -> their names, and their keys in style.RESOURCES."""
COLUMNS, SIZE = 4, (1.875, 1.75)
MOST_BARS = 8
TITLE = "Where the time of an operation on a server's files goes"
SUBTITLE = (
    "what of wire and disk passed while the processor worked counts as the processor's\nfaster: {}"
)


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws a panel for each benchmark, in shares of its time. Raises NothingToDraw."""
    if "remote_time" not in tables or tables["remote_time"].empty:
        raise NothingToDraw("remote_time: the run has no files on a server")
    rows = _rows.listed_rows(_chosen(tables["remote_time"]))
    series = list(dict.fromkeys(rows["series"]))
    figure, grid = panels.benchmark_panels(rows, COLUMNS, SIZE, 0.3, shared_y=True, letters=7.5)
    parts = [name for name in PARTS if rows[name].any()]
    for axes, group in grid:
        _bars(axes, group, parts, series)
    figure.supxlabel("clock, MHz", fontsize=9)
    figure.supylabel("share of the time", fontsize=9)
    legend = grid[0][0].get_legend_handles_labels()
    faster = "; ".join(map(series_name, series))
    panels.add_heading(figure, (TITLE, SUBTITLE.format(faster)), legend, 3)
    return figure


def _chosen(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of all series, or of one where their bars are too many."""
    names = list(dict.fromkeys(table["series"]))
    if len(names) * table["clock_mhz"].nunique() <= MOST_BARS:
        return table
    first = SERIES if SERIES in names else names[0]
    rows: pd.DataFrame = table[table["series"] == first]
    return rows


def _bars(axes: Axes, group: pd.DataFrame, parts: list[str], series: list[str]) -> None:
    ordered = group.assign(rank=group["series"].map(series.index)).sort_values(
        ["rank", "clock_mhz"], kind="stable"
    )
    # A gap after each series.
    positions = [place + 0.6 * rank for place, rank in enumerate(ordered["rank"])]
    base = pd.Series(0.0, index=ordered.index)
    for part in parts:
        label, key = PARTS[part]
        share = ordered[part] / ordered["time_ns"]
        style.stacked_bars(axes, positions, share, base, key, label=label, width=0.86)
        base = base + share
    style.plain(axes)
    axes.set_ylim(0, 1)
    axes.set_xticks(positions, [f"{clock:g}" for clock in ordered["clock_mhz"]])
    axes.set_yticks([0, 0.5, 1], ["0", "50 %", "100 %"])
    axes.tick_params(labelsize=7.5 if len(ordered) <= MOST_BARS / 2 else 6)
