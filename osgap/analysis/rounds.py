# SPDX-License-Identifier: BSD-3-Clause
"""Confidence intervals of a measured machine's medians, from its rounds of the same benchmarks."""

from __future__ import annotations

import numpy as np
import pandas as pd

from osgap.analysis.columns import BENCHMARK, FS, METRIC, POINT_KEYS, count, ends, flag, names
from osgap.analysis.relative import NAN
from osgap.analysis.resampling import Array, draws, interval
from osgap.analysis.table import Column, Table
from osgap.rundir.load import Run

INTERVALS = Table(
    "intervals",
    "of a measured machine: every median with its 95 % interval over the rounds",
    (
        *POINT_KEYS,
        METRIC,
        count("rounds", "rounds; each runs every benchmark"),
        Column("median", "the median of all batches", "metric"),
        *ends("", "the median's 95 % interval", "metric"),
        Column("width", "(high - low) / median"),
    ),
    absent="no point of this run was measured in rounds (see osgap native)",
    make=lambda data: intervals_table(data.run, data.batches),
    order=120,
)
WIDE_INTERVAL = 0.05
"""An interval wider than this part of its median is marked as wide."""
_KEYS = names(*POINT_KEYS)


def intervals_table(run: Run, batches: pd.DataFrame) -> pd.DataFrame:
    """One row for each benchmark of a point in several rounds (INTERVALS), all drawn whole."""
    rows = []
    in_rounds = [key for key, point in run.points.items() if point.record.orders.rounds > 1]
    for (key, name, fs), group in batches[batches["key"].isin(in_rounds)].groupby(
        _KEYS, sort=False
    ):
        orders = run.points[str(key)].record.orders
        values = group.sort_values("batch")["value"].to_numpy(dtype=float)
        # A sum of several benchmarks has a batch where these have one.
        rounds, odd = divmod(len(values), orders.sets.get(f"{name}.{fs}.batches", 1))
        if rounds > 1 and not odd:
            median = float(np.median(values))
            low, high = _interval(values.reshape(rounds, -1))
            width = (high - low) / median if median else NAN
            metric = str(group["metric"].iloc[0])
            rows.append((key, name, fs, metric, rounds, median, low, high, width))
    return INTERVALS.frame(rows)


REPEATS = Table(
    "repeats",
    "of two measured machines, or one measured twice: medians and their intervals",
    (
        BENCHMARK,
        FS,
        METRIC,
        *(
            Column(f"{name}_{side}", f"the {text} of run {side}", "metric")
            for side in "ab"
            for name, text in (
                ("median", "median"),
                ("low", "interval's lower end"),
                ("high", "interval's upper end"),
            )
        ),
        Column("ratio", "median_b / median_a"),
        flag("differs", "whether the medians differ by more than the intervals"),
    ),
    order=240,
)


def side_by_side(
    a: pd.DataFrame, b: pd.DataFrame, keys: list[str], columns: list[str]
) -> pd.DataFrame:
    """The rows of equal `keys` in both, with the `columns` of each as NAME_a and NAME_b."""
    names = [*keys, *columns]
    return a[names].merge(b[names], on=keys, suffixes=("_a", "_b"))


def repeat_table(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    """Two tables of intervals, each of one machine, side by side (REPEATS).

    They differ where log(b / a) exceeds the root of the sum of the squared half widths.
    """
    both = side_by_side(a, b, ["benchmark", "fs", "metric"], ["median", "low", "high"])
    both["ratio"] = both["median_b"] / both["median_a"].where(both["median_a"] > 0)
    halves = [
        np.log(both[f"high_{s}"] / both[f"low_{s}"].where(both[f"low_{s}"] > 0)) / 2 for s in "ab"
    ]
    beyond = np.log(both["ratio"]).abs() > np.hypot(*halves)
    both["differs"] = np.where(beyond, "yes", "no")
    return both[REPEATS.names]


def _interval(values: Array) -> tuple[float, float]:
    """The interval of the median of `values`, shape (rounds, batches of a round)."""
    resampled = values[draws(len(values))]
    return interval(np.median(resampled.reshape(len(resampled), -1), axis=1))
