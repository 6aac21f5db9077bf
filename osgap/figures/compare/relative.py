# SPDX-License-Identifier: BSD-3-Clause
"""R against the clock on two simulators, a band between the curves, by benchmark."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import panels, style
from osgap.drawing.display_names import engine_name
from osgap.drawing.figure import NothingToDraw
from osgap.figures import _findings, _rows
from osgap.figures.compare import _sides

TABLES = ["sides", "compared"]
COLUMNS, SIZE = 2, (3.75, 1.95)
LEGEND_COLUMNS = 3


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws a colour for each series, solid for side A and dashed for B."""
    return draw_panels(tables, _rows.main_rows(common(tables)), COLUMNS, SIZE)


def common(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Returns the rows with an R in both runs.  Raises NothingToDraw without one."""
    drawn: pd.DataFrame = tables["compared"].dropna(subset=["relative_a", "relative_b"])
    if drawn.empty:
        raise NothingToDraw("relative: no benchmark has an R in both runs")
    return drawn


def draw_panels(
    tables: Mapping[str, pd.DataFrame],
    drawn: pd.DataFrame,
    columns: int,
    size: tuple[float, float],
) -> Figure:
    """Draws a panel for each benchmark of `drawn`: rows with series, clock and both R."""
    names = [engine_name(str(label)) for label in tables["sides"]["label"]]
    letters = 9 if columns == COLUMNS else 7.5
    figure, grid = panels.benchmark_panels(drawn, columns, size, 0.3, letters=letters)
    styles = style.series_style(drawn["series"].unique())
    clocks = sorted(drawn["clock_mhz"].unique())
    entries: dict[str, Artist] = {}
    for axes, group in grid:
        _panel(axes, group, styles)
        style.log2_ticks(axes, clocks)
        if columns == COLUMNS:
            panels.name_equal_series(axes, group, ["relative_a", "relative_b"])
        lines, texts = axes.get_legend_handles_labels()
        entries |= dict(zip(texts, lines, strict=True))
    figure.supxlabel("clock, MHz", fontsize=9)
    figure.supylabel("R (1: kept up with the processor)", fontsize=9)
    words = (
        f"R of each benchmark on {names[0]} and on {names[1]}",
        f"{_findings.READING}\nwhere lines meet, the thinner lies on the wider one"
        + (f" {panels.EQUAL}" if columns == COLUMNS else ""),
    )
    lines, texts = _sides.entries(names)
    legend = ([*entries.values(), *lines], [*entries, *texts])
    panels.add_heading(figure, words, legend, LEGEND_COLUMNS)
    return figure


def _panel(axes: Axes, group: pd.DataFrame, styles: dict[str, dict[str, Any]]) -> None:
    style.shade_below(axes)
    series_rows = list(group.groupby("series", sort=False))
    widths = style.nested_widths(len(series_rows))
    for (series, rows), width in zip(series_rows, widths, strict=True):
        line = rows.sort_values("clock_mhz")
        look = styles[str(series)]
        x, a, b = line["clock_mhz"], line["relative_a"], line["relative_b"]
        size = 2 + 1.2 * width
        axes.plot(x, a, markersize=size, linewidth=width, **_sides.first(look))
        axes.plot(x, b, markersize=size, linewidth=1, **_sides.second(look))
    style.plain(axes)
    axes.set_ylim(0, max(1.1, group[["relative_a", "relative_b"]].max().max() * 1.08))
    axes.tick_params(labelsize=7.5)
