# SPDX-License-Identifier: BSD-3-Clause
"""Tables as text: a console, columns, and numbers to four digits."""

import pandas as pd
from rich import box
from rich.table import Table

from osgap.analysis.relative import defined


def plain_table(frame: pd.DataFrame, title: str) -> Table:
    """Any table as it stands, numbers to the right."""
    shown = Table(title=title, box=box.ASCII2, title_justify="left")
    for name in frame.columns:
        numeric = pd.api.types.is_numeric_dtype(frame[name])
        shown.add_column(name, justify="right" if numeric else "left", no_wrap=True)
    for row in frame.to_dict("records"):
        shown.add_row(*(number(cell) for cell in row.values()))
    return shown


def table(title: str, left: list[str], right: list[str]) -> Table:
    shown = Table(title=title, box=box.ASCII2, title_justify="left")
    for heading in left:
        shown.add_column(heading, no_wrap=True)
    for heading in right:
        shown.add_column(heading, justify="right", no_wrap=True)
    return shown


def number(cell: object) -> str:
    if isinstance(cell, float):
        return "" if pd.isna(cell) else f"{cell:.4g}" if abs(cell) < 1e4 else f"{cell:.0f}"
    return str(cell)


def grouped(value: object) -> str:
    """Three digits, or all of a large number, in groups; "" for what is no number above 0."""
    number = float(str(value))
    if not defined(number):
        return ""
    return f"{number:,.0f}" if number >= 1000 else f"{number:.3g}"


def ratio(value: float) -> str:
    return "" if pd.isna(value) else f"{value:.2f}"
