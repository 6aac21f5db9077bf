# SPDX-License-Identifier: BSD-3-Clause
"""A table's cells as the page shows them: to four digits, beside the whole number."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd

from osgap.drawing.text import number
from osgap.report.blocks import Table
from osgap.rundir.csvfile import table_text

_LIMITS = (1.1, 1.25, 2.0)
"""Factors: within 10 %, 25 %, and twofold; beyond is the last colour."""


@dataclass(frozen=True)
class Cell:
    """`text` is shown; `value` is the cell of the table's CSV, "" of a text; `off` 0 to 3 is how
    far from 1 it is, -1 where that is not said."""

    text: str
    value: str
    off: int = -1


@dataclass(frozen=True)
class Shown:
    """Columns (name, whether of numbers) and rows of cells."""

    columns: list[tuple[str, bool]]
    rows: list[list[Cell]]


def shown_table(table: Table) -> Shown:
    """What is shown of a table."""
    rows = table.rows
    numeric = [bool(pd.api.types.is_numeric_dtype(rows[name])) for name in rows]
    # As in the file: the page's numbers are those of its tables.
    text = table_text(rows.loc[:, numeric]).replace('"', "")
    whole = [line.split(",") for line in text.splitlines()[1:]]
    at = {name: place for place, name in enumerate(rows.columns[numeric])}
    cells = [
        [
            _cell(str(name), value, own[at[name]] if name in at else "", table.ratio)
            for name, value in row.items()
        ]
        for row, own in zip(rows.to_dict("records"), whole, strict=True)
    ]
    columns = [(str(name), is_number) for name, is_number in zip(rows, numeric, strict=True)]
    return Shown(columns, cells)


def _cell(name: str, value: object, whole: str, ratio: str) -> Cell:
    if not whole:
        return Cell("" if pd.isna(value) else str(value), "")  # type: ignore[call-overload]
    return Cell(number(value), whole, _off(float(whole)) if name == ratio else -1)


def _off(ratio: float) -> int:
    if not (math.isfinite(ratio) and ratio > 0):
        return -1
    factor = max(ratio, 1 / ratio)
    return sum(factor > limit for limit in _LIMITS)
