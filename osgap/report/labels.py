# SPDX-License-Identifier: BSD-3-Clause
"""Places names beside points so that they cross no line, as figures do."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import style
from osgap.drawing.labels import place_labels
from osgap.report.blocks import Rows

_INCHES = (9.5, 4.0)
_MARGINS = {"left": 0.07, "right": 0.86, "top": 0.97, "bottom": 0.14}
_POINTS = 8
_ALIGN = {"left": "left", "right": "right", "center": "center"}
_BASELINE = {"bottom": "bottom", "top": "top", "center": "middle"}


def place_names(points: Rows, curves: Rows, up: float, *, right: float = _MARGINS["right"]) -> Rows:
    """The points (machine, mips_ratio, value) with dx, dy, align and baseline of their names.

    `curves` are rows of lines (label, mips_ratio, value) that the names avoid; `up` ends the axis,
    `right` the plot, as a part of the width.
    """
    axes = _axes(right)
    across = [row["mips_ratio"] for row in [*points, *curves]]
    style.log2_ticks(axes, sorted(set(across)))
    axes.set_xlim(min(across) / 1.06, max(across) * 1.06)
    axes.set_ylim(0, up)
    for label in dict.fromkeys(row["label"] for row in curves):
        line = sorted((r["mips_ratio"], r["value"]) for r in curves if r["label"] == label)
        axes.plot([x for x, _ in line], [y for _, y in line])
    axes.axhline(1)
    return _named(axes, points, ("mips_ratio", "value", "machine"))


def placed_pairs(pairs: Rows) -> Rows:
    """The pairs (printed, simulated, what) with dx, dy, align and baseline of their names."""
    axes = _axes(_MARGINS["right"])
    ends = [end for pair in pairs for end in (pair["printed"], pair["simulated"])]
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(min(ends) / 1.1, max(ends) * 1.1)
    axes.set_ylim(min(ends) / 1.4, max(ends) * 1.4)
    axes.plot([min(ends), max(ends)], [min(ends), max(ends)])
    return _named(axes, pairs, ("printed", "simulated", "what"))


def _axes(right: float) -> Axes:
    figure = Figure(figsize=_INCHES)
    figure.subplots_adjust(**{**_MARGINS, "right": right})
    return figure.add_subplot()


def _named(axes: Axes, rows: Rows, keys: tuple[str, str, str]) -> Rows:
    """The rows with the places of their names; `keys` are those of x, of y and of the name."""
    x, y, name = keys
    place_labels(axes, [(row[x], row[y], row[name]) for row in rows], _POINTS, leaders=False)
    places = {text.get_text(): _place(text) for text in axes.texts}
    return [{**row, **places[row[name]]} for row in rows]


def _place(text: Any) -> dict[str, Any]:
    dx, dy = text.xyann
    return {
        "dx": float(dx),
        "dy": -float(dy),
        "align": _ALIGN[text.get_ha()],
        "baseline": _BASELINE[text.get_va()],
    }
