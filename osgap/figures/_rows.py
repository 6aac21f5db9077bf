# SPDX-License-Identifier: BSD-3-Clause
"""Benchmarks of a figure's panels: the rows of the reference set, or all others for an appendix."""

from __future__ import annotations

import pandas as pd

from osgap.drawing.figure import NothingToDraw
from osgap.suites import main_sets, reference_set, suites


def main_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Returns the rows of the reference set's benchmarks; those of all others without any."""
    names = main_sets()[reference_set()].rows
    rows = table[table["benchmark"].isin(names)]
    if rows.empty:
        return other_rows(table)
    order = {name: place for place, name in enumerate(names)}
    ordered: pd.DataFrame = rows.iloc[rows["benchmark"].map(order).argsort(kind="stable")]
    return ordered


def listed_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Returns the rows without the benchmarks that their suite does not list."""
    unlisted = [name for suite in suites() for name in suite.unlisted]
    rows: pd.DataFrame = table[~table["benchmark"].isin(unlisted)]
    return rows


def other_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Returns the rows of all other benchmarks, without those that their suite does not list."""
    main = main_sets()[reference_set()].rows
    return listed_rows(table[~table["benchmark"].isin(main)])


def appendix_rows(table: pd.DataFrame, figure: str) -> pd.DataFrame:
    """Returns `other_rows` beside a figure of the main rows. Raises NothingToDraw."""
    rows = other_rows(table)
    if rows.empty or len(main_rows(table)) == len(rows):
        raise NothingToDraw(f"{figure}: no benchmark but those of the figure without _others")
    return rows
