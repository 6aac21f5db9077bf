# SPDX-License-Identifier: BSD-3-Clause
"""A grid of panels, one for each benchmark and file system; title and legend above panels."""

import math
from collections.abc import Sequence

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.analysis.constants import SERIES
from osgap.drawing import style
from osgap.drawing.display_names import benchmark_name, series_name

ALIKE = 0.02
_LONGEST_TITLE = 32
"""Characters of a panel's title in one line."""
EQUAL = f"(=: within {ALIKE:.0%})".replace("%", " %")


def benchmark_panels(
    table: pd.DataFrame,
    columns: int,
    size: tuple[float, float],
    margin: float,
    *,
    shared_y: bool = False,
    letters: float = 9,
) -> tuple[Figure, list[tuple[Axes, pd.DataFrame]]]:
    """A figure with a titled panel for each benchmark of `table`, and rows; sizes in inches."""
    groups = list(table.groupby(["benchmark", "fs"], sort=False))
    rows = math.ceil(len(groups) / columns)
    width, height = size
    figure = Figure(figsize=(width * columns, height * rows + margin), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharey=shared_y).ravel()
    panels = []
    for axes, ((name, fs), group) in zip(grid, groups, strict=False):
        axes.set_title(_title(name, fs), fontsize=letters)
        panels.append((axes, group))
    for axes in grid[len(groups) :]:
        axes.set_visible(False)
    return figure, panels


def _title(name: object, fs: object) -> str:
    """A benchmark's name, in two lines where it would run into the next panel's."""
    text = benchmark_name(name, fs)
    return text.replace(" (", "\n(") if len(text) > _LONGEST_TITLE else text


def name_equal_series(axes: Axes, rows: pd.DataFrame, columns: Sequence[str]) -> None:
    """Writes below the title which of four series or fewer have the same line, within ALIKE."""
    lines = {
        str(series): line.set_index("clock_mhz")[list(columns)].sort_index()
        for series, line in rows.groupby("series", sort=False)
    }
    if not 1 < len(lines) <= len(SERIES):
        return
    groups: list[list[str]] = []
    for name, line in lines.items():
        alike = [group for group in groups if _alike(lines[group[0]], line)]
        if alike:
            alike[0].append(name)
        else:
            groups.append([name])
    texts = [" = ".join(map(series_name, group)) for group in groups if len(group) > 1]
    if len(groups) == 1:
        texts = ["all series alike"]
    axes.set_title(axes.get_title(), fontsize=axes.title.get_fontsize(), pad=4 + 9 * len(texts))
    axes.annotate(
        "\n".join(texts),
        (0.5, 1),
        xycoords="axes fraction",
        xytext=(0, 3),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize=7,
        color=style.GREY,
    )


def _alike(first: pd.DataFrame, other: pd.DataFrame) -> bool:
    if not first.index.equals(other.index):
        return False
    return bool(((first / other - 1).abs() <= ALIKE).all(axis=None))


def add_heading(
    figure: Figure,
    words: tuple[str, str],
    entries: tuple[Sequence[Artist], Sequence[str]],
    columns: int,
    right: float = 0,
) -> None:
    """Adds title and subtitle, and below them a legend with at most this many columns.

    The figure grows by their height, so the panels keep their size.
    """
    handles, labels = entries
    lines = math.ceil(len(labels) / columns)
    legend = 0.1 + 0.19 * lines if labels else 0
    width, height = figure.get_size_inches()
    height += style.title_inches(*words) + legend
    figure.set_size_inches(width, height)
    style.add_title(figure, *words, right=right, below=legend)
    if not labels:
        return
    figure.legend(
        handles,
        labels,
        loc="upper left",
        bbox_to_anchor=(0.01, 1 - style.title_inches(*words) / height),
        borderaxespad=0,
        ncols=min(len(labels), columns),
        columnspacing=1.5,
        frameon=False,
        fontsize=8,
    )
