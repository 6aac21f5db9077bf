# SPDX-License-Identifier: BSD-3-Clause
"""Causes whose effect was written down before they were simulated, beside what was simulated."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
from pydantic import Field

from osgap.analysis.columns import ENGINE, ends, text
from osgap.analysis.reference import load_reference
from osgap.analysis.relative import NAN
from osgap.analysis.table import Column, Table
from osgap.base.config import read_model
from osgap.base.frozen import Frozen
from osgap.base.paths import project_root
from osgap.rundir.csvfile import ResultsError
from osgap.suites.ousterhout.agreement import agreement_table
from osgap.suites.ousterhout.cells import cells_table
from osgap.suites.ousterhout.simulated import simulated_values

HYPOTHESES = Table(
    "hypotheses",
    "causes, the effect expected of each before it was simulated, and the simulated one",
    (
        text("hypothesis", "the name in results/reference/predictions.toml"),
        ENGINE,
        text("machine", "the machine's name; all: the mean over the machines"),
        text("metric", "the paper's name of the benchmark"),
        text("quantity", "ratio: simulated / printed R; time_ratio: simulated / printed time"),
        Column("without", "the quantity without the cause"),
        Column("expected", "the quantity that was expected with the cause"),
        *ends("expected_", "what does not speak against the cause"),
        Column("simulated", "the quantity with the cause"),
        *ends("simulated_", "its 95 % interval over machines"),
        text("result", "as expected, too low or too high"),
    ),
)
RUNS = {
    "one mapping a page": ("machines", "entry"),
    "a virtual cache flushed at each switch": ("machines", "entry"),
    "a kernel without what 1990 had not, context switch": ("small", "entry"),
    "a kernel without what 1990 had not, open-close": ("small", "entry"),
    "a file system that writes as often as FFS": ("ffs", "period"),
    "a kernel of two years before, context switch": ("older-kernel", "hypotheses/newer-kernel"),
    "a kernel of two years before, open-close": ("older-kernel", "hypotheses/newer-kernel"),
}
"""Hypothesis -> its runs hypotheses/NAME-ENGINE, and those without the cause, NAME-ENGINE."""
ALL = "all"
_SIDES = {
    "ratio": ("relative_simulated", "relative_paper"),
    "time_ratio": ("simulated", "paper"),
}


class ExpectedEffect(Frozen):
    """The effect that was expected of one cause, by engine."""

    name: str
    date: datetime.date
    machine: str = Field(default=ALL, description="one machine; without it the mean over all")
    metric: str
    quantity: Literal["ratio", "time_ratio"]
    cause: str
    source: str
    why: str
    before: Mapping[str, float]
    expected: Mapping[str, float]
    low: Mapping[str, float]
    high: Mapping[str, float]


class _Effects(Frozen):
    prediction: tuple[ExpectedEffect, ...]


def load_predictions() -> tuple[ExpectedEffect, ...]:
    """Returns the content of results/reference/predictions.toml. Raises ConfigError."""
    path = project_root() / "results" / "reference" / "predictions.toml"
    return read_model(path, _Effects).prediction


def hypotheses_table(directory: Path) -> pd.DataFrame:
    """One row for each prediction and engine whose runs are in `directory` (HYPOTHESES).

    `directory` has the folders of RUNS; a cell that they did not simulate has no row. Raises
    ResultsError where it has no pair of them.
    """
    read = cache(_cells)  # several predictions are judged by the same runs
    rows = [row for prediction in load_predictions() for row in _rows(prediction, directory, read)]
    if not rows:
        raise ResultsError(
            f"{directory}: has no pair of runs, such as hypotheses/machines-rvsim and entry-rvsim"
        )
    return HYPOTHESES.frame(rows)


def _rows(
    prediction: ExpectedEffect, directory: Path, read: Callable[[Path], pd.DataFrame]
) -> Iterator[dict[str, Any]]:
    with_cause, without = RUNS[prediction.name]
    for engine, expected in prediction.expected.items():
        paths = [
            directory / "hypotheses" / f"{with_cause}-{engine}",
            directory / f"{without}-{engine}",
        ]
        if not all(path.is_dir() for path in paths):
            continue
        after, before = (_quantity(prediction, read(path)) for path in paths)
        low, high = prediction.low[engine], prediction.high[engine]
        value = after["value"]
        if value != value:
            continue
        yield {
            "hypothesis": prediction.name,
            "engine": engine,
            **prediction.model_dump(include={"machine", "metric", "quantity"}),
            "without": before["value"],
            "expected": expected,
            "expected_low": low,
            "expected_high": high,
            "simulated": value,
            "simulated_low": after["low"],
            "simulated_high": after["high"],
            "result": "too low" if value < low else "too high" if value > high else "as expected",
        }


def _cells(path: Path) -> pd.DataFrame:
    """The cells of the paper's tables beside one folder of runs."""
    return cells_table(load_reference("ousterhout_tables"), simulated_values(path))


def _quantity(prediction: ExpectedEffect, cells: pd.DataFrame) -> dict[str, float]:
    """The prediction's quantity in the cells, with its interval over machines."""
    if prediction.machine == ALL:
        agreement = agreement_table(cells)
        row = agreement[agreement["metric"] == prediction.metric].iloc[0]
        ends_of = {"value": "", "low": "_low", "high": "_high"}
        return {end: float(row[f"{prediction.quantity}{name}"]) for end, name in ends_of.items()}
    simulated, printed = _SIDES[prediction.quantity]
    of_machine = (cells["machine"] == prediction.machine) & (cells["metric"] == prediction.metric)
    ratios = (cells[simulated] / cells[printed])[of_machine].dropna()
    return {"value": float(np.exp(np.log(ratios).mean())), "low": NAN, "high": NAN}
