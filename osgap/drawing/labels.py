# SPDX-License-Identifier: BSD-3-Clause
"""Labels beside points and at the ends of lines, over no other mark where there is room."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox

from osgap.drawing.style import GREY

_LEADER = {"arrowstyle": "-", "color": GREY, "linewidth": 0.7, "shrinkA": 0, "shrinkB": 3}
HALO = withStroke(linewidth=2.5, foreground="white")

# What it costs to cover a label or a mark, to lie outside, and each point of distance; to cover 4
# pixels of a line costs 1.
_ON_LABEL, _ON_MARK, _OUTSIDE, _FARTHER = 60.0, 15.0, 1000.0, 0.8
_ON_LEADER = 4.0
_DISTANCES = (6.0, 10.0, 15.0, 21.0, 28.0)
_FAR = 7
"""Offset in points from which on a thin line leads to the label."""

# What it costs to cover a box on the canvas.
_Occupied = tuple[float, Bbox]
# Clashes, index, offset in points, horizontal and vertical anchor, boxes of label and leader.
_Candidate = tuple[float, int, tuple[float, float], str, str, list[_Occupied]]


def place_labels(
    axes: Axes,
    points: Sequence[tuple[float, float, str]],
    size: float = 7,
    *,
    leaders: bool = True,
) -> None:
    """Writes each label beside its point, over no point, line or other label if possible.

    With `leaders` a thin line leads to farther positions. Call it when limits are final.
    """
    renderer: RendererBase = FigureCanvasAgg(_figure(axes)).get_renderer()  # type: ignore[no-untyped-call]
    marks = [axes.transData.transform((x, y)) for x, y, _ in points]
    occupied = [(_ON_LABEL, Bbox.from_bounds(x - 8, y - 8, 16, 16)) for x, y in marks]
    occupied += [box for line in axes.get_lines() for box in _line_boxes(line)]
    occupied += [box for text in axes.texts for box in _text_boxes(text, renderer)]
    for (x, y, text), mark in sorted(zip(points, marks, strict=True), key=lambda pair: pair[0]):
        label = axes.annotate(
            text, (x, y), xytext=(0, 0), textcoords="offset points", fontsize=size, color=GREY
        )
        label.set_path_effects([HALO])
        candidates: list[_Candidate] = []
        costs = np.array([cost for cost, _ in occupied])
        places = np.array([other.extents for _, other in occupied])
        for offset, across, up in _offsets(_DISTANCES if leaders else _DISTANCES[:2]):
            label.set(ha=across, va=up)
            label.xyann = offset
            box = label.get_window_extent(renderer)
            leader = _leader_boxes(axes, mark, offset) if leaders else []
            clash = float(costs[_overlaps(box, places)].sum())
            clash += sum(float(costs[_overlaps(part, places)].sum()) for _, part in leader)
            clash += _OUTSIDE * _outside(axes, box) + _FARTHER * (abs(offset[0]) + abs(offset[1]))
            candidates.append(
                (clash, len(candidates), offset, across, up, [(_ON_LABEL, box), *leader])
            )
        _, _, offset, across, up, boxes = min(candidates, key=lambda candidate: candidate[:2])
        label.set(ha=across, va=up)
        label.xyann = offset
        if leaders and _is_far(offset):
            axes.annotate(
                "", (x, y), xytext=offset, textcoords="offset points", zorder=2, arrowprops=_LEADER
            )
        occupied += boxes


def label_ends(
    axes: Axes, ends: Sequence[tuple[float, float, str, str]], size: float = 8, near: float = 0.012
) -> None:
    """Writes a label right of the axes for the end (x, y, text, colour) of each line.

    Ends within `near` of the axes' height share a label. Call it when limits are final.
    """
    low, high = axes.get_ylim()
    box = axes.get_window_extent()
    pixels = size * _figure(axes).dpi / 72 * 1.3
    merged = _merge(sorted(ends, key=lambda end: end[1]), near * abs(high - low))
    tops = [text.count("\n") + 1 for _, _, text, _ in merged]
    heights = [box.height * (y - low) / (high - low) for _, y, _, _ in merged]
    places = _spread(heights, [pixels * lines for lines in tops])
    for (x, y, text, colour), place in zip(merged, places, strict=True):
        axes.annotate(
            text,
            (x, y),
            xytext=(1.025, place / box.height),
            textcoords="axes fraction",
            fontsize=size,
            color=colour,
            va="center",
            ha="left",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.5, "shrinkB": 4},
        )


def wrapped(name: str, width: int = 16) -> str:
    """Returns a name in two lines, if it is longer than `width` and has a place to break."""
    first, word, last = name.rpartition(" and ")
    return f"{first}\n{word.strip()} {last}" if word and len(name) > width else name


def _merge(
    ends: Sequence[tuple[float, float, str, str]], near: float
) -> list[tuple[float, float, str, str]]:
    merged: list[tuple[float, float, str, str]] = []
    for x, y, text, colour in ends:
        if merged and y - merged[-1][1] <= near:
            x0, y0, text0, _ = merged.pop()
            merged.append((max(x0, x), y0, f"{text0} =\n{text}", GREY))
        else:
            merged.append((x, y, text, colour))
    return merged


def _spread(heights: Sequence[float], sizes: Sequence[float]) -> list[float]:
    """Moves centres of sizes apart, as little as a few passes need."""
    places = list(heights)
    for _ in range(60):
        for index in range(len(places) - 1):
            gap = (sizes[index] + sizes[index + 1]) / 2 - (places[index + 1] - places[index])
            if gap > 0:
                places[index] -= gap / 2
                places[index + 1] += gap / 2
    return places


def _figure(axes: Axes) -> Figure:
    figure = axes.get_figure(root=True)
    assert figure is not None
    return figure


def _offsets(distances: Sequence[float]) -> list[tuple[tuple[float, float], str, str]]:
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
        for distance in distances
        for dx, dy, ha, va in sides
    ]


def _overlaps(box: Bbox, places: np.ndarray) -> np.ndarray:
    """Says for each of `places` if `box` overlaps with it, as Bbox.overlaps does."""
    return np.asarray(
        (box.xmin <= np.maximum(places[:, 0], places[:, 2]))
        & (np.minimum(places[:, 0], places[:, 2]) <= box.xmax)
        & (box.ymin <= np.maximum(places[:, 1], places[:, 3]))
        & (np.minimum(places[:, 1], places[:, 3]) <= box.ymax)
    )


def _outside(axes: Axes, box: Bbox) -> bool:
    frame = axes.get_window_extent()
    return not (
        frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1
    )


def _is_far(offset: tuple[float, float]) -> bool:
    return max(map(abs, offset)) >= _FAR


def _leader_boxes(axes: Axes, mark: np.ndarray, offset: tuple[float, float]) -> list[_Occupied]:
    """Boxes along the line from a mark to its label; none where the label stands beside it."""
    if not _is_far(offset):
        return []
    pixels = np.asarray(offset) * _figure(axes).dpi / 72
    return _segment_boxes(mark + 0.5 * pixels, mark + pixels, _ON_LEADER)


def _segment_boxes(start: np.ndarray, end: np.ndarray, cost: float) -> list[_Occupied]:
    length = float(np.hypot(*(end - start)))
    steps = np.linspace(start, end, max(2, int(length / 4)))
    return [(cost, Bbox.from_bounds(x - 2, y - 2, 4, 4)) for x, y in steps]


def _text_boxes(text: Text, renderer: RendererBase) -> list[_Occupied]:
    """The box of a text, and of the line that leads to it."""
    boxes = [(_ON_LABEL, Text.get_window_extent(text, renderer))]
    if isinstance(text, Annotation) and text.arrow_patch is not None:
        text.update_positions(renderer)
        path = text.arrow_patch.get_path()
        ends = text.arrow_patch.get_transform().transform(path.vertices)
        boxes += _segment_boxes(ends[0], ends[-1], _ON_LEADER)
    return boxes


def _line_boxes(line: Line2D) -> list[_Occupied]:
    data = np.asarray(line.get_xydata(), dtype=float)
    if line.get_linestyle() == "None":
        return []
    # A guide across the axes is not in data coordinates, so use the line's transform.
    ends = line.get_transform().transform(data[~np.isnan(data).any(axis=1)])
    marked = line.get_marker() not in ("None", None, "")
    boxes = [(_ON_MARK, Bbox.from_bounds(x - 4, y - 4, 8, 8)) for x, y in ends if marked]
    steps = [np.linspace(a, b, 60) for a, b in pairwise(ends)]
    boxes += [(1.0, Bbox.from_bounds(x - 2, y - 2, 4, 4)) for step in steps for x, y in step]
    return boxes
