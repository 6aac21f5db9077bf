# SPDX-License-Identifier: BSD-3-Clause
"""The cells of a page's tables: text of four digits, and the number in full."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd

from osgap.drawing.text import number
from osgap.report.blocks import TableBlock
from osgap.rundir.csvfile import table_text

_LIMITS = (1.1, 1.25, 2.0)
"""Upper limits, as factors, of the deviations 0, 1 and 2; larger ones are 3."""


@dataclass(frozen=True)
class TableCell:
    """A cell: its `text`, and its number as in the table's CSV (`value`, "" for text).

    `deviation` is 0 to 3 by the ratio's distance from 1, -1 for a cell that is no such ratio.
    """

    text: str
    value: str
    deviation: int = -1


@dataclass(frozen=True)
class RenderedTable:
    """Columns (name, True for numbers) and rows of cells."""

    columns: list[tuple[str, bool]]
    rows: list[list[TableCell]]


def rendered_table(table: TableBlock) -> RenderedTable:
    """Returns the cells of a table, with numbers as in its CSV file."""
    rows = table.rows
    numeric = [bool(pd.api.types.is_numeric_dtype(rows[name])) for name in rows]
    text = table_text(rows.loc[:, numeric]).replace('"', "")
    numbers = [line.split(",") for line in text.splitlines()[1:]]
    position = {name: index for index, name in enumerate(rows.columns[numeric])}
    cells = [
        [
            _cell(
                str(name),
                value,
                row_numbers[position[name]] if name in position else "",
                table.ratio,
            )
            for name, value in row.items()
        ]
        for row, row_numbers in zip(rows.to_dict("records"), numbers, strict=True)
    ]
    columns = [(str(name), is_number) for name, is_number in zip(rows, numeric, strict=True)]
    return RenderedTable(columns, cells)


def _cell(name: str, value: object, full_number: str, ratio: str) -> TableCell:
    if not full_number:
        return TableCell("" if pd.isna(value) else str(value), "")  # type: ignore[call-overload]
    deviation = _deviation(float(full_number)) if name == ratio else -1
    return TableCell(number(value), full_number, deviation)


def _deviation(ratio: float) -> int:
    if not (math.isfinite(ratio) and ratio > 0):
        return -1
    factor = max(ratio, 1 / ratio)
    return sum(factor > limit for limit in _LIMITS)
