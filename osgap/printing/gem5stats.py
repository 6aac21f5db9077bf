# SPDX-License-Identifier: BSD-3-Clause
"""Prints two trees of gem5's statistics side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from rich.table import Table

from osgap.base.terminal import columns
from osgap.gem5stats.gem5text import format_number


def paired_tables(table: pd.DataFrame, a: Path, b: Path) -> Iterator[Table | str]:
    """A table for each pair of dumps in the trees `a` and `b` (osgap.gem5stats.sidebyside).

    A statistic that a side lacks is empty there, and so is an undefined ratio.
    """
    yield f"a: {a}"
    yield f"b: {b}"
    for (file, dump), rows in table.groupby(["file", "dump"], sort=False):
        yield f"\n{file}, dump {dump}"
        printed = columns("statistic", "unit", "a", "b", "b / a")
        for column in printed.columns[2:]:
            column.justify = "right"
        for row in rows.to_dict("records"):
            ratio = "" if row["ratio"] is None else f"{row['ratio']:.4g}"
            printed.add_row(
                row["statistic"], row["unit"], _number(row["a"]), _number(row["b"]), ratio
            )
        yield printed


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return format_number(value) if math.isfinite(value) else str(value)
