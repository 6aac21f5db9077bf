# SPDX-License-Identifier: BSD-3-Clause
"""The page's charts as Vega-Lite, by Altair; ui.js sets the theme's colours.

Each docstring lists the chart's datasets with their fields.
"""

from __future__ import annotations

from collections.abc import Sequence

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
    relative_speed,
    shape,
    stepped,
    without_legends,
)
from osgap.report.looks import Looks

NARROW = "width < 600"
"""An expression that holds on a telephone, where there is no space for labels."""


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
            text.mark_text(style=style, fontSize=11, opacity=hidden, **name_place())
            for style in (HALO, LABEL)
        ),
    ]


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
            alt.X(
                "shown:Q",
                title=None,
                scale=alt.Scale(type="log", nice=True),
                axis=log_axis(across=True),
            ),
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
