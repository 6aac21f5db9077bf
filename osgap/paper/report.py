# SPDX-License-Identifier: BSD-3-Clause
"""The paper's tables printed beside the simulation's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd
from rich import box
from rich.table import Table

from osgap.analysis.report import plain_table

TITLES = {
    2: "getpid",
    3: "context switching",
    4: "select",
    5: "bcopy",
    6: "read from the file cache",
    7: "modified Andrew",
    9: "open-close",
    10: "create-delete",
}
_KEYS = ["table", "machine", "os", "metric", "unit", "paper", "relative_paper"]


def printed_tables(tables: Mapping[str, pd.DataFrame]) -> Iterator[Table]:
    """Tables 2-7, 9 and 10 side by side, then agreement, means and shares."""
    cells = tables["cells"]
    engines = list(dict.fromkeys(cells["engine"]))
    for number, own in cells.groupby("table", sort=True):
        yield _side_by_side(int(str(number)), own, engines)
    yield plain_table(tables["agreement"], "R over machines: rank correlation, simulated / paper")
    yield plain_table(tables["means"], "Figure 1: geometric means of R")
    yield plain_table(tables["shares"], "log R and what explains it, means over machines")


def _side_by_side(number: int, own: pd.DataFrame, engines: list[str]) -> Table:
    table = Table(title=f"Table {number}: {TITLES[number]}", box=box.ASCII2, title_justify="left")
    for name in ("machine", "system", "metric"):
        table.add_column(name, no_wrap=True)
    for name in ("unit", "paper", *engines, "R paper", *(f"R {engine}" for engine in engines)):
        table.add_column(name, justify="right", no_wrap=True)
    for key, group in own.groupby(_KEYS, sort=False, dropna=False):
        _, machine, os, metric, unit, paper, speed = key
        by = group.set_index("engine")
        values = [_number(by["simulated"].get(engine)) for engine in engines]
        speeds = [_number(by["relative_simulated"].get(engine)) for engine in engines]
        cells = [_number(paper), *values, _number(speed), *speeds]
        table.add_row(str(machine), str(os), str(metric), str(unit), *cells)
    return table


def _number(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) and value == value else ""
