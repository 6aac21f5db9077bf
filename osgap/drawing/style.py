# SPDX-License-Identifier: BSD-3-Clause
"""Colours, axes and labels that all figures share."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from matplotlib.transforms import Bbox

from osgap.analysis.constants import SERIES
from osgap.machines.series import clock_and_parts, parse_series

# Okabe and Ito's palette, distinguishable for colour-blind readers.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
GREY = "#666666"


def series_style(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Series -> label, colour and marker, the same in every figure for those in SERIES.

    The first 49 series have distinct looks.
    """
    order = [*SERIES, *(name for name in names if name not in SERIES)]
    return {
        name: {
            "label": series_label(name),
            "color": COLOURS[index % len(COLOURS)],
            "marker": MARKERS[(index + index // len(COLOURS)) % len(MARKERS)],
        }
        for index, name in enumerate(order)
    }


def series_label(name: str) -> str:
    """The parts that a series scales with the clock, and figures that are not the machine's own."""
    series = parse_series(name)
    return ", ".join([_scaled(series.policies), *series.texts])


def _scaled(policies: str) -> str:
    parts = clock_and_parts(policies)
    return "clock only" if parts == "clock" else parts or policies


def plain(axes: Axes) -> None:
    """Gives the axes a light grid and two spines."""
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def benchmark_label(name: object, fs: object) -> str:
    """A benchmark's name, with its file system where it has one."""
    return f"{name}" if fs == "none" else f"{name} ({fs})"


def log2_ticks(axes: Axes, values: Sequence[float]) -> None:
    """Makes x a log axis with ticks at `values` only, labelled with plain numbers."""
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(FixedLocator(sorted(values)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(NullLocator())


# Clashes, index, offset in points, horizontal and vertical anchor, box on the canvas.
_Candidate = tuple[int, int, tuple[float, float], str, str, Bbox]


def place_labels(axes: Axes, points: Sequence[tuple[float, float, str]], size: float = 7) -> None:
    """Writes each label beside its point, over no point, line or other label if possible.

    Tries positions around the point, nearest first. Call it when limits and layout are final.
    """
    renderer: RendererBase = FigureCanvasAgg(_figure(axes)).get_renderer()  # type: ignore[no-untyped-call]
    marks = [axes.transData.transform((x, y)) for x, y, _ in points]
    occupied = [Bbox.from_bounds(x - 4, y - 4, 8, 8) for x, y in marks]
    occupied += _along_lines(axes)
    for x, y, text in sorted(points):
        label = axes.annotate(
            text, (x, y), xytext=(0, 0), textcoords="offset points", fontsize=size, color=GREY
        )
        candidates: list[_Candidate] = []
        for offset, across, up in _offsets():
            label.set(ha=across, va=up)
            label.xyann = offset
            box = label.get_window_extent(renderer)
            clash = sum(box.overlaps(other) for other in occupied) + 100 * _outside(axes, box)
            candidates.append((clash, len(candidates), offset, across, up, box))
        _, _, offset, across, up, box = min(candidates, key=lambda candidate: candidate[:2])
        label.set(ha=across, va=up)
        label.xyann = offset
        occupied.append(box)


def _figure(axes: Axes) -> Figure:
    figure = axes.get_figure(root=True)
    assert figure is not None
    return figure


def _offsets() -> list[tuple[tuple[float, float], str, str]]:
    sides = [
        (1, 0, "left", "center"),
        (-1, 0, "right", "center"),
        (0, 1, "center", "bottom"),
        (0, -1, "center", "top"),
        (0.8, 0.8, "left", "bottom"),
        (-0.8, 0.8, "right", "bottom"),
        (0.8, -0.8, "left", "top"),
        (-0.8, -0.8, "right", "top"),
    ]
    return [
        ((distance * dx, distance * dy), ha, va)
        for distance in (5, 9, 14)
        for dx, dy, ha, va in sides
    ]


def _outside(axes: Axes, box: Bbox) -> bool:
    frame = axes.get_window_extent()
    return not (
        frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1
    )


def _along_lines(axes: Axes) -> list[Bbox]:
    boxes: list[Bbox] = []
    for line in axes.get_lines():
        boxes += _line_boxes(line)
    return boxes


def _line_boxes(line: Line2D) -> list[Bbox]:
    data = np.asarray(line.get_xydata(), dtype=float)
    if line.get_linestyle() == "None":
        return []
    # A guide across the axes is not in data coordinates, so use the line's transform.
    ends = line.get_transform().transform(data[~np.isnan(data).any(axis=1)])
    steps = [np.linspace(a, b, 60) for a, b in pairwise(ends)]
    return [Bbox.from_bounds(x - 2, y - 2, 4, 4) for step in steps for x, y in step]
