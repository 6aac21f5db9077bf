# SPDX-License-Identifier: BSD-3-Clause
"""Time of each operation on a measured machine, also of one whose values were imported."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator

from osgap.analysis.constants import CHECKS
from osgap.drawing import panels, style
from osgap.drawing.display_names import benchmark_name, machine_name
from osgap.drawing.figure import NothingToDraw
from osgap.drawing.text import measured

TABLES = ["points", "times"]
ENGINES = ("native",)
READING = "median time of one operation; an operation of memcpy and memset is a whole buffer"
_UNITS = ((1.0, "ns"), (1e3, "us"), (1e6, "ms"), (1e9, "s"))
_ROW_INCHES, _MORE_INCHES = 0.22, 1.2


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws a dot for each operation, from the shortest to the longest, with its time.

    Raises NothingToDraw without an operation.
    """
    times = tables["times"]
    times = times[(times["ns_per_op"] > 0) & ~times["benchmark"].isin(CHECKS)]
    if times.empty:
        raise NothingToDraw("measured_times: the run has no benchmark")
    times = times.sort_values("ns_per_op", kind="stable", ascending=False)
    rows = list(times[["benchmark", "fs", "ns_per_op"]].itertuples(index=False, name=None))
    colour, marker = style.ENTITIES["native"]
    figure = Figure(figsize=(7.5, _ROW_INCHES * len(rows) + _MORE_INCHES), layout="constrained")
    axes = figure.add_subplot()
    for position, (_, _, duration) in enumerate(rows):
        axes.plot([duration], [position], marker, color=colour)
        axes.annotate(
            _with_unit(duration),
            (duration, position),
            xytext=(7, 0),
            textcoords="offset points",
            va="center",
            fontsize=7,
            color=style.GREY,
        )
    names = [benchmark_name(str(name), str(fs)) for name, fs, _ in rows]
    axes.set_yticks(range(len(rows)), names, fontsize=8)
    axes.set_xscale("log")
    shortest, longest = rows[-1][2], rows[0][2]
    axes.set_xlim(shortest / 2, longest * 8)
    style.only_ticks(axes.xaxis, LogLocator(10, numticks=12), "{x:g}")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda duration, _: _with_unit(duration)))
    axes.set_xlabel("time of one operation")
    style.plain(axes)
    name = machine_name(str(tables["points"]["machine"].iloc[0]))
    panels.add_heading(figure, (f"What takes how long on {name}", READING), ([], []), 1)
    return figure


def _with_unit(duration: float) -> str:
    """A time in ns as text, in the largest unit that leaves a 1 before the point."""
    size, unit = max((part for part in _UNITS if part[0] <= duration), default=_UNITS[0])
    return f"{measured([duration / size])[0]} {unit}"
