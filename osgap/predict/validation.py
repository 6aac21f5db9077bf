# SPDX-License-Identifier: BSD-3-Clause
"""Compares predicted machines with the same machines simulated: errors, and intervals that hold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from osgap.analysis.analysed import AnalysedRun, Tables
from osgap.analysis.columns import BENCHMARK, FS, MACHINE, SET, ends, flag, text
from osgap.analysis.layouts.values import MEAN, SPEED, TIME
from osgap.analysis.speed import with_speeds
from osgap.analysis.suite import Suite
from osgap.analysis.table import Column, Table
from osgap.base.quoting import counted
from osgap.predict.errors import sizes_text
from osgap.predict.prediction import Prediction
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs, suites

AGAINST = Table(
    "against",
    "of predicted machines: each value beside the simulated one",
    (
        text("quantity", "the quantity that is compared: time, R or mean_R"),
        MACHINE,
        SET,
        BENCHMARK,
        FS,
        Column("predicted", "the predicted value (times in ns)"),
        Column("simulated", "the simulated value (times in ns)"),
        Column("error", "log(predicted / simulated)"),
        *ends("", "the predicted 95 % interval"),
        flag("within", "whether the interval holds; empty without an interval"),
    ),
)
_SERIES = "fixed"
_NAMES = {"set", "benchmark", "fs"}


def against(prediction: Prediction, directory: Path, analysed: AnalysedRun) -> pd.DataFrame:
    """A row (AGAINST) for each number predicted and simulated in `directory`. Raises OsgapError."""
    names = list(prediction.tables["points"]["machine"])
    runs = load_runs([directory])
    simulated = _simulated_tables([*runs, analysed], names, suites())
    parts = [
        _rows(prediction.predicted, simulated["times"], ["benchmark", "fs"], TIME),
        _rows(prediction.predicted, simulated["relative"], ["benchmark", "fs"], SPEED),
        _rows(prediction.means, simulated["geomean"], ["set"], MEAN),
    ]
    # A quantity has either a set, or a benchmark and its file system; the other columns are "".
    parts = [part.assign(**dict.fromkeys(_NAMES - set(part), "")) for part in parts]
    rows = pd.concat(parts, ignore_index=True)
    without_reference: pd.DataFrame = rows.loc[rows["machine"] != names[0], AGAINST.names]
    return without_reference.reset_index(drop=True)


def _simulated_tables(
    runs: Sequence[AnalysedRun], names: Sequence[str], suites: Sequence[Suite]
) -> Tables:
    """The runs' tables as of one run, each machine a series; the first, the reference, `fixed`."""
    points, times = [], []
    by_name = {run.machine: run for run in runs}
    missing = [name for name in names if name not in by_name]
    if missing:
        raise ResultsError(
            f"{', '.join(sorted(by_name))}: the runs to compare with; missing: {', '.join(missing)}"
        )
    for name in names:
        tables = by_name[name].tables
        finished = tables["points"][tables["points"]["finished"] == "yes"]
        slowest = finished.drop_duplicates("key").sort_values("clock_mhz").head(1)
        points.append(slowest.assign(series=_SERIES if name == names[0] else name, key=name))
        rows = tables["times"][tables["times"]["key"].isin(slowest["key"])]
        times.append(rows.assign(key=name))
    return with_speeds(
        pd.concat(points, ignore_index=True), pd.concat(times, ignore_index=True), suites
    )


_VALUES = {
    TIME: ("ns_per_op", "value", "low", "high"),
    SPEED: ("relative", "relative", "relative_low", "relative_high"),
    MEAN: ("geomean", "geomean", "low", "high"),
}
"""A quantity's column, and those of an interval: its middle, low and high."""


def _rows(
    predicted: pd.DataFrame, simulated: pd.DataFrame, keys: list[str], quantity: str
) -> pd.DataFrame:
    column, middle, low, high = _VALUES[quantity]
    intervals = predicted[["machine", *keys, column]].assign(
        below=predicted[low] / predicted[middle],
        above=predicted[high] / predicted[middle],
    )
    intervals = intervals.rename(columns={column: "predicted"})
    values = simulated.rename(columns={"key": "machine", column: "simulated"})
    both = intervals.merge(values[["machine", *keys, "simulated"]], on=["machine", *keys])
    both = both[(both["predicted"] > 0) & (both["simulated"] > 0)]
    bounds = both[["below", "above"]]
    low_bound, high_bound = bounds.min(axis=1), bounds.max(axis=1)
    ratio = both["simulated"] / both["predicted"]
    within = np.where((ratio >= low_bound) & (ratio <= high_bound), "yes", "no")
    return both.assign(
        quantity=quantity,
        error=np.log(both["predicted"] / both["simulated"]),
        low=both["predicted"] * low_bound,
        high=both["predicted"] * high_bound,
        within=np.where(low_bound.isna(), "", within),
    )


def summary(rows: pd.DataFrame) -> list[str]:
    """A line for each quantity: errors in %, and the number of intervals that hold."""
    lines = []
    for quantity, quantity_rows in rows.groupby("quantity", sort=False):
        within = quantity_rows.loc[quantity_rows["within"] != "", "within"]
        hits = f"{(within == 'yes').sum()} of {counted(len(within), 'interval')} hold"
        lines.append(f"{quantity}: {sizes_text(quantity_rows['error'])}; {hits}")
    return lines
