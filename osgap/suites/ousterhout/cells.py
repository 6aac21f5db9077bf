# SPDX-License-Identifier: BSD-3-Clause
"""Puts simulated values beside the cells of the paper's tables."""

from __future__ import annotations

from collections.abc import Container, Iterator

import numpy as np
import pandas as pd

from osgap.analysis.columns import ENGINE, FS, MACHINE, count, ends, flag, text
from osgap.analysis.table import Column, Table
from osgap.suites.ousterhout.informed import informed_speed
from osgap.suites.ousterhout.null import LIMITED_BY, rule_speeds
from osgap.suites.ousterhout.published import BANDWIDTHS, LOCAL, MEASURED, SPRITE, Paper

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
NULL_MODELS = {"null_model": "null", "informed_null": "informed"}
"""Models that simulate nothing -> their columns; pandas reads the bare word null as missing."""
FITTED = frozenset({"bcopy_uncached"})
"""Rows that the machines are fitted to and the null model is given: in no mean over rows."""
Cell = tuple[str, str, str]
PLACE = (
    ENGINE,
    count("table", "the number of the paper's table"),
    MACHINE,
    text("os", "the operating system of the row"),
    text("metric", "the paper's name of the benchmark"),
    text("unit", "the unit of the values"),
    FS,
)
"""The columns that say which printed cell a row is of."""
CELLS = Table(
    "cells",
    "every row of the paper's tables, simulated, and by the null model",
    (
        *PLACE,
        flag("related", "whether the table prints R for it, and it measures its benchmark"),
        Column("paper", "the printed value", "unit"),
        Column("simulated", "the simulated value", "unit"),
        Column("null", "the null model's value", "unit"),
        Column("informed", "the informed null model's value", "unit"),
        Column("relative_paper", "R of the printed value"),
        Column("relative_simulated", "R of the simulated value"),
        Column("relative_null", "R of the null model"),
        Column("relative_informed", "R of the informed null model"),
        text("note", "what a hardware figure cannot explain in the cell"),
    ),
    optional=(*ends("relative_", "the simulated R's 95 % interval over layouts"),),
)
TICK = "one clock tick of 10 ms: RISC/os waits though it is asked not to (the paper's guess)"
CLIFF = "SunOS 4.0's jump between 8 and 9 KB, which the paper does not explain"
GETHOSTID = "gethostid in place of getpid, which HP-UX answers in user space (the caption)"
_NOTES = {
    ("RISC/os", "select_1_pipe"): TICK,
    ("RISC/os", "select_10_empty"): TICK,
    ("SunOS 4", "create_delete_10k"): CLIFF,
    ("SunOS 4", "create_delete_100k"): CLIFF,
    ("HP-UX", "getpid"): GETHOSTID,
}
"""Notes on cells that no hardware figure explains: (the start of a system's name, metric)."""


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
    speeds = pd.Series([paper.relative_measured(*name) for name in _names(cells)], dtype=float)
    informed = [
        informed_speed(paper, metric, machine, os, speed)
        for (metric, machine, os, _), speed in zip(_names(cells), null, strict=True)
    ]
    notes = [_note(os, metric) for metric, _, os, _ in _names(cells)]
    related = cells["metric"] == cells["table"].replace(7, 8).map(MEASURED)
    return cells.assign(
        related=np.where(related & (np.array(notes) != GETHOSTID), "yes", "no"),
        paper=values,
        null=_values(cells, values, speeds, null),
        informed=_values(cells, values, speeds, pd.Series(informed)),
        relative_paper=speeds,
        relative_null=null,
        relative_informed=informed,
        note=notes,
    )[CELLS.names[1:]]


def _names(cells: pd.DataFrame) -> Iterator[tuple[str, str, str, str]]:
    names = cells[["metric", "machine", "os", "variant"]]
    yield from names.itertuples(index=False, name=None)


def _values(
    cells: pd.DataFrame, printed: pd.Series, speeds: pd.Series, model: pd.Series
) -> pd.Series:
    """The values in the cells' units that a model's R gives, from the printed values and R."""
    is_rate = cells["metric"].isin(BANDWIDTHS)
    return printed * (speeds / model).mask(is_rate, model / speeds)


def _note(os: str, metric: str) -> str:
    return next(
        (text for (name, of), text in _NOTES.items() if os.startswith(name) and metric == of), ""
    )


def related_cells(cells: pd.DataFrame) -> pd.DataFrame:
    """The cells that Figure 1 averages: related by their table, printed and simulated."""
    complete = cells.dropna(subset=["relative_paper", "relative_simulated"])
    return complete[complete["related"] == "yes"]


def as_simulated(cells: pd.DataFrame, column: str) -> pd.DataFrame:
    """The cells that an engine simulated, with a null model's values in place of its own."""
    is_simulated = cells["relative_simulated"].notna()
    return cells.assign(
        simulated=cells[column].where(is_simulated),
        relative_simulated=cells[f"relative_{column}"].where(is_simulated),
    )


def is_comparable(cells: pd.DataFrame) -> pd.Series:
    """Mask of the cells of rows that nothing is fitted to, without GETHOSTID."""
    comparable: pd.Series = ~cells["metric"].isin(FITTED) & (cells["note"] != GETHOSTID)
    return comparable


def averaged_cells(cells: pd.DataFrame) -> pd.DataFrame:
    """The related cells of rows that nothing is fitted to, over which all means are."""
    related = related_cells(cells)
    return related[is_comparable(related)]


def file_system(cells: Container[Cell], machine: str, benchmark: str, os: str) -> str:
    """The simulated file system that stands for an operating system's: delayed for Sprite.

    A benchmark that was not simulated on it has none: no other file system stands for it.
    """
    name = "sprite" if os == SPRITE else "unix"
    return name if (machine, benchmark, name) in cells else "none"
