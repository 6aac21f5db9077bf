# SPDX-License-Identifier: BSD-3-Clause
"""A grid of panels, one for each benchmark and file system, and the legend above it."""

import math
from collections.abc import Sequence

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import style


def benchmark_panels(
    table: pd.DataFrame,
    columns: int,
    size: tuple[float, float],
    margin: float,
    *,
    shared_y: bool = False,
) -> tuple[Figure, list[tuple[Axes, pd.DataFrame]]]:
    """A figure with a titled panel for each benchmark of `table`, and the panel's rows.

    A panel is `size` inches wide and high; legend and labels add `margin` inches of height.
    """
    groups = list(table.groupby(["benchmark", "fs"], sort=False))
    rows = math.ceil(len(groups) / columns)
    width, height = size
    figure = Figure(figsize=(width * columns, height * rows + margin), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharey=shared_y).ravel()
    panels = []
    for axes, ((name, fs), group) in zip(grid, groups, strict=False):
        axes.set_title(style.benchmark_label(name, fs), fontsize=8)
        panels.append((axes, group))
    for axes in grid[len(groups) :]:
        axes.set_visible(False)
    return figure, panels


def legend_above(
    figure: Figure, entries: tuple[Sequence[Artist], Sequence[str]], columns: int
) -> None:
    """Adds a legend of handles and labels above the panels, with at most this many columns."""
    handles, labels = entries
    figure.legend(
        handles,
        labels,
        loc="outside upper center",
        ncols=min(len(labels), columns),
        frameon=False,
        fontsize=8,
    )
