# SPDX-License-Identifier: BSD-3-Clause
"""Draws the small picture of a run for a site's index, as an SVG of one or two kilobytes.

Its colours are classes of index.css, which differ in light and in dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.constants import series_rank
from osgap.analysis.relative import defined
from osgap.analysis.suite import Beside
from osgap.base.quoting import counted, shortened
from osgap.drawing.display_names import engine_name, series_name
from osgap.machines.series import parse_series
from osgap.printing.means import averaged_sets
from osgap.report.subject import Subject
from osgap.report.views import page_views

_WIDTH, _HEIGHT = 320, 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 20, 168, 10, 124
"""The ends of the axes; names stand to the right."""
_LINE_HEIGHT = 13
_MOST_NAMES = 5
"""With more lines the picture names the first of them."""
_LONGEST_NAME = 28
_KEPT_UP = 1.0
Point = tuple[float, float]


@dataclass(frozen=True)
class Thumbnail:
    """A picture as SVG, and a description in words."""

    svg: str
    alt: str


@dataclass(frozen=True)
class _Scale:
    """The places of values on an axis, logarithmic or not."""

    low: float
    high: float
    first: float
    last: float
    log: bool = True

    def __call__(self, value: float) -> float:
        low, high, value = (
            (math.log(number) for number in (self.low, self.high, value))
            if self.log
            else (self.low, self.high, value)
        )
        part = (value - low) / (high - low) if high > low else 0.5
        return round(self.first + part * (self.last - self.first), 1)


def thumbnail(subject: Subject, comparisons: Sequence[Beside]) -> Thumbnail | None:
    """The picture of a page: its curve of R, or else the publication's figure; None without.

    A page of two runs has none: the curve would be that of the first alone.
    """
    if subject.beside:
        return None
    curves = _mean_curves(subject)
    if curves:
        return _curves(curves)
    for comparison in comparisons:
        if comparison.printed:
            return _printed(comparison)
        if comparison.x:
            return _lines(comparison)
    return None


def _mean_curves(subject: Subject) -> dict[str, list[Point]]:
    """Series -> relative MIPS and mean R, of the first suite's rows in the first view."""
    for view in page_views(subject):
        if curves := _curves_of(view.tables):
            return curves
    return {}


def _curves_of(tables: Tables) -> dict[str, list[Point]]:
    means = tables["geomean"]
    for name in averaged_sets(means):
        rows = means[(means["set"] == name) & means["geomean"].notna()].sort_values("mips_ratio")
        curves = {
            str(series): _points(rows[rows["series"] == series], "mips_ratio", "geomean")
            for series in sorted(rows["series"].unique(), key=series_rank)
        }
        if curves := {series: line for series, line in curves.items() if len(line) > 1}:
            return curves
    return {}


def _points(rows: pd.DataFrame, x: str, y: str) -> list[Point]:
    pairs = rows[[x, y]].itertuples(index=False, name=None)
    return [(float(a), float(b)) for a, b in pairs if defined(float(a)) and defined(float(b))]


def _curves(curves: Mapping[str, Sequence[Point]]) -> Thumbnail:
    points = [point for line in curves.values() for point in line]
    x = _Scale(min(a for a, _ in points), max(a for a, _ in points), _LEFT, _RIGHT)
    y = _Scale(0, max(1.2, *(b for _, b in points)), _BOTTOM, _TOP, log=False)
    plain = [name for name in curves if not parse_series(name).values] or list(curves)
    named = plain[:_MOST_NAMES]
    parts = [
        _text(_LEFT - 4, y(_KEPT_UP) + 4, "1", "end"),
        _text(_LEFT - 4, y(0) + 4, "0", "end"),
        _path([(_LEFT, y(_KEPT_UP)), (_RIGHT, y(_KEPT_UP))], "one"),
        _path([(_LEFT, y(0)), (_RIGHT, y(0))], "axis"),
        _text(_LEFT, _HEIGHT - 10, "1"),
        _text(_RIGHT, _HEIGHT - 10, f"processor {x.high:.0f} \u00d7", "end"),
        *_drawn([curves[name] for name in curves if name not in named], x, y, "other"),
    ]
    for index, name in enumerate(named):
        parts += _drawn([curves[name]], x, y, f"s{index}")
    ends = [
        (y(curves[name][-1][1]), f"{curves[name][-1][1]:.2f} {series_name(name)}") for name in named
    ]
    parts += _names(ends)
    finals = "; ".join(f"{series_name(name)} {curves[name][-1][1]:.2f}" for name in named)
    alt = f"Mean of R from 1 to {x.high:.0f} times the processor's speed, at the end: {finals}."
    return Thumbnail(_svg(parts), alt)


def _printed(comparison: Beside) -> Thumbnail | None:
    """Simulated against printed values, about the diagonal."""
    across, up = comparison.axes
    points = _points(comparison.rows, comparison.printed, comparison.simulated)
    if not points:
        return None
    low, high = min(map(min, points)) / 1.1, max(map(max, points)) * 1.1
    x, y = _Scale(low, high, _LEFT, _RIGHT), _Scale(low, high, _BOTTOM, _TOP)
    parts = [
        _path([(x(low), y(low)), (x(high), y(high))], "one"),
        _path([(_LEFT, _TOP), (_LEFT, _BOTTOM), (_RIGHT, _BOTTOM)], "axis"),
        *(_dot(x(a), y(b), "s0") for a, b in points),
        _text(_RIGHT, _HEIGHT - 10, across, "end"),
        _text(_RIGHT + 8, _TOP + 9, f"{up} = {across}"),
    ]
    near = sum(abs(math.log(b / a)) < math.log(1.25) for a, b in points)
    share = f"{near} of {counted(len(points), 'point')}"
    alt = f"{comparison.title}. {share} lie within 25 % of the diagonal."
    return Thumbnail(_svg(parts), alt)


def _lines(comparison: Beside) -> Thumbnail | None:
    """The lines of the comparison's first panel that has any."""
    for panel, rows in comparison.rows.groupby(comparison.panel, sort=False):
        lines = {
            str(name): _points(group.sort_values(comparison.x), comparison.x, comparison.y)
            for name, group in rows.groupby(comparison.colour, sort=False)
        }
        lines = {name: line for name, line in lines.items() if len(line) > 1}
        if lines:
            return _named_lines(f"{comparison.title}: {panel}", comparison.x, lines)
    return None


def _named_lines(title: str, x_name: str, lines: Mapping[str, Sequence[Point]]) -> Thumbnail:
    points = [point for line in lines.values() for point in line]
    x = _Scale(min(a for a, _ in points), max(a for a, _ in points), _LEFT, _RIGHT)
    y = _Scale(0, max(b for _, b in points), _BOTTOM, _TOP, log=False)
    parts = [
        _path([(_LEFT, _TOP), (_LEFT, _BOTTOM), (_RIGHT, _BOTTOM)], "axis"),
        _text(_LEFT, _HEIGHT - 10, f"{x.low:g}"),
        _text(_RIGHT, _HEIGHT - 10, f"{x.high:g} {x_name}", "end"),
    ]
    named = list(lines)[:_MOST_NAMES]
    for index, name in enumerate(named):
        parts += _drawn([lines[name]], x, y, f"s{index}")
    ends = [
        (y(lines[name][-1][1]), f"{lines[name][-1][1]:.1f} {engine_name(name)}") for name in named
    ]
    parts += _names(ends)
    finals = "; ".join(f"{name} {lines[name][-1][1]:.1f}" for name in named)
    return Thumbnail(_svg(parts), f"{title}, at the end: {finals}.")


def _drawn(lines: Sequence[Sequence[Point]], x: _Scale, y: _Scale, style: str) -> Iterator[str]:
    for line in lines:
        places = [(x(a), y(b)) for a, b in line]
        yield _path(places, style)
        if style != "other":
            yield _dot(*places[-1], style)


def _names(ends: Sequence[tuple[float, str]]) -> Iterator[str]:
    """The lines' names beside their ends, moved apart where they would overlap."""
    order = sorted(range(len(ends)), key=lambda index: ends[index][0])
    places: dict[int, float] = {}
    above = -math.inf
    for index in order:
        places[index] = above = max(ends[index][0], above + _LINE_HEIGHT)
    excess = max(0.0, above - (_HEIGHT - 8))
    for index, (_, name) in enumerate(ends):
        place = round(places[index] + 4 - excess, 1)
        yield _text(_RIGHT + 8, place, shortened(name, _LONGEST_NAME), style=f"s{index}")


def _path(points: Sequence[Point], style: str) -> str:
    places = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline class="{style}" points="{places}"/>'


def _dot(x: float, y: float, style: str) -> str:
    return f'<circle class="{style}" cx="{x:g}" cy="{y:g}" r="3"/>'


def _text(x: float, y: float, words: str, anchor: str = "start", style: str = "axis") -> str:
    end = ' text-anchor="end"' if anchor == "end" else ""
    return f'<text class="{style}" x="{x:g}" y="{y:g}"{end}>{escape(words)}</text>'


def _svg(parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" aria-hidden="true">{"".join(parts)}</svg>'
