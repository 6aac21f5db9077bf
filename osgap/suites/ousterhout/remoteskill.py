# SPDX-License-Identifier: BSD-3-Clause
"""The skill of each engine on files of a server: its errors against the null models'."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from osgap.analysis.columns import ENGINE, count, ends, text
from osgap.analysis.table import Column, Table
from osgap.suites.ousterhout.agreement import mean_ratio
from osgap.suites.ousterhout.andrew import TREE
from osgap.suites.ousterhout.baselines import INFORMED, NULL
from osgap.suites.ousterhout.published import REFERENCE_MACHINE
from osgap.suites.ousterhout.skill import MEASURE_COLUMNS, machine_means, scores

SPEED, TIME = "R", "time"
REMOTE_SKILL = Table(
    "remote_skill",
    "errors of each engine and of the null models on a server's files",
    (
        ENGINE,
        text("quantity", "R, or time: in place of R the time of an operation"),
        text("table", "the number of the paper's table, or all"),
        text("model", "the engine or a null model, with the calls that the engine's runs counted"),
        count("machines", "machines"),
        count("cells", "cells"),
        Column("ratio", "geometric mean of a model's R (or time) by the printed, over machines"),
        *ends("ratio_", "its 95 % interval over machines"),
        *MEASURE_COLUMNS,
    ),
)
_MODELS = {NULL: "null", INFORMED: "informed"}
"""The null models -> their columns of the table "remote"."""
_PLACE = ["table", "metric", "machine"]
_ANDREW, _CREATE = "andrew_", "create_delete_"


def remote_skill_table(remote: pd.DataFrame, source: int = 1990) -> pd.DataFrame:
    """One row for each engine, quantity, table and model (REMOTE_SKILL) from the table "remote".

    Each engine is judged on the cells that it simulated, beside the null models on the same ones.
    Errors and intervals are those of osgap.suites.ousterhout.skill. The cells of the reference
    machine are left out, and those of the MicroVAX II to whose printed times Andrew's missing work
    and the cost of a call are fitted. An engine without such cells has no row.
    """
    rows = [
        {"engine": engine, "quantity": quantity, "table": table, **row}
        for engine, cells in remote.groupby("engine", sort=False)
        for quantity, logs in _quantities(cells, str(engine), source)
        for table, part in _parts(logs)
        for row in _rows(part, [str(engine), *_MODELS])
    ]
    return REMOTE_SKILL.frame(rows)


def _quantities(
    cells: pd.DataFrame, engine: str, source: int
) -> Iterator[tuple[str, pd.DataFrame]]:
    """The natural logs of R, and those of times, of the cells to judge: "paper" and the models."""
    columns = {"paper": "paper", engine: "simulated", **_MODELS}
    is_judged = (cells["machine"] != REFERENCE_MACHINE[source]) & ~is_fitted(cells)
    speeds = {name: cells[f"relative_{column}"] for name, column in columns.items()}
    yield SPEED, _logs(cells, speeds)[is_judged].dropna()
    times = {name: cells[column] for name, column in columns.items()}
    whole_tree = cells["simulated"] * TREE
    times[engine] = cells["simulated"].mask(cells["metric"].str.startswith(_ANDREW), whole_tree)
    # Times of rows of ms and of s are comparable by the reference's printed ones.
    reference = cells[cells["machine"] == REFERENCE_MACHINE[source]]
    unit = cells["metric"].map(reference.groupby("metric")["paper"].first())
    relative = {name: column / unit for name, column in times.items()}
    yield TIME, _logs(cells, relative)[is_judged].dropna()


def is_fitted(cells: pd.DataFrame) -> pd.Series:
    """Mask of cells to whose machine's printed times a part of a model is fitted."""
    is_source = cells["machine"] == REFERENCE_MACHINE[1990]
    fitted: pd.Series = is_source & ~cells["metric"].str.startswith(_CREATE)
    return fitted


def _logs(cells: pd.DataFrame, columns: dict[str, pd.Series]) -> pd.DataFrame:
    return cells[_PLACE].assign(**{name: np.log(column) for name, column in columns.items()})


def _parts(logs: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    if logs.empty:
        return
    yield "all", logs
    for table, part in logs.groupby("table", sort=True):
        yield str(table), part


def _rows(part: pd.DataFrame, models: list[str]) -> Iterator[dict[str, Any]]:
    means = machine_means(part, ["paper", *models])
    for row in scores([part], models, ranked=True):
        logs = (means[row["model"]] - means["paper"]).to_numpy(dtype=float)
        yield {**row, **mean_ratio("ratio", logs)}
