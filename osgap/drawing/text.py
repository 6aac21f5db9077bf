# SPDX-License-Identifier: BSD-3-Clause
"""Tables as text: a console, columns, and numbers to four digits."""

import pandas as pd

from osgap.analysis.relative import defined
from osgap.drawing.text_table import Heading, TextTable


def plain_table(frame: pd.DataFrame, title: str) -> TextTable:
    """A text table of all columns, with numbers aligned to the right."""
    headings = [
        Heading(str(name), right=pd.api.types.is_numeric_dtype(frame[name]))
        for name in frame.columns
    ]
    table = TextTable(title, headings)
    for row in frame.to_dict("records"):
        table.add_row(*(number(cell) for cell in row.values()))
    return table


def table(title: str, left: list[str], right: list[str]) -> TextTable:
    """An empty text table with columns aligned to the left and to the right."""
    return TextTable(title, [*map(Heading, left), *(Heading(name, right=True) for name in right)])


def number(cell: object) -> str:
    """A cell as text: a float with four digits, "" for NaN."""
    if isinstance(cell, float):
        return "" if pd.isna(cell) else f"{cell:.4g}" if abs(cell) < 1e4 else f"{cell:.0f}"
    return str(cell)


def grouped(value: object) -> str:
    """A number with three digits, or with all in groups from 1000; "" unless above 0."""
    number = float(str(value))
    if not defined(number):
        return ""
    return f"{number:,.0f}" if number >= 1000 else f"{number:.3g}"


def ratio(value: float) -> str:
    """A ratio with two decimals, "" for NaN."""
    return "" if pd.isna(value) else f"{value:.2f}"
