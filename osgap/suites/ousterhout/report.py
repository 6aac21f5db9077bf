# SPDX-License-Identifier: BSD-3-Clause
"""Prints the paper's tables beside the simulation's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import pandas as pd

from osgap.analysis.relative import NAN
from osgap.drawing import text
from osgap.drawing.display_names import (
    column_name,
    engine_name,
    machine_name,
)
from osgap.drawing.frame_table import frame_table
from osgap.drawing.text_table import TextTable
from osgap.suites.ousterhout.baselines import CONSTANT
from osgap.suites.ousterhout.cells import NULL_MODELS
from osgap.suites.ousterhout.entry import ENTRY
from osgap.suites.ousterhout.explain import PARTS
from osgap.suites.ousterhout.hypotheses import HYPOTHESES
from osgap.suites.ousterhout.intervaltable import interval_table
from osgap.suites.ousterhout.published import TITLES
from osgap.suites.ousterhout.remotereport import REMOTE_SHOWN
from osgap.suites.ousterhout.skill import MEASURES
from osgap.suites.ousterhout.tables import DECLARED, MEANS

_NULLS = list(NULL_MODELS.values())
_SPEEDS = [f"relative_{name}" for name in ("paper", *_NULLS)]
_KEYS = ["machine", "os", "metric", "unit", "paper", *_NULLS, *_SPEEDS]
_MARKS = ("(a)", "(b)", "(c)")
PRINTED = ("cells", "agreement", "means", "shares")
"""The tables that are printed where none is named, in this order."""


def printed_tables(
    tables: Mapping[str, pd.DataFrame], names: Sequence[str] = PRINTED
) -> Iterator[TextTable]:
    """The tables in `names`; "cells" is arranged as the paper's Tables 2-7, 9 and 10."""
    for name in names:
        render = _SHOWN.get(name)
        yield from render(tables[name]) if render else [_frame_table(tables[name], name)]


def _frame_table(frame: pd.DataFrame, name: str) -> TextTable:
    if name not in DECLARED:
        return frame_table(frame, name)
    return frame_table(frame, f"{name}: {DECLARED[name].text}", DECLARED[name].columns)


def summary(tables: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    """A sentence for each engine: its R beside the paper's, over all machines and tables."""
    if "agreement" not in tables:
        return
    agreement = tables["agreement"]
    together = agreement[(agreement["table"] == "all") & agreement["ratio"].notna()]
    for row in together.to_dict("records"):
        name = engine_name(str(row["engine"]))
        order = ""
        if row["spearman"] == row["spearman"]:
            order = (
                f", and the machines' order agrees by {row['spearman']:.2f} (rank correlation, "
                f"{row['spearman_low']:.2f} to {row['spearman_high']:.2f})"
            )
        yield (
            f"{name}: the mean R of {row['machines']} machines is {row['ratio']:.2f} times the "
            f"paper's ({row['ratio_low']:.2f} to {row['ratio_high']:.2f}){order}."
        )


def _cells(cells: pd.DataFrame) -> Iterator[TextTable]:
    engines = list(dict.fromkeys(cells["engine"]))
    for number, rows in cells.groupby("table", sort=True):
        yield _side_by_side(int(str(number)), rows, engines)


def _agreement(agreement: pd.DataFrame) -> Iterator[TextTable]:
    yield interval_table(
        agreement,
        ["engine", "table", "metric", "machines", "cells", "reference_time_ratio"],
        ["spearman", "ratio", "time_ratio"],
        "over machines: rank correlation of R, and simulated / paper of R and of times, of the "
        "reference alone too [95 % interval]",
        "all the same",
    )


def _means(means: pd.DataFrame) -> Iterator[TextTable]:
    columns = means.dropna(axis=1, how="all")
    yield frame_table(columns, "Figure 1: geometric means of R", MEANS.columns)


def _shares(shares: pd.DataFrame) -> Iterator[TextTable]:
    layouts = shares[[f"{part}_share_layouts" for part in PARTS]].notna().any(axis=None)
    yield interval_table(
        shares,
        ["engine", "benchmark", "fs", "machines", "paper"],
        [f"{part}_share" for part in PARTS],
        "mean log R of the paper, and the share of it that each part explains [95 % interval over "
        "machines]" + (" ± over layouts" if layouts else ""),
        "no gap",
    )


def _entry(entry: pd.DataFrame) -> Iterator[TextTable]:
    columns = entry.dropna(axis=1, how="all")
    title = "ln R of the paper, without and with kernel entry by processor, and its share"
    yield frame_table(columns, title, ENTRY.columns)


def _hypotheses(hypotheses: pd.DataFrame) -> Iterator[TextTable]:
    yield interval_table(
        hypotheses,
        ["hypothesis", "engine", "machine", "result", "metric", "quantity", "without"],
        ["expected", "simulated"],
        HYPOTHESES.text,
        "",
    )


def _skill(skill: pd.DataFrame) -> Iterator[TextTable]:
    together = skill["table"] == "all"
    yield interval_table(
        skill[together],
        ["rows", "scale", "model", "machines", "cells"],
        list(MEASURES),
        "R against the paper's, tables together, without the fitted row: mean |ln(R / paper)|, and "
        "1 - it / the null's [95 % interval]",
        "",
    )
    by_table = skill[~together & (skill["scale"] == "own") & ~skill["model"].isin(CONSTANT)]
    yield interval_table(
        by_table.sort_values(["rows", "table"], key=_ordered, kind="stable"),
        ["rows", "table", "model", "machines", "cells"],
        ["cell_log_error", "cell_skill", "cell_skill_informed", "machine_log_error"],
        "the same, table by table, without the models of one rule",
        "",
    )


def _ordered(column: pd.Series) -> pd.Series:
    return column.astype(int) if column.name == "table" else column != "figure1"


_SHOWN: Mapping[str, Callable[[pd.DataFrame], Iterator[TextTable]]] = {
    "cells": _cells,
    "agreement": _agreement,
    "means": _means,
    "shares": _shares,
    "skill": _skill,
    "entry": _entry,
    "hypotheses": _hypotheses,
    **REMOTE_SHOWN,
}


def _side_by_side(number: int, cells: pd.DataFrame, engines: list[str]) -> TextTable:
    models = [column_name("paper"), *map(engine_name, engines), *map(column_name, _NULLS)]
    right = ["unit", *models, *(f"R {model}" for model in models)]
    notes = [note for note in cells["note"].unique() if note]
    marks = dict(zip(notes, _MARKS, strict=False))
    title = f"Table {number}: {TITLES[number]}"
    title += "".join(f"; {mark} {note}" for note, mark in marks.items())
    table = text.table(title, ["machine", "system", "metric"], right)
    for key, group in cells.groupby(_KEYS, sort=False, dropna=False):
        machine, os, metric, unit = map(str, key[:4])
        paper, *nulls = key[4 : -len(_SPEEDS)]
        speed, *null_speeds = (text.ratio(float(str(value))) for value in key[-len(_SPEEDS) :])
        by = group.set_index("engine")
        values = [_number(by["simulated"].get(engine)) for engine in engines]
        speeds = [_speed(by, engine) for engine in engines]
        texts = [_number(paper), *values, *map(_number, nulls)]
        texts += [speed, *speeds, *null_speeds]
        mark = marks.get(group["note"].iloc[0], "")
        table.add_row(machine_name(machine), os, f"{metric} {mark}".rstrip(), unit, *texts)
    return table


def _speed(by: pd.DataFrame, engine: str) -> str:
    """R of an engine, with its interval over layouts if there is one."""
    columns = ("relative_simulated", "relative_low", "relative_high")
    speed, low, high = (text.ratio(by[name].get(engine, NAN)) for name in columns)
    return f"{speed} [{low}, {high}]" if low else speed


def _number(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) and value == value else ""
