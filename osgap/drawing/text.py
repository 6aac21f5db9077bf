# SPDX-License-Identifier: BSD-3-Clause
"""Tables as text: a console, columns, and numbers to four digits."""

import pandas as pd
from rich import box
from rich.table import Table

from osgap.analysis.relative import defined


def plain_table(frame: pd.DataFrame, title: str) -> Table:
    """A rich table of all columns, with numbers aligned to the right."""
    rendered = Table(title=title, box=box.ASCII2, title_justify="left")
    for name in frame.columns:
        numeric = pd.api.types.is_numeric_dtype(frame[name])
        rendered.add_column(name, justify="right" if numeric else "left", no_wrap=True)
    for row in frame.to_dict("records"):
        rendered.add_row(*(number(cell) for cell in row.values()))
    return rendered


def table(title: str, left: list[str], right: list[str]) -> Table:
    """An empty rich table with columns aligned to the left and to the right."""
    rendered = Table(title=title, box=box.ASCII2, title_justify="left")
    for heading in left:
        rendered.add_column(heading, no_wrap=True)
    for heading in right:
        rendered.add_column(heading, justify="right", no_wrap=True)
    return rendered


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
