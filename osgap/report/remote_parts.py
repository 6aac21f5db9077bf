# SPDX-License-Identifier: BSD-3-Clause
"""The chart of the parts of an operation on files on a server."""

from __future__ import annotations

from collections.abc import Iterable

import altair as alt

from osgap.report.encodings import Spec, finished, legend

PARTS = {
    "client_ns": ("processor, client", "#0072B2"),
    "server_ns": ("processor, server", "#56B4E9"),
    "wire_ns": ("waiting for the wire", "#E69F00"),
    "server_disk_ns": ("waiting for the server's disk", "#009E73"),
    "other_wait_ns": ("other waits", "#999999"),
}
"""Columns of the table `remote_time` -> the name and colour of the part."""


def remote_parts(present: Iterable[str]) -> Spec:
    """A benchmark's time by clock. Data "parts": part, share, ms, rank and clock_mhz.

    The legend has the parts `present`, which are columns.
    """
    looks = [PARTS[name] for name in present]
    scale = alt.Scale(domain=[name for name, _ in looks], range=[colour for _, colour in looks])
    share, axis = "share of its time", alt.Axis(format=".0%")
    chart = (
        alt.Chart(alt.NamedData("parts"))
        .mark_bar()
        .encode(
            x=alt.X("clock_mhz:O", title="clock, MHz", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("share:Q", title=share, scale=alt.Scale(domain=[0, 1]), axis=axis),
            color=alt.Color("part:N", scale=scale, legend=legend()),
            order=alt.Order("rank:Q"),
            tooltip=[
                alt.Tooltip("part:N"),
                alt.Tooltip("share:Q", format=".1%"),
                alt.Tooltip("ms:Q", title="ms", format=".3g"),
            ],
        )
    )
    names = {column: name for column, (name, _) in PARTS.items()}
    return {**finished(chart, 240), "usermeta": {"parts": names}}
