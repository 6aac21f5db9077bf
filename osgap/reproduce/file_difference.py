# SPDX-License-Identifier: BSD-3-Clause
"""Compares tables over several runs, as CSV files: to the byte, else by their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from osgap.base import inputs
from osgap.reproduce.work import COMBINED
from osgap.rundir.directory import MANIFEST

_TABLES = "tables"


@dataclass(frozen=True)
class TablesDifference:
    """The tables that differ, and the largest relative difference of a number, with its place.

    It is 1 where a table has other rows or columns.
    """

    names: tuple[str, ...]
    worst: float = 0.0
    where: str = ""


def tables_difference(committed: Path, again: Path) -> TablesDifference | None:
    """Compares the tables in `committed`/tables that were made too; None without any.

    A run's own tables are no tables over several.
    """
    if (committed / MANIFEST).is_file() or not (committed / _TABLES).is_dir():
        return None
    folders = (again / _TABLES, again / COMBINED / _TABLES)
    pairs = [
        (before, after)
        for before in sorted((committed / _TABLES).glob("*.csv"))
        for after in (folder / before.name for folder in folders)
        if after.is_file()
    ]
    if not pairs:
        return None
    differing = [pair for pair in pairs if inputs.read_bytes(pair[0]) != inputs.read_bytes(pair[1])]
    apart = {before.stem: _farthest(before, after) for before, after in differing}
    if not apart:
        return TablesDifference(())
    name = max(apart, key=lambda name: apart[name][0])
    worst, column = apart[name]
    return TablesDifference(tuple(apart), worst, f"{name}.csv {column}".strip())


def _farthest(before: Path, after: Path) -> tuple[float, str]:
    """The largest relative difference of two tables' numbers, and its column."""
    a, b = (pd.read_csv(inputs.open_bytes(path), keep_default_na=False) for path in (before, after))
    if list(a.columns) != list(b.columns) or len(a) != len(b):
        return 1.0, ""
    farthest = (0.0, "")
    for column in a.columns:
        first, second = (pd.to_numeric(side[column], errors="coerce") for side in (a, b))
        largest = pd.concat([first.abs(), second.abs()], axis=1).max(axis=1).replace(0, np.nan)
        apart = ((first - second).abs() / largest).max()
        texts = first.isna() & second.isna() & (a[column].astype(str) != b[column].astype(str))
        distance = 1.0 if (first.isna() != second.isna()).any() or texts.any() else apart
        farthest = max(farthest, (0.0 if pd.isna(distance) else float(distance), str(column)))
    return farthest
