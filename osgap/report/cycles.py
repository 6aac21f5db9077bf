# SPDX-License-Identifier: BSD-3-Clause
"""The chart of the parts of a benchmark's cycles."""

from __future__ import annotations

from collections.abc import Iterable

import altair as alt

from osgap.report.encodings import Spec, finished, legend, stepped

PARTS = {
    "user": "#0072B2",
    "kernel": "#56B4E9",
    "user and kernel": "#009E73",
    "memory stall": "#D55E00",
    "idle": "#999999",
}
FIELDS = {
    "user": "user",
    "kernel": "kernel",
    "busy": "user and kernel",
    "memory_stall": "memory stall",
    "idle": "idle",
}
"""Columns of the table `attribution` -> parts."""


def cycles(parts: Iterable[str], *, of_runs: bool) -> Spec:
    """A benchmark's cycles. Data "parts": part, share, and clock_mhz or (with `of_runs`) run.

    The legend has the `parts` that occur.
    """
    present = {name: PARTS[name] for name in PARTS if name in set(parts)}
    scale = alt.Scale(domain=list(present), range=list(present.values()))
    chart = (
        alt.Chart(alt.NamedData("parts"))
        .mark_bar()
        .encode(
            **_positions(of_runs),
            color=alt.Color("part:N", scale=scale, legend=legend()),
            order=alt.Order("rank:Q"),
            tooltip=[
                alt.Tooltip("part:N"),
                alt.Tooltip("share:Q", format=".1%"),
                alt.Tooltip("cpi:Q", title="CPI", format=".3g"),
            ],
        )
    )
    return stepped(finished(chart)) if of_runs else finished(chart, 240)


def _positions(of_runs: bool) -> dict[str, alt.X | alt.Y]:
    scale = alt.Scale(domain=[0, 1])
    share, axis = "share of its cycles", alt.Axis(format=".0%")
    if of_runs:
        return {
            "x": alt.X("share:Q", title=share, scale=scale, axis=axis),
            "y": alt.Y("run:N", title=None, sort=None),
        }
    return {
        "x": alt.X("clock_mhz:O", title="clock, MHz", axis=alt.Axis(labelAngle=0)),
        "y": alt.Y("share:Q", title=share, scale=scale, axis=axis),
    }
