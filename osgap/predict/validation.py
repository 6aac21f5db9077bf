# SPDX-License-Identifier: BSD-3-Clause
"""Predicted machines beside the same machines simulated: errors, and whether intervals hold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from osgap.analysis.analysed import AnalysedRun, Tables
from osgap.analysis.layouts.values import MEAN, SPEED, TIME
from osgap.analysis.suite import Suite
from osgap.predict.errors import sizes_text
from osgap.predict.prediction import Prediction
from osgap.predict.tables import with_speeds
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs, suites

AGAINST_COLUMNS = [
    "quantity",
    "machine",
    "set",
    "benchmark",
    "fs",
    "predicted",
    "simulated",
    "error",
    "low",
    "high",
    "within",
]
_SERIES = "fixed"
_NAMES = {"set", "benchmark", "fs"}


def against(made: Prediction, directory: Path, own: AnalysedRun) -> pd.DataFrame:
    """A row a number that was predicted and simulated (columns AGAINST_COLUMNS).

    `directory` holds a run of each machine with one point. R is relative to the slowest clock of
    `own`, the run that was predicted from, on both sides. `error` is log(predicted / simulated);
    `within` is empty where there is no interval.
    Raises OsgapError.
    """
    names = list(made.tables["points"]["machine"])
    runs = load_runs([directory])
    simulated = _together([*runs, own], names, suites())
    parts = [
        _rows(made.predicted, simulated["times"], ["benchmark", "fs"], TIME),
        _rows(made.predicted, simulated["relative"], ["benchmark", "fs"], SPEED),
        _rows(made.means, simulated["geomean"], ["set"], MEAN),
    ]
    # What a quantity is not told by is "".
    plain = [part.assign(**dict.fromkeys(_NAMES - set(part), "")) for part in parts]
    rows = pd.concat(plain, ignore_index=True)
    whole: pd.DataFrame = rows.loc[rows["machine"] != names[0], AGAINST_COLUMNS]
    return whole.reset_index(drop=True)


def _together(runs: Sequence[AnalysedRun], names: Sequence[str], known: Sequence[Suite]) -> Tables:
    """The runs' tables as of one run, each machine a series; the first of `names` is `fixed`.

    That one is the slowest clock of the last run.
    """
    points, times = [], []
    by_name = {run.machine: run for run in runs}
    missing = [name for name in names if name not in by_name]
    if missing:
        raise ResultsError(
            f"{', '.join(sorted(by_name))}: the runs to compare with; missing: {', '.join(missing)}"
        )
    for name in names:
        own = by_name[name].tables
        series = _SERIES if name == names[0] else name
        here = own["points"]
        here = here[here["finished"] == "yes"].drop_duplicates("key").sort_values("clock_mhz")
        here = here.head(1)
        points.append(here.assign(series=series, key=name))
        rows = own["times"][own["times"]["key"].isin(here["key"])]
        times.append(rows.assign(key=name))
    whole_points = pd.concat(points, ignore_index=True)
    whole_times = pd.concat(times, ignore_index=True)
    return with_speeds(whole_points, whole_times, known)


_VALUES = {
    TIME: ("ns_per_op", "ns_per_op", "low", "high"),
    SPEED: ("relative", "relative", "relative_low", "relative_high"),
    MEAN: ("geomean", "geomean", "low", "high"),
}
"""The predicted and the simulated column, and the interval's."""


def _rows(
    predicted: pd.DataFrame, simulated: pd.DataFrame, keys: list[str], quantity: str
) -> pd.DataFrame:
    ours, theirs, low, high = _VALUES[quantity]
    made = predicted[["machine", *keys, ours]].assign(
        below=predicted[low] / predicted["value" if quantity == TIME else ours],
        above=predicted[high] / predicted["value" if quantity == TIME else ours],
    )
    made = made.rename(columns={ours: "predicted"})
    other = simulated.rename(columns={"key": "machine", theirs: "simulated"})
    both = made.merge(other[["machine", *keys, "simulated"]], on=["machine", *keys])
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
    """A line a quantity: errors in %, and in how many rows the interval holds."""
    lines = []
    for quantity, own in rows.groupby("quantity", sort=False):
        told = own[own["within"] != ""]
        held = f"{(told['within'] == 'yes').sum()} of {len(told)} intervals hold"
        lines.append(f"{quantity}: {sizes_text(own['error'])}; {held}")
    return lines
