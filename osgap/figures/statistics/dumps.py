# SPDX-License-Identifier: BSD-3-Clause
"""gem5's statistics from dump to dump: a panel for each, a line for each file."""

from collections.abc import Iterable, Mapping
from itertools import takewhile
from pathlib import PurePath

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from osgap.drawing import style
from osgap.drawing.figure import FigureError, NothingToDraw

TABLES = ["dumps"]
_TITLE = "Statistics from dump to dump"
MOST_PANELS = 12
MOST_FILES = len(style.COLOURS) + len(style.MORE_COLOURS)
_MARKED = 60
"""Most dumps of a line whose points are marked."""


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws values over simulated time, or over dumps' numbers where files have no finalTick.

    The table has the columns of `osgap.gem5stats.frame.over_dumps`. Raises NothingToDraw if no file
    has two dumps, FigureError for more panels or lines than can be told apart.
    """
    dumps = tables["dumps"].dropna(subset=["value"])
    names, files = dumps["statistic"].unique(), dumps["file"].unique()
    _check(dumps)
    x = "dump" if dumps["ticks"].isna().any() else "ticks"
    columns = 2 if len(names) > 1 else 1
    rows = -(-len(names) // columns)
    below = 0.16 * len(files) + 0.1 if len(files) > 1 else 0.0
    height = (4.2 if rows == 1 else 2.1 * rows + 1.0) + below
    figure = Figure(figsize=(7.5, height), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharex=True).ravel()
    colours = style.entity_colours(files)
    for axes, name in zip(grid, names, strict=False):
        _panel(axes, dumps[dumps["statistic"] == name], x, colours)
    for axes in grid[len(names) :]:
        axes.set_axis_off()
    figure.supxlabel("simulated time (ticks)" if x == "ticks" else "dump", fontsize=9)
    shared = _shared_folder(files)
    explanation = f"each value at the end of what its dump counts; {shared}".removesuffix("; .")
    style.add_title(figure, _TITLE, explanation, below=below)
    if len(files) > 1:
        lines = {str(line.get_label()): line for axes in grid for line in axes.lines}
        figure.legend(
            lines.values(),
            [str(PurePath(file).relative_to(shared)) for file in lines],
            loc="upper left",
            bbox_to_anchor=(0, 1 - style.title_inches(_TITLE, explanation) / height),
            fontsize=7,
            frameon=False,
        )
    return figure


def _shared_folder(files: Iterable[str]) -> PurePath:
    """Returns the beginning that all paths have; all of a single path."""
    levels = zip(*(PurePath(file).parts for file in files), strict=False)
    return PurePath(*(level[0] for level in takewhile(lambda level: len(set(level)) == 1, levels)))


def _check(dumps: pd.DataFrame) -> None:
    for column, most, option in (
        ("statistic", MOST_PANELS, "--select"),
        ("file", MOST_FILES, "--stats"),
    ):
        if (count := dumps[column].nunique()) > most:
            kind = "statistics" if column == "statistic" else "files"
            raise FigureError(f"{option}: found {count} {kind}; allowed: {most} in a figure")
    if dumps.groupby("file")["dump"].nunique().max() < 2:
        raise NothingToDraw("--stats: found one dump of each file; allowed: several")


def _panel(axes: Axes, rows: pd.DataFrame, x: str, colours: Mapping[str, str]) -> None:
    for file, line in rows.groupby("file", sort=False):
        marker = "o" if len(line) <= _MARKED else ""
        axes.plot(
            line[x],
            line["value"],
            marker=marker,
            markersize=3,
            linewidth=1.2,
            color=colours[str(file)],
            label=str(file),
        )
    style.plain(axes)
    axes.set_title(str(rows["statistic"].iloc[0]), fontsize=8)
    axes.set_ylabel(str(rows["unit"].iloc[0]).strip("()"), fontsize=8)
    axes.tick_params(labelsize=7)
    for axis in (axes.xaxis, axes.yaxis):
        axis.get_offset_text().set_fontsize(7)
    if x == "dump":
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
