# SPDX-License-Identifier: BSD-3-Clause
"""Colours, shapes and dashes of a chart's labels, those of osgap.drawing.style as Vega-Lite's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from osgap.drawing import style

_CROSS = "M-.7,-1L0,-.3L.7,-1L1,-.7L.3,0L1,.7L.7,1L0,.3L-.7,1L-1,.7L-.3,0L-1,-.7Z"
_STAR = "M0,-1L.25,-.3L1,-.3L.4,.15L.6,.9L0,.45L-.6,.9L-.4,.15L-1,-.3L-.25,-.3Z"
_SHAPES = {
    "o": "circle",
    "s": "square",
    "^": "triangle-up",
    "D": "diamond",
    "v": "triangle-down",
    "P": "cross",
    "X": _CROSS,
    "*": _STAR,
}
_GLYPHS = {
    "circle": "\u25cf",
    "square": "\u25a0",
    "triangle-up": "\u25b2",
    "diamond": "\u25c6",
    "triangle-down": "\u25bc",
    "cross": "\u271a",
    _CROSS: "\u2716",
    _STAR: "\u2605",
}
_SOLID = [1, 0]
_DASHES = (_SOLID, [8, 3], [2, 2], [8, 3, 2, 3])


@dataclass(frozen=True)
class Look:
    """The look of a label's marks: a colour, a Vega shape, and the dashes of a line."""

    colour: str
    shape: str = "circle"
    dash: Sequence[float] = tuple(_SOLID)

    @property
    def glyph(self) -> str:
        """A character of the shape, for a legend in the page's text."""
        return _GLYPHS.get(self.shape, "\u25cf")

    @property
    def stroke(self) -> str:
        """The dashes as SVG's stroke-dasharray."""
        return " ".join(f"{length:g}" for length in self.dash)


Looks = Mapping[str, Look]
"""Label -> look, in the order of the legend."""


def series_looks(names: Iterable[str]) -> dict[str, Look]:
    """Series -> look, the same as in figures."""
    styles = style.series_style(names)
    return {
        name: Look(
            str(properties["color"]),
            _SHAPES.get(str(properties["marker"]), "circle"),
            _dash(properties.get("linestyle"), position),
        )
        for position, (name, properties) in enumerate(styles.items())
    }


def entity_looks(names: Iterable[str]) -> dict[str, Look]:
    """Engine, lock or other entity -> look, the same in every chart and figure."""
    distinct = list(dict.fromkeys(names))
    spare = spare_looks(distinct)
    return {
        name: Look(style.ENTITIES[name][0], _SHAPES.get(style.ENTITIES[name][1], "circle"))
        if name in style.ENTITIES
        else spare[name]
        for name in distinct
    }


def spare_looks(labels: Iterable[str]) -> dict[str, Look]:
    """Label -> look for labels that are no series; the first looks differ in colour."""
    colours = (*style.COLOURS, *style.MORE_COLOURS)
    markers = style.MARKERS
    return {
        label: Look(
            colours[index % len(colours)],
            _SHAPES[markers[(index + index // len(colours)) % len(markers)]],
            tuple(_DASHES[index // len(colours) % len(_DASHES)]),
        )
        for index, label in enumerate(dict.fromkeys(labels))
    }


def label_looks(series: Mapping[str, str], views: Mapping[str, str]) -> dict[str, Look]:
    """Label -> look: colour and shape of its series, and dashes of its view where it has several.

    More views than there are dashes have looks in turn.
    """
    looks, order = series_looks(series.values()), list(dict.fromkeys(views.values()))
    if len(order) > len(_DASHES):
        return spare_looks(series)
    if len(order) == 1:
        return {label: looks[name] for label, name in series.items()}
    return {
        label: replace(looks[name], dash=tuple(_DASHES[order.index(views[label])]))
        for label, name in series.items()
    }


def _dash(linestyle: Any, position: int) -> tuple[float, ...]:
    """A line style of matplotlib as Vega's dashes; without one, a dash for each in turn."""
    if linestyle is None:
        return tuple(_DASHES[position % len(_DASHES)])
    if isinstance(linestyle, tuple):
        return tuple(2 * float(length) for length in linestyle[1])
    return tuple(_SOLID)
