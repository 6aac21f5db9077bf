# SPDX-License-Identifier: BSD-3-Clause
"""The page's charts as Vega-Lite, by Altair; ui.js sets the theme's colours.

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
    octaves,
    relative_speed,
    shape,
    stepped,
    without_legends,
)
from osgap.report.looks import Looks

NARROW = "width < 600"
"""An expression that holds on a telephone, where there is no space for labels."""
_NEAR = 1.25
"""The factor to the band's edge beside the diagonal."""


def means(
    looks: Looks, ticks: Sequence[float], ends: tuple[float, float], up: float, *, paper: bool
) -> Spec:
    """R against MIPS. Data "means": mips_ratio, value, low, high, label; "ends": labels of lines.

    "paper" has the publication's machines, with places for their names. The axes are fixed: x goes
    from end to end with `ticks`, y ends at `up`. The check boxes beside the chart are its legend.
    """
    base = alt.Chart(alt.NamedData("means"))
    x = octaves("mips_ratio:Q", "MIPS relative to the slowest machine", ticks, ends)
    y = relative_speed([0, up])
    tooltip = [
        alt.Tooltip("label:N", title="faster parts"),
        alt.Tooltip("clock_mhz:Q", title="clock, MHz"),
        alt.Tooltip("value:Q", title="mean R", format=".2f"),
        alt.Tooltip("interval:N", title="95 % interval"),
        alt.Tooltip("mips:Q", title="MIPS", format=".4g"),
        alt.Tooltip("instructions:Q", title="instructions simulated", format=",.0f"),
    ]
    layers = [
        _kept_up(),
        base.mark_area(opacity=0.15).encode(x=x, y="low:Q", y2="high:Q", color=colour(looks)),
        base.mark_rule(strokeWidth=15, opacity=0.4).encode(
            x="mips_ratio:Q", y="low:Q", y2="high:Q", color=colour(looks)
        ),
        base.mark_line().encode(x, y=y, color=colour(looks), strokeDash=dashes(looks)),
        base.mark_point(filled=True, size=60, opacity=1).encode(
            x, y=y, color=colour(looks), shape=shape(looks), tooltip=tooltip
        ),
        *line_ends("mips_ratio:Q", "value:Q"),
    ]
    spec = finished(alt.layer(*layers, *(_paper() if paper else ())), labelled=True)
    return without_legends(spec)


def _kept_up() -> alt.Chart:
    unity = alt.Chart(alt.InlineData(values=[{"value": 1}]))
    rule: alt.Chart = unity.mark_rule(color=PAPER, strokeDash=[2, 3]).encode(y="value:Q")
    return rule


def _paper() -> list[alt.Chart]:
    printed = alt.Chart(alt.NamedData("paper")).encode(
        x="mips_ratio:Q",
        y="value:Q",
        tooltip=[
            alt.Tooltip("machine:N", title="printed in 1990"),
            alt.Tooltip("mips_ratio:Q", title="MIPS relative to the MicroVAX II", format=".3g"),
            alt.Tooltip("value:Q", title="mean R", format=".2f"),
        ],
    )
    hidden = alt.ExprRef(expr=f"{NARROW} ? 0 : 1")
    text = printed.encode(text="machine:N")
    return [
        printed.mark_point(color=PAPER, size=45),
        *(
            text.mark_text(style=style, fontSize=11, opacity=hidden, **_place())
            for style in (HALO, LABEL)
        ),
    ]


def _place() -> dict[str, Any]:
    """The place of a name beside its point, as osgap.report.labels gives it."""
    return {name: alt.ExprRef(expr=f"datum.{name}") for name in ("dx", "dy", "align", "baseline")}


def heat(title: str) -> Spec:
    """R by memory's latency and bandwidth. Data "cells": latency, bandwidth, value, text."""
    base = alt.Chart(alt.NamedData("cells")).encode(
        alt.X("bandwidth:O", title="memory bandwidth, MB/s", axis=alt.Axis(labelAngle=0)),
        alt.Y("latency:O", title="memory latency, ns"),
    )
    ramp = alt.Scale(domain=[0, 1], range=["#fde3d3", "#f4a582", "#92c5de", "#2166ac"])
    rows = base.mark_rect().encode(
        color=alt.Color("value:Q", scale=ramp, title=title, legend=None),
        tooltip=[
            alt.Tooltip("latency:O", title="latency, ns"),
            alt.Tooltip("bandwidth:O", title="bandwidth, MB/s"),
            alt.Tooltip("value:Q", title="mean R", format=".2f"),
        ],
    )
    text = base.mark_text(fontSize=15).encode(
        text="text:N",
        color=alt.condition("datum.value > 0.75", alt.value("#ffffff"), alt.value("#1b1b1b")),
    )
    return finished(rows + text, 200)


def explored(looks: Looks) -> Spec:
    """The predicted curve. Data "curve", "marks", "native" and "here": mips_ratio and value.

    "curve" also has low and high.
    """
    curve = alt.Chart(alt.NamedData("curve"))
    marks = alt.Chart(alt.NamedData("marks"))
    native = alt.Chart(alt.NamedData("native"))
    here = alt.Chart(alt.NamedData("here"))
    tooltip = [
        alt.Tooltip("name:N", title="machine"),
        alt.Tooltip("mips_ratio:Q", title="MIPS ratio", format=".3g"),
        alt.Tooltip("value:Q", title="R", format=".2f"),
    ]
    x, y = octaves("mips_ratio:Q", "MIPS relative to the reference"), relative_speed()
    layers = [
        _kept_up(),
        curve.mark_area(opacity=0.25, color="#0072B2").encode(
            x="mips_ratio:Q", y="low:Q", y2="high:Q"
        ),
        curve.mark_line(color="#0072B2", strokeWidth=2.5).encode(x, y=y),
        marks.mark_point(size=45).encode(
            x, y=y, color=colour(looks), shape=shape(looks), tooltip=tooltip
        ),
        native.mark_point(shape="diamond", size=120, filled=True, color="#CC79A7").encode(
            x, y=y, tooltip=tooltip
        ),
        here.mark_point(shape="cross", size=260, filled=True, color="#D55E00").encode(
            x, y=y, tooltip=tooltip
        ),
    ]
    return finished(alt.layer(*layers))


def by_clock(looks: Looks, clocks: Sequence[float], *, logarithmic: bool = False) -> Spec:
    """A benchmark's values by clock. Data "rows": clock_mhz (with ticks at `clocks`), shown, label,
    metric; "ends": labels of lines.

    The caption says what the values are.
    """
    x = octaves("clock_mhz:Q", "clock, MHz", clocks)
    scale = alt.Scale(type="log", nice=True) if logarithmic else alt.Scale(zero=True)
    axis = log_axis() if logarithmic else alt.Axis()
    base = alt.Chart(alt.NamedData("rows")).encode(
        x,
        alt.Y("shown:Q", title=None, scale=scale, axis=axis),
        color=colour(looks),
        tooltip=[
            alt.Tooltip("label:N", title="faster parts"),
            alt.Tooltip("clock_mhz:Q", title="clock, MHz"),
            alt.Tooltip("relative:Q", title="R", format=".2f"),
            alt.Tooltip("value:Q", title="value", format=".4g"),
            alt.Tooltip("metric:N", title="unit"),
        ],
    )
    layers = [
        base.mark_line().encode(strokeDash=dashes(looks)),
        base.mark_point(filled=True, size=50, opacity=1).encode(shape=shape(looks)),
        *line_ends("clock_mhz:Q", "shown:Q"),
    ]
    return finished(alt.layer(*layers), 240, labelled=True)


def by_run(looks: Looks) -> Spec:
    """A benchmark's values by run. Data "rows": run, shown, label, metric."""
    chart = (
        alt.Chart(alt.NamedData("rows"))
        .mark_point(filled=True, size=60, opacity=0.9)
        .encode(
            alt.X("shown:Q", title=None, scale=alt.Scale(type="log", nice=True), axis=log_axis()),
            alt.Y("run:N", title=None, sort=None),
            color=colour(looks),
            shape=shape(looks),
            tooltip=[
                alt.Tooltip("run:N"),
                alt.Tooltip("label:N", title="faster parts"),
                alt.Tooltip("value:Q", title="value", format=".4g"),
                alt.Tooltip("metric:N", title="unit"),
            ],
        )
    )
    return stepped(finished(chart))


def against(x: str, y: str, looks: Looks, *, named: bool) -> Spec:
    """Simulated against printed values. Data "pairs": printed, simulated, label, what.

    "diagonal" has the ends of a line and of the band of 25 % around it. With `named` each point has
    its name beside it.
    """
    log = alt.Scale(type="log", nice=False)
    points = (
        alt.Chart(alt.NamedData("pairs"))
        .mark_point(filled=True, size=55, opacity=0.8)
        .encode(
            alt.X("printed:Q", title=x, scale=log, axis=log_axis()),
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
            layers.append(names.mark_text(style=style, fontSize=11, **_place()))
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
            alt.X("ratio:Q", title=title, scale=alt.Scale(type="log", **domain), axis=log_axis()),
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
