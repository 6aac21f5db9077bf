# SPDX-License-Identifier: BSD-3-Clause
"""Every cell of the paper's tables on a server's files: R simulated against R printed."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator

from osgap.drawing import panels, style
from osgap.drawing.display_names import display_names, engine_name, machine_name
from osgap.drawing.figure import NothingToDraw
from osgap.drawing.labels import place_labels
from osgap.suites.ousterhout.cells import NULL_MODELS
from osgap.suites.ousterhout.published import MEASURED, TITLES
from osgap.suites.ousterhout.remote import REMOTE
from osgap.suites.ousterhout.simulated import REFERENCE

TABLES: list[str] = []
OPTIONAL = [REMOTE]
TITLE = "Files on a server: R simulated against R printed"
READING = (
    "on the line they are equal; grey band: within 25 %; machines are named beside the rows that\n"
    "the paper relates; light: the null models, which count the same calls"
)
CLOSE = 1.25
PROTOCOLS = {"nfs": ("o", style.COLOURS[0]), "diskless": ("^", style.COLOURS[1])}
PROTOCOLS["afs"] = ("s", style.COLOURS[2])
"""The protocols -> their markers and colours."""
_NULLS = {"null": "x", "informed": "+"}
"""The null models' columns -> their markers."""
_RELATED = {**MEASURED, 7: MEASURED[8]}
_SPEEDS = ["relative_paper", "relative_simulated", *(f"relative_{name}" for name in _NULLS)]


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """A row of panels for each of the paper's tables, a column for each engine."""
    remote = tables.get(REMOTE.name, REMOTE.frame([]))
    cells = remote[remote["machine"] != REFERENCE].dropna(subset=_SPEEDS[:2])
    if cells.empty:
        raise NothingToDraw("remote: no cell of a server's files was simulated")
    engines = list(dict.fromkeys(cells["engine"]))
    numbers = sorted(cells["table"].unique())
    figure = Figure(figsize=(7.5, 3.0 * len(numbers)), layout="constrained")
    grid = figure.subplots(len(numbers), len(engines), squeeze=False)
    for line, number in zip(grid, numbers, strict=True):
        for axes, engine in zip(line, engines, strict=True):
            rows = cells[(cells["table"] == number) & (cells["engine"] == engine)]
            _panel(axes, rows)
            axes.set_title(f"{TITLES[int(number)]}, {engine_name(str(engine))}", fontsize=8.5)
        line[0].set_ylabel("R simulated", fontsize=9)
    for axes in grid[-1]:
        axes.set_xlabel("R printed", fontsize=9)
    handles = _legend(list(dict.fromkeys(cells["fs"])))
    names = [str(handle.get_label()) for handle in handles]
    panels.add_heading(figure, (TITLE, READING), (handles, names), 5)
    figure.draw_without_rendering()
    for axes, (number, engine) in zip(
        grid.flat, ((n, e) for n in numbers for e in engines), strict=True
    ):
        is_named = (cells["engine"] == engine) & (cells["metric"] == _RELATED[int(number)])
        _name_machines(axes, cells[is_named])
    return figure


def _panel(axes: Axes, rows: pd.DataFrame) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    style.plain(axes)
    for axis in (axes.xaxis, axes.yaxis):
        style.only_ticks(axis, LogLocator(10, subs=(1, 2, 5)))
    axes.tick_params(labelsize=7.5)
    if rows.empty:
        return
    for column, marker in _NULLS.items():
        look: dict[str, Any] = {
            "marker": marker,
            "color": style.GREY,
            "alpha": 0.45,
            "markersize": 5,
        }
        axes.plot(rows["relative_paper"], rows[f"relative_{column}"], linestyle="none", **look)
    for fs, group in rows.groupby("fs"):
        axes.plot(
            group["relative_paper"], group["relative_simulated"], zorder=5, **_look(str(fs), 4.5)
        )
    values = rows[_SPEEDS].to_numpy(dtype=float)
    ends = np.array([np.nanmin(values) / 1.5, np.nanmax(values) * 1.5])
    band = axes.fill_between(ends, ends / CLOSE, ends * CLOSE, color=style.GREY, linewidth=0)
    band.set_alpha(0.15)
    axes.plot(ends, ends, color=style.GREY, linewidth=0.8)
    axes.set_xlim(*ends)
    axes.set_ylim(*ends)


def _look(fs: str, size: float) -> dict[str, Any]:
    marker, colour = PROTOCOLS[fs]
    return {
        "marker": marker,
        "color": colour,
        "linestyle": "none",
        "markersize": size,
        "alpha": 0.85,
        "label": display_names().fs[fs].name,
    }


def _legend(protocols: list[str]) -> list[Line2D]:
    """The protocols' markers, then the null models'."""
    marks = [Line2D([], [], **_look(fs, 5)) for fs in PROTOCOLS if fs in protocols]
    nulls = {column: model for model, column in NULL_MODELS.items()}
    return marks + [
        Line2D(
            [],
            [],
            marker=marker,
            color=style.GREY,
            alpha=0.45,
            linestyle="none",
            label=engine_name(nulls[column]),
        )
        for column, marker in _NULLS.items()
    ]


def _name_machines(axes: Axes, rows: pd.DataFrame) -> None:
    points = rows[["relative_paper", "relative_simulated", "machine"]]
    labels = [(x, y, machine_name(str(name))) for x, y, name in points.itertuples(index=False)]
    if labels:
        place_labels(axes, labels, 6.5)
