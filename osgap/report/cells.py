# SPDX-License-Identifier: BSD-3-Clause
"""The cells of a page's tables: display names, rounded text, and the number in full."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import pandas as pd

from osgap.analysis.tables import declared_columns
from osgap.drawing import display_names as names
from osgap.drawing.text import number
from osgap.report.blocks import TableBlock
from osgap.rundir.csvfile import table_text

_LIMITS = (1.1, 1.25, 2.0)
"""Upper limits, as factors, of the deviations 0, 1 and 2; larger ones are 3."""
_CONSTANT = frozenset({"engine", "machine", "variant", "calls", "set", "series", "metric", "unit"})
"""Columns that a table leaves out, for its caption, where all rows have one value."""
_HIDDEN = frozenset({"machine_name", "benchmark_name", "engine_calls"})
"""Columns that name a chart's points; the table has the raw names' columns."""
_RATIOS = frozenset({"ratio", "R", "relative", "geomean"})
_FEW = 4
"""A table of fewer rows keeps its constant columns."""


@dataclass(frozen=True)
class TableCell:
    """A cell: its `text`, and its number as in the table's CSV (`value`, "" for text).

    `deviation` is 0 to 3 by the ratio's distance from 1, -1 for a cell that is no such ratio.
    """

    text: str
    value: str
    deviation: int = -1


@dataclass(frozen=True)
class ColumnHeading:
    """A column's heading: its display name with the unit, its meaning, its raw name."""

    text: str
    meaning: str
    name: str
    is_number: bool


@dataclass(frozen=True)
class RenderedTable:
    """A caption, headings and rows of cells."""

    caption: str
    columns: list[ColumnHeading]
    rows: list[list[TableCell]]


def rendered_table(table: TableBlock) -> RenderedTable:
    """Returns the cells of a table, with numbers as in its CSV file.

    Leaves out empty columns, and those with one value, which the caption then has.
    """
    rows, constants = _varying_columns(table)
    numeric = [name for name in rows if pd.api.types.is_numeric_dtype(rows[name])]
    lines = table_text(rows[numeric]).replace('"', "").splitlines()[1:]
    numbers = [dict(zip(numeric, line.split(","), strict=False)) for line in lines]
    visible = [name for name in rows if name != "fs" or "benchmark" not in rows]
    cells = [
        [_cell(str(name), row, full.get(name, ""), table.ratio) for name in visible]
        for row, full in zip(rows.to_dict("records"), numbers, strict=True)
    ]
    columns = [_heading(str(name), name in numeric) for name in visible]
    caption = f"{table.caption} ({', '.join(constants)})" if constants else table.caption
    return RenderedTable(caption, columns, cells)


def _varying_columns(table: TableBlock) -> tuple[pd.DataFrame, list[str]]:
    """The columns with values that differ, and the display names of the values that do not."""
    rows = table.rows.loc[:, [name for name in table.rows if name not in _HIDDEN]]
    empty = [name for name in rows if (rows[name].isna() | (rows[name].astype(str) == "")).all()]
    rows = rows.drop(columns=[name for name in empty if name != "fs"])
    if len(rows) < _FEW:
        return rows, []
    constant = [name for name in rows if name in _CONSTANT and rows[name].nunique() == 1]
    texts = [_text(str(name), rows.iloc[0].to_dict()) for name in constant]
    return rows.drop(columns=constant), [text for text in texts if text]


def _heading(name: str, is_number: bool) -> ColumnHeading:
    column = declared_columns().get(name)
    text, meaning = names.column_name(name), f"column {name}"
    if is_number and names.is_series(name):
        text, meaning = names.series_name(name), f"R where {names.series_meaning(name)} ({meaning})"
    elif column is not None:
        text = names.column_heading(column) if is_number else text
        meaning = f"{column.text} ({meaning})"
    return ColumnHeading(text, meaning, name, is_number)


def _cell(name: str, row: Mapping[Hashable, object], full_number: str, ratio: str) -> TableCell:
    if not full_number:
        return TableCell(_text(name, row), "")
    deviation = _deviation(float(full_number)) if name == ratio else -1
    value = row[name]
    if _is_ratio(name) and isinstance(value, float):
        return TableCell(f"{value:.2f}", full_number, deviation)
    return TableCell(number(value), full_number, deviation)


def _is_ratio(name: str) -> bool:
    """True for R and other ratios, which have two decimals."""
    column = declared_columns().get(name)
    if names.is_series(name) or name in _RATIOS or name.startswith("relative_"):
        return True
    return (
        column is not None and column.kind == "number" and not column.unit and "R " in column.text
    )


def _text(name: str, row: Mapping[Hashable, object]) -> str:
    """A cell of text, by its display name."""
    value = row[name]
    if value is None or value != value:
        return ""
    text = str(value)
    if name == "benchmark" and text in names.display_names().benchmark:
        return names.benchmark_name(text, row.get("fs", "none"))
    return names.RAW[name](text) if name in names.RAW and text else text


def _deviation(ratio: float) -> int:
    if not (math.isfinite(ratio) and ratio > 0):
        return -1
    factor = max(ratio, 1 / ratio)
    return sum(factor > limit for limit in _LIMITS)
