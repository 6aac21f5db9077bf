# SPDX-License-Identifier: BSD-3-Clause
"""Predicted against measured times of each board, with the diagonal."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from osgap.drawing import panels, style
from osgap.drawing.display_names import engine_name, machine_name
from osgap.drawing.figure import FigureError
from osgap.drawing.labels import place_labels, wrapped
from osgap.suites.boards.tables import BOARD
from osgap.suites.boards.units import drawn_us

TABLES = [BOARD]
TITLE = "Boards: predicted against measured times"
READING = (
    "time of one operation, of a rate of bytes that of 1 KiB; band: within 1.5 times; bars: 95 % "
    "over layouts"
)
BAND = 1.5
NARROW = 300
"""A panel whose ends are a smaller ratio apart has ticks between the powers of ten."""
NAMED = 4
"""The rows of a panel that are farthest from the diagonal have their names beside them."""
_MARKS = {"user": ("o", "user code"), "system": ("s", "operating system")}
_WIDTH = 3.6


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """One panel for each board; colours are engine and image, marks user and system rows."""
    table = tables["board"]
    counted = table[table["counted"] == "yes"]
    if counted.empty:
        raise FigureError("board: no row is comparable and predicted")
    drawn = _times(counted)
    colours = style.entity_colours(dict.fromkeys(drawn["condition"]))
    boards = list(dict.fromkeys(drawn["board"]))
    size = (max(_WIDTH * len(boards), 2 * _WIDTH), 3.6)
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(1, len(boards), squeeze=False)[0]
    for axes, board in zip(grid, boards, strict=True):
        _panel(axes, drawn[drawn["board"] == board], colours)
        axes.set_title(machine_name(board), fontsize=9)
    grid[0].set_ylabel("predicted, us", fontsize=9)
    panels.add_heading(figure, (TITLE, READING), _legend(grid[0], colours), 4)
    figure.draw_without_rendering()
    for axes, board in zip(grid, boards, strict=True):
        _name_worst(axes, drawn[drawn["board"] == board])
    return figure


def _times(counted: pd.DataFrame) -> pd.DataFrame:
    """The rows with what is drawn: times in us, the interval's ends, engine and image."""
    measured = [
        drawn_us(value, unit)
        for value, unit in zip(counted["measured"], counted["unit"], strict=True)
    ]
    return counted.assign(
        x=measured,
        y=measured * counted["ratio"],
        low=measured * counted["ratio_low"],
        high=measured * counted["ratio_high"],
        condition=[
            f"{engine_name(engine)}, {image}"
            for engine, image in zip(counted["engine"], counted["image"], strict=True)
        ],
    )


def _panel(axes: Axes, rows: pd.DataFrame, colours: Mapping[str, str]) -> None:
    values = rows[["x", "y"]].to_numpy(dtype=float)
    ends = np.array([values.min() / 2, values.max() * 2])
    axes.fill_between(ends, ends / BAND, ends * BAND, color=style.GREY, alpha=0.15, linewidth=0)
    axes.plot(ends, ends, color=style.GREY, linewidth=0.8)
    for (condition, kind), group in rows.groupby(["condition", "kind"], sort=False):
        marker, _ = _MARKS[str(kind)]
        axes.errorbar(
            group["x"],
            group["y"],
            # Without several layouts there is no interval.
            [(group["y"] - group["low"]).fillna(0), (group["high"] - group["y"]).fillna(0)],
            linestyle="none",
            marker=marker,
            markersize=4.5,
            elinewidth=0.8,
            alpha=0.85,
            color=colours[str(condition)],
            markerfacecolor=colours[str(condition)] if kind == "system" else "white",
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(*ends)
    axes.set_ylim(*ends)
    axes.set_xlabel("measured, us", fontsize=9)
    # Powers of ten alone would leave a narrow panel with one tick.
    steps = (1.0, 2.0, 5.0) if ends[1] / ends[0] < NARROW else (1.0,)
    for axis in (axes.xaxis, axes.yaxis):
        style.only_ticks(axis, LogLocator(10, subs=steps))
    axes.tick_params(labelsize=7.5)
    style.plain(axes)


def _name_worst(axes: Axes, rows: pd.DataFrame) -> None:
    """Names the rows that are farthest from the diagonal and outside the band, each once."""
    off = np.log(rows["ratio"]).abs()
    worst = rows.assign(off=off)[off > np.log(BAND)].sort_values("off", ascending=False)
    worst = worst.drop_duplicates("row").head(NAMED)
    points = worst[["x", "y", "row"]].itertuples(index=False, name=None)
    place_labels(axes, [(float(x), float(y), wrapped(str(name))) for x, y, name in points])


def _legend(axes: Axes, colours: Mapping[str, str]) -> tuple[list[Artist], list[str]]:
    """A patch of each colour, and each kind of mark in grey."""
    handles: list[Artist] = []
    labels: list[str] = []
    for condition, colour in colours.items():
        handles += axes.plot([], [], linestyle="none", marker="D", markersize=5, color=colour)
        labels.append(condition)
    for kind, (marker, label) in _MARKS.items():
        face = style.GREY if kind == "system" else "white"
        handles += axes.plot(
            [],
            [],
            linestyle="none",
            marker=marker,
            markersize=5,
            color=style.GREY,
            markerfacecolor=face,
        )
        labels.append(label)
    return handles, labels
