# SPDX-License-Identifier: BSD-3-Clause
"""Prints two trees of gem5's statistics side by side, or several, each beside its base."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd
from rich.table import Table

from osgap.base import terminal
from osgap.base.written import WrittenFloat
from osgap.drawing.frame_table import raw_table
from osgap.drawing.text_table import TextTable
from osgap.gem5stats.derived import Derived
from osgap.gem5stats.gem5text import format_number

_RATES = ("ipc", "cpi", "mpki")
_OMITTED = ("file", "dump", "instructions", "cycles")


def paired_tables(table: pd.DataFrame, a: Path, b: Path) -> Iterator[Table | str]:
    """A table for each pair of dumps in the trees `a` and `b` (osgap.gem5stats.sidebyside)."""
    yield f"a: {a}"
    yield f"b: {b}"
    for (file, dump), rows in table.groupby(["file", "dump"], sort=False):
        yield f"\n{file}, dump {dump}"
        printed = terminal.columns("statistic", "unit", "a", "b", "b / a")
        for column in printed.columns[2:]:
            column.justify = "right"
        for _, _, name, unit, *sides, ratio in rows.itertuples(index=False):
            quotient = "" if ratio is None else f"{ratio:.4g}"
            printed.add_row(name, unit, *map(_number, sides), quotient)
        yield printed


def tree_tables(table: pd.DataFrame, parameters: Sequence[str]) -> Iterator[TextTable | str]:
    """A table for each statistic of a dump, a row a tree (osgap.gem5stats.trees.normalised).

    The trees' parameters name them, or their paths where two trees have the same parameters.
    """
    columns = ["value", "value / base"]
    table = table.rename(columns={"ratio": columns[1]})
    headings = [*_labels(table, parameters, ("file", "dump", "statistic")), *columns]
    numbers = table.assign(**{columns[1]: pd.to_numeric(table[columns[1]], errors="coerce")})
    for (file, dump), rows in numbers.groupby(["file", "dump"], sort=False):
        yield f"\n{file}, dump {dump}"
        for (name, unit), trees in rows.groupby(["statistic", "unit"], sort=False, dropna=False):
            title = f"{name} ({unit})" if isinstance(unit, str) else str(name)
            yield raw_table(trees[headings], title)


def derived_table(derived: Derived) -> TextTable:
    """The rates of osgap.gem5stats.derived; file and dump only where the trees have several."""
    table, parameters = derived.table, derived.parameters
    keys = [name for name in ("file", "dump") if name in table and table[name].nunique() > 1]
    figures = table.drop(columns=["tree", *parameters, *_OMITTED], errors="ignore")
    rates = {n: n.upper().replace("_", " ") for n in map(str, figures) if n.endswith(_RATES)}
    figures = figures.apply(pd.to_numeric).rename(columns=rates)
    rows = table[[*_labels(table, parameters, keys), *keys]].join(figures)
    return raw_table(rows, f"base: {derived.base}")


def _labels(table: pd.DataFrame, parameters: Sequence[str], keys: Sequence[str]) -> list[str]:
    """The columns that name a tree: its parameters, or its path where two trees have the same."""
    unique = parameters and not table.duplicated([*parameters, *keys]).any()
    return list(parameters) if unique else ["tree"]


def _number(value: float | None) -> str:
    if value is None:
        return ""
    is_printed = isinstance(value, WrittenFloat) or not math.isfinite(value)
    return str(value) if is_printed else format_number(value)
