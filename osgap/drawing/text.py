# SPDX-License-Identifier: BSD-3-Clause
"""Numbers as text, and empty text tables."""

import pandas as pd

from osgap.analysis.relative import defined
from osgap.drawing.text_table import Heading, TextTable

_SMALL = 0.005


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
    """A ratio with two decimals, one below 0.005 with one digit; "" for NaN."""
    if pd.isna(value):
        return ""
    return f"{value:.1g}" if 0 < abs(value) < _SMALL else f"{value:.2f}"


def measured(value: float) -> str:
    """A number that has a unit, to four digits; "" for NaN."""
    if pd.isna(value):
        return ""
    if value == 0 or abs(value) >= 1e4:
        return f"{value:.0f}"
    if abs(value) < 1e-4:
        return f"{value:.3g}"
    return f"{value:#.4g}".removesuffix(".")
