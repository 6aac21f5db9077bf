# SPDX-License-Identifier: BSD-3-Clause
"""Charts that compare: simulated with printed values, and two runs, as Vega-Lite by Altair.

Each docstring lists the chart's datasets with their fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from osgap.report.encodings import (
    HALO,
    LABEL,
    PAPER,
    Spec,
    colour,
    dashes,
    finished,
    line_ends,
    log_axis,
    name_place,
    octaves,
    shape,
    stepped,
)
from osgap.report.looks import Looks

_NEAR = 1.25
"""The factor to the band's edge beside the diagonal."""


def against(x: str, y: str, looks: Looks, *, named: bool) -> Spec:
    """Simulated against printed values. Data "pairs": printed, simulated, label, what.

    "diagonal" has the ends of a line and of the band of 25 % around it. With `named` each point has
    its name beside it.
    """
    log = alt.Scale(type="log", nice=False)
    points = (
        alt.Chart(alt.NamedData("pairs"))
        .mark_point(filled=True, size=55, opacity=0.9)
        .encode(
            alt.X("printed:Q", title=x, scale=log, axis=log_axis(across=True)),
            alt.Y("simulated:Q", title=y, scale=log, axis=log_axis()),
            color=colour(looks),
            shape=shape(looks),
            tooltip=[
                alt.Tooltip("what:N", title="cell"),
                alt.Tooltip("printed:Q", title=x, format=".3g"),
                alt.Tooltip("simulated:Q", title=y, format=".3g"),
            ],
        )
    )
    diagonal = alt.Chart(alt.NamedData("diagonal"))
    layers = [
        diagonal.mark_area(color=PAPER, opacity=0.15).encode(x="printed:Q", y="low:Q", y2="high:Q"),
        diagonal.mark_line(color=PAPER, strokeDash=[4, 4]).encode(x="printed:Q", y="simulated:Q"),
        points,
    ]
    if named:
        names = alt.Chart(alt.NamedData("pairs")).encode(
            x="printed:Q", y="simulated:Q", text="what:N"
        )
        for style in (HALO, LABEL):
            layers.append(names.mark_text(style=style, fontSize=11, **name_place()))
    return finished(alt.layer(*layers), 380)


def diagonal(values: Sequence[float]) -> list[dict[str, float]]:
    """The ends of the diagonal and of its band, somewhat beyond the values."""
    ends = (min(values) / 1.1, max(values) * 1.1)
    return [
        {"printed": end, "simulated": end, "low": end / _NEAR, "high": end * _NEAR} for end in ends
    ]


def lines(x: str, y: str, ticks: Sequence[float], looks: Looks, up: float) -> Spec:
    """Lines with intervals. Data "rows": x (with `ticks`), y, low, high, interval, label; "ends".

    A dotted line, "perfect", has y equal to x. The y axis ends at `up`.
    """
    base = alt.Chart(alt.NamedData("rows"))
    x_axis = octaves("x:Q", x, ticks)
    y_axis = alt.Y("y:Q", title=y, scale=alt.Scale(domain=[0, up], nice=False))
    shade = colour(looks)
    tooltip = ["label:N", "x:Q", alt.Tooltip("y:Q", format=".3g"), "interval:N"]
    perfect = alt.Chart(alt.InlineData(values=[{"x": tick, "y": tick} for tick in ticks]))
    layers = [
        perfect.mark_line(color=PAPER, strokeDash=[2, 3], clip=True).encode(x="x:Q", y="y:Q"),
        base.mark_rule(strokeWidth=7, opacity=0.35).encode(
            x_axis, y="low:Q", y2="high:Q", color=shade
        ),
        base.mark_line().encode(x_axis, y_axis, color=shade, strokeDash=dashes(looks)),
        base.mark_point(filled=True, size=50, opacity=1).encode(
            x_axis, y_axis, color=shade, shape=shape(looks), tooltip=tooltip
        ),
        *line_ends("x:Q", "y:Q"),
    ]
    return finished(alt.layer(*layers), 230, labelled=True)


def ratios(looks: Looks, title: str, ends: Sequence[float] = ()) -> Spec:
    """Ratios by benchmark. Data "rows": benchmark, ratio, label; "one": the ratio 1, `low`, `high`.

    The x axis has the domain `ends`.
    """
    domain: Any = {"domain": list(ends), "nice": False} if ends else {"nice": True}
    dots = (
        alt.Chart(alt.NamedData("rows"))
        .mark_point(filled=True, size=50, opacity=0.85)
        .encode(
            alt.X(
                "ratio:Q",
                title=title,
                scale=alt.Scale(type="log", **domain),
                axis=log_axis(across=True),
            ),
            alt.Y("benchmark:N", title=None, sort=None, axis=alt.Axis(labelLimit=300)),
            color=colour(looks),
            shape=shape(looks),
            tooltip=[
                alt.Tooltip("benchmark:N"),
                alt.Tooltip("label:N", title="faster parts"),
                alt.Tooltip("ratio:Q", format=".2f"),
            ],
        )
    )
    rule = alt.Chart(alt.NamedData("one")).mark_rule(color=PAPER).encode(x="ratio:Q")
    return stepped(finished(rule + dots))
