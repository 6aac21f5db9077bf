# SPDX-License-Identifier: BSD-3-Clause
"""Numbers as text, and empty text tables."""

from collections.abc import Sequence

import pandas as pd

from osgap.analysis.relative import defined
from osgap.drawing.table_fit import Heading
from osgap.drawing.text_table import TextTable

_SMALL = 0.005
_LEAST = 0.0005


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
    """A ratio with two decimals, one from 0.0005 to 0.005 with one digit; "" for NaN."""
    if pd.isna(value):
        return ""
    return f"{value:.1g}" if _LEAST <= value < _SMALL else f"{value:z.2f}"


def measured(values: Sequence[float]) -> list[str]:
    """Numbers that have a unit, to four digits, with as many decimals as one of them needs."""
    decimals = max((_decimals(f"{value:.4g}") for value in values if pd.notna(value)), default=0)
    return [_measured(value, decimals) for value in values]


def _measured(value: float, decimals: int) -> str:
    if pd.isna(value):
        return ""
    if abs(value) >= 1e4 or (value and abs(value) < 1e-4):
        return f"{value:.0f}" if abs(value) >= 1 else f"{value:.3g}"
    digits = _decimals(f"{value:#.4g}") if value else 0
    return f"{value:.{min(decimals, digits)}f}"


def _decimals(text: str) -> int:
    return len(text.partition("e")[0].partition(".")[2])
