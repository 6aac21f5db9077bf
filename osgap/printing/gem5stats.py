# SPDX-License-Identifier: BSD-3-Clause
"""Two trees of gem5's statistics on the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from rich.table import Table

from osgap.base.terminal import columns
from osgap.gem5stats.gem5text import format_number


def shown(table: pd.DataFrame, a: Path, b: Path) -> Iterator[Table | str]:
    """What `stats.sidebyside` found of the trees `a` and `b`: a table for each pair of dumps.

    A statistic that a side lacks is empty there, as a ratio that is not defined.
    """
    yield f"a: {a}"
    yield f"b: {b}"
    for (file, dump), rows in table.groupby(["file", "dump"], sort=False):
        yield f"\n{file}, dump {dump}"
        one = columns("statistic", "unit", "a", "b", "b / a")
        for column in one.columns[2:]:
            column.justify = "right"
        for row in rows.to_dict("records"):
            ratio = "" if row["ratio"] is None else f"{row['ratio']:.4g}"
            one.add_row(row["statistic"], row["unit"], _number(row["a"]), _number(row["b"]), ratio)
        yield one


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return format_number(value) if math.isfinite(value) else str(value)
