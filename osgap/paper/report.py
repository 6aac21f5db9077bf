# SPDX-License-Identifier: BSD-3-Clause
"""The paper's tables printed beside the simulation's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd
from rich import box
from rich.table import Table

from osgap.analysis.report import plain_table
from osgap.paper.explain import PARTS

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
    yield _intervals(
        tables["agreement"],
        ["engine", "table", "metric", "machines", "cells"],
        ["spearman", "ratio"],
        "R over machines: rank correlation, and simulated / paper [95 % interval]",
    )
    yield plain_table(tables["means"], "Figure 1: geometric means of R")
    yield _intervals(
        tables["shares"],
        ["engine", "benchmark", "fs", "machines", "paper"],
        [f"{part}_share" for part in PARTS],
        "mean log R of the paper, and the share of it that each part explains [95 % interval]",
    )


def _intervals(
    frame: pd.DataFrame, plain: list[str], with_interval: list[str], title: str
) -> Table:
    table = Table(title=title, box=box.ASCII2, title_justify="left")
    for name in (*plain, *with_interval):
        table.add_column(name, justify="right", no_wrap=True)
    for row in frame.to_dict("records"):
        cells = [_number(row[name]) or str(row[name]) for name in plain]
        for name in with_interval:
            low, high = row[f"{name}_low"], row[f"{name}_high"]
            known = row[name] == row[name]
            cells.append(f"{row[name]:.2f} [{low:.2f}, {high:.2f}]" if known else "no gap")
        table.add_row(*cells)
    return table


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
