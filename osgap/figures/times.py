# SPDX-License-Identifier: BSD-3-Clause
"""Time of one operation against the clock, with an ideal 1/clock: large panels of the benchmarks
of the reference set.
"""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator

from osgap.analysis.constants import SERIES
from osgap.drawing import panels, style
from osgap.drawing.figure import FigureError
from osgap.figures import _rows

TABLES = ["points", "times"]
COLUMNS, SIZE = 2, (3.75, 1.95)
LEGEND_COLUMNS = 3
TITLE = "Time of one operation against the processor's clock"
SUBTITLE = "where lines meet, the thinner lies on the wider one"
UNITS = ((1.0, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s"))


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws log-log panels of the median time; a bandwidth appears as the time of one transfer."""
    return draw_panels(_rows.main_rows(timed(tables)), COLUMNS, SIZE)


def timed(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Returns the times of all points that are in a series.  Raises FigureError without one."""
    points = tables["points"][tables["points"]["series"] != ""]
    every = points.merge(tables["times"], on="key")
    merged: pd.DataFrame = every[every["ns_per_op"] > 0]
    if merged.empty:
        raise FigureError("times: no finished point of any series has times to draw")
    return merged


def draw_panels(merged: pd.DataFrame, columns: int, size: tuple[float, float]) -> Figure:
    """Draws a panel for each benchmark of `merged`: rows with series, clock and time."""
    letters = 9 if columns == COLUMNS else 7.5
    figure, grid = panels.benchmark_panels(merged, columns, size, 0.3, letters=letters)
    clocks = sorted(merged["clock_mhz"].unique())
    styles = style.series_style(merged["series"].unique())
    for axes, group in grid:
        _panel(axes, group, styles)
        style.log2_ticks(axes, clocks)
        if columns == COLUMNS:
            panels.name_equal_series(axes, group, ["ns_per_op"])
    figure.supxlabel("clock, MHz", fontsize=9)
    figure.supylabel("time of one operation (median)", fontsize=9)
    entries = _entries([axes for axes, _ in grid])
    legend = (list(entries.values()), list(entries))
    words = f"{SUBTITLE} {panels.EQUAL}" if columns == COLUMNS else SUBTITLE
    overlaid = words if merged["series"].nunique() <= len(SERIES) else ""
    panels.add_heading(figure, (TITLE, overlaid), legend, LEGEND_COLUMNS)
    return figure


def _panel(axes: Axes, group: pd.DataFrame, styles: dict[str, dict[str, Any]]) -> None:
    first = group.sort_values("clock_mhz", kind="stable").iloc[0]
    clocks = sorted(group["clock_mhz"].unique())
    ideal = [first["ns_per_op"] * first["clock_mhz"] / clock for clock in clocks]
    axes.plot(
        clocks, ideal, "--", color="black", linewidth=0.8, label="as fast as the clock", zorder=3
    )
    lines = list(group.groupby("series", sort=False))
    for (series, line), width in zip(lines, style.nested_widths(len(lines)), strict=True):
        ordered = line.sort_values("clock_mhz")
        axes.plot(
            ordered["clock_mhz"],
            ordered["ns_per_op"],
            markersize=2 + 1.5 * width,
            linewidth=width,
            **styles[str(series)],
        )
    style.plain(axes)
    axes.set_yscale("log")
    low, high = min([*ideal, *group["ns_per_op"]]), max([*ideal, *group["ns_per_op"]])
    axes.set_ylim(low / 1.5, high * 1.5)
    ticks = FixedLocator(_ticks(low / 1.5, high * 1.5))
    style.only_ticks(axes.yaxis, ticks, lambda value, _: time_label(value))
    axes.tick_params(labelsize=7)


def time_label(nanoseconds: float) -> str:
    """A time in the largest unit that gives at least 1, such as "20 µs"."""
    size, unit = max((pair for pair in UNITS if pair[0] <= nanoseconds), default=UNITS[0])
    return f"{nanoseconds / size:g} {unit}"


def _ticks(low: float, high: float) -> list[float]:
    """Round values between two limits: powers of ten, and finer steps for a short span."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1.0,) if high / low > 300 else (1.0, 3.0) if high / low > 20 else (1.0, 2.0, 5.0)
    ticks = [step * 10.0**power for power in powers for step in steps]
    return [tick for tick in ticks if low <= tick <= high]


def _entries(grid: list[Axes]) -> dict[str, Artist]:
    """Label -> line for the legend, from all panels: one may lack a series."""
    pairs = [axes.get_legend_handles_labels() for axes in grid]
    return {
        label: line for lines, labels in pairs for line, label in zip(lines, labels, strict=True)
    }
