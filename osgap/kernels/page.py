# SPDX-License-Identifier: BSD-3-Clause
"""Builds the page of a comparison of two kernels."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

import altair as alt
import pandas as pd

from osgap.base.quoting import counted, one_line
from osgap.base.version import VERSION
from osgap.kernels.alarms import KERNEL_AB_ALARMS
from osgap.kernels.comparison import KernelComparison
from osgap.kernels.judgement import EQUAL, KERNEL_AB
from osgap.kernels.resolution import KERNEL_AB_RESOLUTION
from osgap.kernels.results import TABLES
from osgap.kernels.sentences import has_several_places, printed_rows, row_name
from osgap.report.blocks import Block, Chart, Details, Lines, Page, PageSection, TableBlock, Text
from osgap.report.encodings import PAPER, Spec, colour, finished, shape, stepped
from osgap.report.looks import Look
from osgap.report.sections import data

NAME = "report.html"
_LOOKS = {
    "differs": Look("#D55E00", "diamond"),
    EQUAL: Look("#0072B2", "circle"),
}
_MANY = 400
"""Lines of a patch that the page shows."""


def build_page(
    comparison: KernelComparison,
    tables: Mapping[str, pd.DataFrame],
    sentences: Sequence[str],
    command: Sequence[str],
) -> Page:
    """Returns the page: sentences, rows, detectable differences, patches, and the command."""
    rows = tables[KERNEL_AB.name]
    sections = [
        PageSection("overview", "Does the change matter?", _overview(rows, sentences)),
        PageSection("rows", "Row by row", _row_blocks(rows)),
        PageSection("resolution", "Smallest detectable difference", _resolution(tables)),
        *_alarms(tables),
        PageSection("change", "The change", _change(comparison, command)),
        data.section(tables, {table.name: table.text for table in TABLES}),
    ]
    title = f"{comparison.changed_label} against {comparison.base_label}"
    return Page(title, "Two kernels, each linked in several layouts.", sections, dict(tables))


def _overview(rows: pd.DataFrame, sentences: Sequence[str]) -> list[Block]:
    first, *more = sentences
    blocks: list[Block] = [Text(first, "lead")]
    if len(rows):
        blocks.append(_chart(rows))
    return [*blocks, Lines(more)] if more else blocks


def _chart(rows: pd.DataFrame) -> Chart:
    several = has_several_places(rows)
    points = [
        {
            "benchmark": row_name(row, several=several),
            "percent": row["percent"],
            "low": row["percent_low"],
            "high": row["percent_high"],
            "label": EQUAL if row["verdict"] == EQUAL else "differs",
        }
        for _, row in rows.iterrows()
    ]
    words = (
        "How much longer each row takes on the changed kernel, in percent, with its 95 % interval "
        "over pairs of layouts. The table below has each."
    )
    contents = {"rows": points, "none": [{"percent": 0}]}
    title = "Time on the changed kernel, against the base"
    return Chart("kernel-ab-chart", title, words, _spec(), contents)


def _spec() -> Spec:
    """Differences by row. Data "rows": benchmark, percent, low, high, label; "none": percent 0."""
    base = alt.Chart(alt.NamedData("rows"))
    title = "longer than on the base, %"
    y = alt.Y("benchmark:N", title=None, sort=None, axis=alt.Axis(labelLimit=300))
    layers = [
        alt.Chart(alt.NamedData("none")).mark_rule(color=PAPER).encode(x="percent:Q"),
        base.mark_rule(strokeWidth=2).encode(
            alt.X("low:Q", title=title), y, x2="high:Q", color=colour(_LOOKS)
        ),
        base.mark_point(filled=True, size=60, opacity=1).encode(
            alt.X("percent:Q", title=title),
            y,
            color=colour(_LOOKS),
            shape=shape(_LOOKS),
            tooltip=[
                alt.Tooltip("benchmark:N"),
                alt.Tooltip("percent:Q", format="+.2f"),
                alt.Tooltip("low:Q", format="+.2f"),
                alt.Tooltip("high:Q", format="+.2f"),
            ],
        ),
    ]
    return stepped(finished(alt.layer(*layers)))


def _row_blocks(rows: pd.DataFrame) -> list[Block]:
    if rows.empty:
        return [Text("No row was measured in two pairs of layouts.")]
    text = (
        "Instructions and misses are how many more the changed kernel takes for one operation; a "
        "miss is a line that memory delivers. Where the instructions are equal and the time is "
        "not, look at the misses: the change may have moved other code."
    )
    caption = "Both kernels, means over layouts"
    return [Text(text), TableBlock("kernel-ab-rows", caption, printed_rows(rows), KERNEL_AB.name)]


def _resolution(tables: Mapping[str, pd.DataFrame]) -> list[Block]:
    rows = tables[KERNEL_AB_RESOLUTION.name]
    if rows.empty:
        return [Text("Not known before two pairs of layouts are finished.")]
    text = (
        "The difference that a comparison detects in 80 % of cases, by the spread of the pairs of "
        "this comparison. More layouts detect smaller ones."
    )
    caption = "Smallest detectable difference, by layouts and minutes"
    return [
        Text(text),
        TableBlock("kernel-ab-detectable", caption, rows, KERNEL_AB_RESOLUTION.name),
    ]


def _alarms(tables: Mapping[str, pd.DataFrame]) -> list[PageSection]:
    """The section of false alarms, where they were counted."""
    if KERNEL_AB_ALARMS.name not in tables:
        return []
    text = (
        "The layouts are divided at random into comparisons that share none, several times. Both "
        "sides of each are one kernel, so that whatever differs is a false alarm."
    )
    rows = tables[KERNEL_AB_ALARMS.name]
    table = TableBlock("kernel-ab-alarms", "False alarms", rows, KERNEL_AB_ALARMS.name)
    return [PageSection("alarms", "False alarms", [Text(text), table])]


def _change(comparison: KernelComparison, command: Sequence[str]) -> list[Block]:
    blocks: list[Block] = [
        Text(f"Base: {comparison.base_label}. Changed: {comparison.changed_label}.")
    ]
    for name, text in comparison.changed_kernel.texts():
        lines = text.splitlines()
        rest = [f"({counted(len(lines) - _MANY, 'line')} more)"] if len(lines) > _MANY else []
        blocks.append(Details(name, "\n".join([*lines[:_MANY], *rest])))
    blocks += [Text("Make this comparison again:"), Text(one_line(shlex.join(command)), "code")]
    return [*blocks, Text(f"Made by osgap {VERSION}.", "note")]
