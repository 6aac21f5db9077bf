# SPDX-License-Identifier: BSD-3-Clause
"""The page's charts as Vega-Lite, by Altair; page.js sets the theme's colours.

Each docstring lists the chart's datasets with their fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

Spec = dict[str, Any]
Colours = Mapping[str, str]
"""Label -> colour, in the order of the legend."""
_NARROW = 400  # pixels
_HEIGHT = 320
_PAPER = "#888888"
_R = "R, MIPS-relative speed"
PARTS = {
    "user": "#0072B2",
    "kernel": "#56B4E9",
    "user and kernel": "#009E73",
    "memory stall": "#D55E00",
    "idle": "#999999",
}


def means(colours: Colours, *, paper: bool) -> Spec:
    """R against MIPS. Data "means": mips_ratio, value, low, high, label; "paper": its machines."""
    base = alt.Chart(alt.NamedData("means"))
    tooltip = [
        alt.Tooltip("label:N", title="what scales"),
        alt.Tooltip("clock_mhz:Q", title="clock, MHz"),
        alt.Tooltip("value:Q", title="R, mean", format=".4g"),
        alt.Tooltip("interval:N", title="95 % interval"),
        alt.Tooltip("mips:Q", title="MIPS", format=".4g"),
        alt.Tooltip("instructions:Q", title="instructions simulated", format=",.0f"),
    ]
    layers = [
        base.mark_rule(strokeWidth=2, opacity=0.5).encode(
            x="mips_ratio:Q", y="low:Q", y2="high:Q", color=_colour(colours)
        ),
        base.mark_line().encode(_ratio(), y=_y(), color=_colour(colours)),
        base.mark_point(filled=True, size=70, opacity=1).encode(
            _ratio(), y=_y(), color=_colour(colours), tooltip=tooltip
        ),
    ]
    if paper:
        printed = alt.Chart(alt.NamedData("paper")).encode(
            x="mips_ratio:Q",
            y="value:Q",
            tooltip=[
                alt.Tooltip("machine:N", title="printed in 1990"),
                alt.Tooltip("mips_ratio:Q", title="MIPS relative to the MicroVAX II", format=".4g"),
                alt.Tooltip("value:Q", title="R, mean", format=".4g"),
            ],
        )
        layers.append(printed.mark_point(color=_PAPER, size=60))
        text = printed.encode(text="machine:N")
        layers.append(text.mark_text(color=_PAPER, dx=6, align="left", fontSize=9))
    return _finished(alt.layer(*layers))


def explored(colours: Colours) -> Spec:
    """The predicted curve. Data "curve", "marks", "native" and "here": mips_ratio and value.

    "curve" also has low and high.
    """
    curve = alt.Chart(alt.NamedData("curve"))
    marks = alt.Chart(alt.NamedData("marks"))
    native = alt.Chart(alt.NamedData("native"))
    here = alt.Chart(alt.NamedData("here"))
    tooltip = [
        alt.Tooltip("name:N", title="machine"),
        alt.Tooltip("mips_ratio:Q", title="MIPS relative", format=".4g"),
        alt.Tooltip("value:Q", title="R", format=".4g"),
    ]
    series = _colour(colours)
    layers = [
        curve.mark_area(opacity=0.25, color="#0072B2").encode(
            x="mips_ratio:Q", y="low:Q", y2="high:Q"
        ),
        curve.mark_line(color="#0072B2", strokeWidth=2.5).encode(_ratio(), y=_y()),
        marks.mark_point(size=45).encode(_ratio(), y=_y(), color=series, tooltip=tooltip),
        native.mark_point(shape="diamond", size=120, filled=True, color="#CC79A7").encode(
            _ratio(), y=_y(), tooltip=tooltip
        ),
        here.mark_point(shape="cross", size=260, filled=True, color="#D55E00").encode(
            _ratio(), y=_y(), tooltip=tooltip
        ),
    ]
    return _finished(alt.layer(*layers))


def by_clock(
    colours: Colours, title: str, clocks: Sequence[float], *, logarithmic: bool = False
) -> Spec:
    """A benchmark's values by clock. Data "rows": clock_mhz (with ticks at `clocks`), shown, label,
    metric.
    """
    across = alt.Scale(type="log", base=2, nice=False, padding=18)
    ticks = alt.Axis(values=list(clocks), format="~g") if clocks else alt.Axis(format="~g")
    scale = alt.Scale(type="log", nice=True) if logarithmic else alt.Scale(zero=True)
    base = alt.Chart(alt.NamedData("rows")).encode(
        alt.X("clock_mhz:Q", title="clock, MHz", scale=across, axis=ticks),
        alt.Y("shown:Q", title=title, scale=scale),
        color=_colour(colours),
        tooltip=[
            alt.Tooltip("label:N", title="what scales"),
            alt.Tooltip("clock_mhz:Q", title="clock, MHz"),
            alt.Tooltip("relative:Q", title="R", format=".4g"),
            alt.Tooltip("value:Q", title="value", format=".4g"),
            alt.Tooltip("metric:N", title="unit"),
        ],
    )
    return _finished(base.mark_line() + base.mark_point(filled=True, size=50, opacity=1), 240)


def by_run(colours: Colours, title: str) -> Spec:
    """A benchmark's values by run. Data "rows": run, shown, label, metric."""
    chart = (
        alt.Chart(alt.NamedData("rows"))
        .mark_point(filled=True, size=60, opacity=0.9)
        .encode(
            alt.X("shown:Q", title=title, scale=alt.Scale(type="log", nice=True)),
            alt.Y("run:N", title=None, sort=None),
            color=_colour(colours),
            tooltip=[
                alt.Tooltip("run:N"),
                alt.Tooltip("label:N", title="what scales"),
                alt.Tooltip("value:Q", title="value", format=".4g"),
                alt.Tooltip("metric:N", title="unit"),
            ],
        )
    )
    return _stepped(_finished(chart))


def cycles(*, of_runs: bool) -> Spec:
    """A benchmark's cycles. Data "parts": part, share, and clock_mhz or (with `of_runs`) run."""
    order = list(PARTS)
    chart = (
        alt.Chart(alt.NamedData("parts"))
        .mark_bar()
        .encode(
            **_positions(of_runs),
            color=_colour(PARTS, "where its cycles go"),
            order=alt.Order("rank:Q"),
            tooltip=[
                alt.Tooltip("part:N"),
                alt.Tooltip("share:Q", format=".1%"),
                alt.Tooltip("cpi:Q", title="CPI", format=".3g"),
            ],
        )
    )
    spec = _stepped(_finished(chart)) if of_runs else _finished(chart, 240)
    spec["encoding"]["color"]["field"] = "part"
    spec["encoding"]["color"]["scale"]["domain"] = order
    return spec


def _positions(of_runs: bool) -> dict[str, alt.X | alt.Y]:
    scale = alt.Scale(domain=[0, 1])
    share = "share of its cycles"
    if of_runs:
        return {
            "x": alt.X("share:Q", title=share, scale=scale),
            "y": alt.Y("run:N", title=None, sort=None),
        }
    return {
        "x": alt.X("clock_mhz:O", title="clock, MHz"),
        "y": alt.Y("share:Q", title=share, scale=scale),
    }


def against(x: str, y: str, colours: Colours, *, named: bool) -> Spec:
    """Simulated against printed values. Data "pairs": printed, simulated, label, what.

    "diagonal" has the ends of a line. With `named` each point has its name beside it.
    """
    log = alt.Scale(type="log", nice=False)
    points = (
        alt.Chart(alt.NamedData("pairs"))
        .mark_point(filled=True, size=45, opacity=0.7)
        .encode(
            alt.X("printed:Q", title=x, scale=log),
            alt.Y("simulated:Q", title=y, scale=log),
            color=_colour(colours),
            tooltip=[
                alt.Tooltip("what:N", title="cell"),
                alt.Tooltip("printed:Q", format=".4g"),
                alt.Tooltip("simulated:Q", format=".4g"),
            ],
        )
    )
    if len(colours) > len(set(colours.values())):
        points = points.encode(shape=_shape(colours))
    line = alt.Chart(alt.NamedData("diagonal")).mark_line(color=_PAPER, strokeDash=[4, 4])
    layers = [line.encode(x="printed:Q", y="simulated:Q"), points]
    if named:
        names = alt.Chart(alt.NamedData("pairs")).mark_text(
            align="left", dx=7, fontSize=9, color=_PAPER
        )
        layers.append(names.encode(x="printed:Q", y="simulated:Q", text="what:N"))
    return _finished(alt.layer(*layers), 380)


def lines(x: str, y: str, ticks: Sequence[float], colours: Colours) -> Spec:
    """Lines with intervals. Data "rows": x (with `ticks`), y, low, high, interval, label."""
    base = alt.Chart(alt.NamedData("rows"))
    scale = alt.Scale(type="log", base=2, nice=False, padding=18)
    x_axis = alt.X("x:Q", title=x, scale=scale, axis=alt.Axis(values=list(ticks)))
    y_axis = alt.Y("y:Q", title=y)
    colour = _colour(colours)
    tooltip = ["label:N", "x:Q", alt.Tooltip("y:Q", format=".4g"), "interval:N"]
    return _finished(
        base.mark_rule().encode(x_axis, y="low:Q", y2="high:Q", color=colour)
        + base.mark_line().encode(x_axis, y_axis, color=colour)
        + base.mark_point(filled=True, size=50, opacity=1).encode(
            x_axis, y_axis, color=colour, tooltip=tooltip
        )
    )


def ratios(colours: Colours, title: str) -> Spec:
    """Ratios by benchmark. Data "rows": benchmark, ratio, label; "one": the ratio 1."""
    dots = (
        alt.Chart(alt.NamedData("rows"))
        .mark_point(filled=True, size=50, opacity=0.8)
        .encode(
            alt.X("ratio:Q", title=title, scale=alt.Scale(type="log", nice=True)),
            alt.Y("benchmark:N", title=None, sort=None),
            color=_colour(colours),
            tooltip=["benchmark:N", "label:N", alt.Tooltip("ratio:Q", format=".4g")],
        )
    )
    rule = alt.Chart(alt.NamedData("one")).mark_rule(color=_PAPER).encode(x="ratio:Q")
    return _stepped(_finished(rule + dots))


def _ratio() -> alt.X:
    scale = alt.Scale(type="log", base=2, nice=False, padding=18)
    return alt.X("mips_ratio:Q", title="MIPS relative to the slowest machine", scale=scale)


def _y() -> alt.Y:
    return alt.Y("value:Q", title=_R, scale=alt.Scale(zero=True))


def _colour(colours: Colours, title: str | None = None) -> alt.Color:
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    return alt.Color("label:N", scale=scale, legend=_legend(title))


def _shape(colours: Colours) -> alt.Shape:
    """The shape of a point, for more labels than colours."""
    forms = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]
    turns = len(set(colours.values()))
    shapes = [forms[index // turns % len(forms)] for index in range(len(colours))]
    scale = alt.Scale(domain=list(colours), range=shapes)
    return alt.Shape("label:N", scale=scale, legend=_legend(None))


def _legend(title: str | None) -> alt.Legend:
    # A telephone has space for one column.
    columns = alt.ExprRef(expr=f"width < {_NARROW} ? 1 : 2")
    return alt.Legend(
        orient="bottom", title=title, columns=columns, labelLimit=300, symbolOpacity=1
    )


def _stepped(spec: Spec) -> Spec:
    """The chart with its height set by its number of rows."""
    return {**spec, "height": {"step": 16}, "autosize": {"type": "fit-x", "contains": "padding"}}


def _finished(chart: Any, height: int = _HEIGHT) -> Spec:
    spec: Spec = chart.properties(width="container", height=height).to_dict()
    return spec
