# SPDX-License-Identifier: BSD-3-Clause
"""How sure a measured machine's medians are: what its rounds, one after the other, let expect."""

from __future__ import annotations

import numpy as np
import pandas as pd

from osgap.analysis.relative import NAN
from osgap.analysis.resampling import Array, draws, interval
from osgap.rundir.load import Run

INTERVAL_COLUMNS = [
    "key",
    "benchmark",
    "fs",
    "metric",
    "rounds",
    "median",
    "low",
    "high",
    "width",
]
SINCE_COLUMNS = [
    "machine",
    "key",
    "benchmark",
    "fs",
    "metric",
    "value",
    "low",
    "high",
    "paper",
    "simulated",
    "mips_ratio",
    "faster",
    "kept_up",
    "relative",
    "relative_low",
    "relative_high",
    "relative_simulated",
]
SINCE_MEAN_COLUMNS = ["machine", "source", "mips", "rows", "geomean", "low", "high"]
"""Of the tables that put measured machines beside that of 1990 (osgap.suites.ousterhout.since)."""
_KEYS = ["key", "benchmark", "fs"]


def intervals_table(run: Run, batches: pd.DataFrame) -> pd.DataFrame:
    """One row a benchmark of a point that was measured in rounds (columns INTERVAL_COLUMNS).

    `median` of all batches, as in the table of times, and `low` and `high` (95 %) are in `metric`;
    `width` is (high - low) / median. Whole rounds are drawn anew (the bootstrap), as batches of one
    round are alike: the interval is of what varies from round to round, and not of what varies
    from day to day. A benchmark of one round has no row.
    """
    rows = []
    for (key, name, fs), own in batches.groupby(_KEYS, sort=False):
        orders = run.points[str(key)].record.orders
        values = own.sort_values("batch")["value"].to_numpy(dtype=float)
        # A sum of several benchmarks has a batch where these have one.
        rounds, odd = divmod(len(values), orders.sets.get(f"{name}.{fs}.batches", 1))
        if orders.rounds > 1 and rounds > 1 and not odd:
            median = float(np.median(values))
            low, high = _interval(values.reshape(rounds, -1))
            width = (high - low) / median if median else NAN
            metric = str(own["metric"].iloc[0])
            rows.append((key, name, fs, metric, rounds, median, low, high, width))
    return pd.DataFrame(rows, columns=INTERVAL_COLUMNS)


REPEAT_COLUMNS = [
    "benchmark",
    "fs",
    "metric",
    "median_a",
    "low_a",
    "high_a",
    "median_b",
    "low_b",
    "high_b",
    "ratio",
    "differs",
]


def repeat_table(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    """Two tables of intervals, each of one machine, side by side (columns REPEAT_COLUMNS).

    `ratio` is median_b / median_a, and `differs` says whether it is further from 1 than the two
    intervals together let expect: the root of the sum of their squared logarithmic halves.
    """
    keys = ["benchmark", "fs", "metric"]
    sides = [side[[*keys, "median", "low", "high"]] for side in (a, b)]
    both = sides[0].merge(sides[1], on=keys, suffixes=("_a", "_b"))
    both["ratio"] = both["median_b"] / both["median_a"].where(both["median_a"] > 0)
    halves = [
        np.log(both[f"high_{s}"] / both[f"low_{s}"].where(both[f"low_{s}"] > 0)) / 2 for s in "ab"
    ]
    beyond = np.log(both["ratio"]).abs() > np.hypot(*halves)
    both["differs"] = np.where(beyond, "yes", "no")
    return both[REPEAT_COLUMNS]


def _interval(values: Array) -> tuple[float, float]:
    """Of the median of `values`, (rounds, batches of each)."""
    drawn = values[draws(len(values))]
    return interval(np.median(drawn.reshape(len(drawn), -1), axis=1))
