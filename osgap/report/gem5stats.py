# SPDX-License-Identifier: BSD-3-Clause
"""The page of anybody's gem5 statistics: one tree, or two side by side."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from osgap.gem5stats.sidebyside import COLUMNS, COMPARED, side_by_side
from osgap.gem5stats.tree import load
from osgap.report import charts
from osgap.report.blocks import Block, Chart, Lines, Page, Rows, Section, Table, Text
from osgap.report.build import Built
from osgap.report.sections import data

STATISTICS = "statistics"
_RATIO = "ratio"
_MOST_BARS = 60


def build_statistics(a: Path, b: Path | None, select: str = "") -> tuple[Built, tuple[str, ...]]:
    """The page, and a sentence for each file that was not read to its end. Raises OsgapError.

    `select` is a regular expression; "" are time, instructions, CPI, cache misses and memory.
    """
    chosen = select or COMPARED
    if b is None:
        return _page(*_one(a, chosen), f"{a.resolve().name}", chosen)
    found = side_by_side(a, b, chosen)
    table = found.table.assign(**{name: _numbers(found.table[name]) for name in ("a", "b", _RATIO)})
    title = f"{a.resolve().name} and {b.resolve().name}"
    return _page(table, found.notes, found.faults, title, chosen)


def _one(tree: Path, chosen: str) -> tuple[pd.DataFrame, tuple[str, ...], tuple[str, ...]]:
    found = load(tree, chosen)
    rows = [
        (one.file, one.dump, name, one.units.get(name, ""), value)
        for one in found.dumps
        for name, value in one.values.items()
    ]
    table = pd.DataFrame(rows, columns=[*COLUMNS[:4], "value"])
    return table, (), found.faults


def _numbers(cells: pd.Series) -> pd.Series:
    return pd.to_numeric(cells, errors="coerce")


def _page(
    table: pd.DataFrame, notes: tuple[str, ...], faults: tuple[str, ...], title: str, chosen: str
) -> tuple[Built, tuple[str, ...]]:
    both = _RATIO in table
    told = _headline(table, title, both)
    blocks: list[Block] = [
        Text(told, "lead"),
        Text(f"The statistics whose names match {chosen}. Choose others with --select."),
    ]
    if notes or faults:
        blocks.append(Lines([*notes, *faults]))
    shown: list[Block] = [
        Table("statistics-table", "Statistics", table, STATISTICS, _RATIO if both else "")
    ]
    bars = _bars(table) if both else []
    if bars:
        rows = {"rows": bars, "one": [{"ratio": 1}]}
        spec = charts.ratios({"b / a": "#0072B2"}, "b / a")
        words = "The ratio of each statistic, b / a. The table below has each."
        shown.insert(0, Chart("statistics-chart", "Ratios", words, spec, rows))
    tables = {STATISTICS: table}
    sections = [
        Section("overview", "What these are", blocks),
        Section("statistics", "Statistics", shown),
        data.section(tables),
    ]
    page = Page(f"osgap: {title}", "Statistics as gem5 wrote them.", sections, tables)
    return Built(page, told), faults


def _headline(table: pd.DataFrame, title: str, both: bool) -> str:
    if not both:
        dumps = len(table[["file", "dump"]].drop_duplicates())
        return f"{title}: {len(table)} statistics of {dumps} dumps."
    known = table[table[_RATIO] > 0]
    seconds = known[known["statistic"] == "simSeconds"][_RATIO]
    time = f"Simulated time of b is {seconds.iloc[0]:.3g} times that of a. " if len(seconds) else ""
    apart = int((known[_RATIO] != 1).sum())
    return f"a and b are {title}. {time}{apart} of {len(known)} statistics differ."


def _bars(table: pd.DataFrame) -> Rows:
    """The statistics of the first pair of dumps, those furthest apart first."""
    known = table[(table[_RATIO] > 0) & (table[_RATIO] < float("inf"))]
    first = known[known["dump"] == known["dump"].min()]
    order = first.assign(off=first[_RATIO].map(lambda ratio: max(ratio, 1 / ratio)))
    far = order.sort_values("off", ascending=False, kind="stable").head(_MOST_BARS)
    return [
        {"benchmark": name, "ratio": float(ratio), "label": "b / a"}
        for name, ratio in far[["statistic", _RATIO]].itertuples(index=False, name=None)
    ]
