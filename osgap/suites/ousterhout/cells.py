# SPDX-License-Identifier: BSD-3-Clause
"""Puts simulated values beside the cells of the paper's tables."""

from __future__ import annotations

from collections.abc import Container

import numpy as np
import pandas as pd

from osgap.analysis.columns import ENGINE, FS, MACHINE, count, ends, flag, text
from osgap.analysis.table import Column, Table
from osgap.suites.ousterhout.null import LIMITED_BY, rule_speeds
from osgap.suites.ousterhout.published import BANDWIDTHS, MEASURED, Paper

# The paper's metric -> the benchmark here.
BENCHMARKS = {
    "getpid": "getpid",
    "cswitch_roundtrip": "cswitch",
    "select_1_pipe": "select_1",
    "select_10_empty": "select_10_empty",
    "select_10_full": "select_10_full",
    "bcopy_cached": "bcopy_cached",
    "bcopy_uncached": "bcopy_uncached",
    "read_file_cache": "read",
    "andrew_copy": "andrew_copyphases",
    "andrew_compile": "andrew_make",
    "andrew_total": "andrew_total",
    "open_close_foo": "open_close_foo",
    "open_close_a/b/c/foo": "open_close_path",
    "create_delete_0k": "create_delete_0",
    "create_delete_10k": "create_delete_10k",
    "create_delete_100k": "create_delete_100k",
}
TABLES = (2, 3, 4, 5, 6, 7, 9, 10)
LOCAL = ("-", "local")
"""Remote files (NFS, AFS, diskless Sprite) are not simulated."""
Cell = tuple[str, str, str]
CELLS = Table(
    "cells",
    "every row of the paper's tables, simulated, and by the null model",
    (
        ENGINE,
        count("table", "the number of the paper's table"),
        MACHINE,
        text("os", "the operating system of the row"),
        text("metric", "the paper's name of the benchmark"),
        text("unit", "the unit of the values"),
        FS,
        flag("related", "whether the table prints R for it, which Figure 1 averages"),
        Column("paper", "the printed value", "unit"),
        Column("simulated", "the simulated value", "unit"),
        Column("null", "the null model's value", "unit"),
        Column("relative_paper", "R of the printed value"),
        Column("relative_simulated", "R of the simulated value"),
        Column("relative_null", "R of the null model"),
        text("note", "why no hardware figure explains the cell"),
    ),
    optional=(*ends("relative_", "the simulated R's 95 % interval over layouts"),),
)
TICK = "one clock tick of 10 ms: RISC/os waits though it is asked not to (the paper's guess)"
CLIFF = "SunOS 4.0's jump between 8 and 9 KB, which the paper does not explain"
_NOTES = {
    ("RISC/os", "select_1_pipe"): TICK,
    ("RISC/os", "select_10_empty"): TICK,
    ("SunOS 4", "create_delete_10k"): CLIFF,
    ("SunOS 4", "create_delete_100k"): CLIFF,
}
"""Notes on cells that no hardware figure explains."""


def cells_table(
    reference: pd.DataFrame, simulated_rows: pd.DataFrame, source: int = 1990
) -> pd.DataFrame:
    """One row for each printed time or rate of the paper of `source` on local files (CELLS)."""
    paper = Paper(reference, source)
    printed = reference[
        (reference["source"] == source)
        & reference["table"].isin(TABLES)
        & reference["variant"].isin(LOCAL)
        & reference["metric"].isin(BENCHMARKS)
        & (reference["value"] != "--")
    ]
    columns = {"value": "simulated", "relative": "relative_simulated"}
    fixed = simulated_rows[simulated_rows["series"] == "fixed"].rename(columns=columns)
    fixed = fixed[["machine", "benchmark", "fs", *columns.values()]]
    places = set(fixed[["machine", "benchmark", "fs"]].itertuples(index=False, name=None))
    cells = printed.assign(benchmark=printed["metric"].map(BENCHMARKS))
    systems = cells[["machine", "benchmark", "os"]].itertuples(index=False, name=None)
    cells["fs"] = [file_system(places, *system) for system in systems]
    cells = cells.merge(fixed, how="left", on=["machine", "benchmark", "fs"])
    rules, values = rule_speeds(reference, source), cells["value"].astype(float)
    limits = [LIMITED_BY.get(metric, "processor") for metric in cells["metric"]]
    null = pd.Series([rules.at[key] for key in zip(cells["machine"], limits, strict=True)])
    names = cells[["metric", "machine", "os", "variant"]].itertuples(index=False, name=None)
    speeds = pd.Series([paper.relative_measured(*name) for name in names], dtype=float)
    faster = (speeds / null).mask(cells["metric"].isin(BANDWIDTHS), null / speeds)
    related = cells["metric"] == cells["table"].replace(7, 8).map(MEASURED)
    return cells.assign(
        related=np.where(related, "yes", "no"),
        paper=values,
        null=values * faster,
        relative_paper=speeds,
        relative_null=null,
        note=list(map(_note, cells["os"], cells["metric"])),
    )[CELLS.names[1:]]


def _note(os: str, metric: str) -> str:
    return next(
        (text for (name, of), text in _NOTES.items() if os.startswith(name) and metric == of), ""
    )


def related_cells(cells: pd.DataFrame) -> pd.DataFrame:
    """The cells that Figure 1 averages: related by their table, printed and simulated."""
    complete = cells.dropna(subset=["relative_paper", "relative_simulated"])
    return complete[complete["related"] == "yes"]


def file_system(cells: Container[Cell], machine: str, benchmark: str, os: str) -> str:
    """The simulated file system that stands for an operating system's: delayed for Sprite."""
    names = ("sprite", "unix", "none") if os == "Sprite" else ("unix", "none")
    return next((fs for fs in names if (machine, benchmark, fs) in cells), "none")
