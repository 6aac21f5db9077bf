# SPDX-License-Identifier: BSD-3-Clause
"""Builds the page of gem5 statistics: one directory tree, or two side by side."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from osgap.base.quoting import counted
from osgap.gem5stats.sidebyside import COLUMNS, COMPARED, side_by_side
from osgap.gem5stats.tree import load
from osgap.report import comparison_charts
from osgap.report.blocks import Block, Chart, Lines, Page, PageSection, Rows, TableBlock, Text
from osgap.report.build import BuiltPage
from osgap.report.looks import Look
from osgap.report.sections import data

STATISTICS = "statistics"
_RATIO = "ratio"
_MOST_BARS = 60


def build_statistics(
    a: Path, b: Path | None, select: str = ""
) -> tuple[BuiltPage, tuple[str, ...]]:
    """Builds the page; also returns a sentence for each truncated file. Raises OsgapError.

    `select` is a regular expression of names; "" selects time, instructions, CPI, cache misses and
    memory.
    """
    chosen = select or COMPARED
    if b is None:
        return _page(*_single_tree(a, chosen), f"{a.resolve().name}", chosen)
    pair = side_by_side(a, b, chosen)
    columns = ["a", "b", _RATIO]
    numbers = pair.table[columns].apply(pd.to_numeric, errors="coerce")
    title = f"{a.resolve().name} and {b.resolve().name}"
    return _page(pair.table.assign(**numbers), pair.notes, pair.faults, title, chosen)


def _single_tree(tree: Path, chosen: str) -> tuple[pd.DataFrame, tuple[str, ...], tuple[str, ...]]:
    statistics = load(tree, chosen)
    rows = [
        (dump.file, dump.dump, name, dump.units.get(name, ""), value)
        for dump in statistics.dumps
        for name, value in dump.values.items()
    ]
    table = pd.DataFrame(rows, columns=[*COLUMNS[:4], "value"])
    return table, statistics.notes, statistics.faults


def _page(
    table: pd.DataFrame, notes: tuple[str, ...], faults: tuple[str, ...], title: str, chosen: str
) -> tuple[BuiltPage, tuple[str, ...]]:
    both = _RATIO in table
    headline = _headline(table, title, both)
    blocks: list[Block] = [
        Text(headline, "lead"),
        Text(f"The statistics whose names match {chosen}. Choose others with --select."),
    ]
    if notes or faults:
        blocks.append(Lines([*notes, *faults]))
    contents: list[Block] = [
        TableBlock("statistics-table", "Statistics", table, STATISTICS, _RATIO if both else "")
    ]
    bars = _bars(table) if both else []
    if bars:
        rows = {"rows": bars, "one": [{"ratio": 1}]}
        spec = comparison_charts.ratios({"b / a": Look("#0072B2")}, "b / a")
        words = "The ratio of each statistic, b / a. The table below has each."
        contents.insert(0, Chart("statistics-chart", "Ratios", words, spec, rows))
    tables = {STATISTICS: table}
    sections = [
        PageSection("overview", "What these are", blocks),
        PageSection("statistics", "Statistics", contents),
        data.section(tables),
    ]
    page = Page(title, "Statistics as gem5 wrote them.", sections, tables)
    return BuiltPage(page, headline), faults


def _headline(table: pd.DataFrame, title: str, both: bool) -> str:
    if not both:
        dumps = len(table[["file", "dump"]].drop_duplicates())
        return f"{title}: {counted(len(table), 'statistic')} of {counted(dumps, 'dump')}."
    ratios = table[table[_RATIO] > 0]
    seconds = ratios[ratios["statistic"] == "simSeconds"][_RATIO]
    time = f"Simulated time of b is {seconds.iloc[0]:.3g} times that of a. " if len(seconds) else ""
    differing = int((ratios[_RATIO] != 1).sum())
    return f"a and b are {title}. {time}{differing} of {counted(len(ratios), 'statistic')} differ."


def _bars(table: pd.DataFrame) -> Rows:
    """The statistics of the first pair of dumps, with the largest ratios first."""
    finite = table[(table[_RATIO] > 0) & (table[_RATIO] < float("inf"))]
    first = finite[finite["dump"] == finite["dump"].min()]
    ranked = first.assign(factor=first[_RATIO].map(lambda ratio: max(ratio, 1 / ratio)))
    extreme = ranked.sort_values("factor", ascending=False, kind="stable").head(_MOST_BARS)
    return [
        {"benchmark": name, "ratio": float(ratio), "label": "b / a"}
        for name, ratio in extreme[["statistic", _RATIO]].itertuples(index=False, name=None)
    ]
