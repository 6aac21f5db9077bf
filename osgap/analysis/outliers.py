# SPDX-License-Identifier: BSD-3-Clause
"""The table of outliers: batches further from the median than their neighbours' spread explains."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from osgap.analysis import student
from osgap.analysis.columns import BENCHMARK, FS, METRIC, PLACE, POINT_KEYS, count, names, place_of
from osgap.analysis.relative import NAN
from osgap.analysis.table import Column, Table
from osgap.rundir.load import Run

OUTLIERS = Table(
    "outliers",
    "batches that stand out from the others of their benchmark",
    (
        *PLACE,
        BENCHMARK,
        FS,
        count("batch", "the batch's number, from 0"),
        METRIC,
        Column("value", "the batch's result", "metric"),
        Column("median", "the median of all batches but the first", "metric"),
        Column("others_low", "the lowest of the other batches", "metric"),
        Column("others_high", "the highest of the other batches", "metric"),
        Column("deviation", "value / median - 1"),
        count("timer_irqs", "timer interrupts in the batch"),
        Column("others_timer_irqs", "median of timer interrupts in the other batches"),
    ),
    absent="no batch of this run stands out from its neighbours",
    make=lambda data: outliers_table(data.run, data.timed),
    order=110,
)
DEVIATIONS = 5.0
"""An outlier is this many robust standard deviations from the median, or further."""
LEAST = 0.05
"""An outlier also differs from the median by this part of it, or more."""
NEIGHBOURS = 0.999
"""Coverage of the prediction interval for one more batch."""
FEWEST = 4
"""A benchmark with fewer batches after the first has no outliers."""
_TO_SIGMA = 1.4826  # standard deviation / median absolute deviation of normal numbers
_KEYS = names(*POINT_KEYS)


def outliers_table(run: Run, samples: pd.DataFrame) -> pd.DataFrame:
    """One row for each outlier (OUTLIERS); most runs have none.

    The robust deviations alone would find one in a tenth of sets of a few smoothly varying batches;
    with Student's prediction interval it is a fiftieth at most. The cold first batch takes no part.
    """
    rows = []
    warm = samples[samples["batch"] > 0]
    for (key, _, _), batches in warm.groupby(_KEYS, sort=False):
        for index in _outliers(batches["value"].to_numpy(dtype=float)):
            rows.append((*place_of(run.points[str(key)]), *_row(batches, index)))
    return OUTLIERS.frame(rows)


def _outliers(values: NDArray[np.float64]) -> list[int]:
    """Indices of the outliers; none where a value is undefined."""
    if len(values) < FEWEST or not np.isfinite(values).all():
        return []
    median = float(np.median(values))
    distance = np.abs(values - median)
    sigma = _TO_SIGMA * float(np.median(distance))
    far = (distance > DEVIATIONS * sigma) & (distance > LEAST * abs(median))
    # Two far batches do not hide each other: their neighbours are all the near ones.
    near = values[~far]
    if not far.any() or len(near) < 2:
        return []
    variance = float(near.var(ddof=1)) * (1 + 1 / len(near))
    half = student.quantile(len(near) - 1, (1 + NEIGHBOURS) / 2) * np.sqrt(variance)
    return [int(index) for index in np.flatnonzero(far & (np.abs(values - near.mean()) > half))]


def _row(batches: pd.DataFrame, index: int) -> tuple[object, ...]:
    row = batches.iloc[index]
    neighbours = batches.drop(index=batches.index[index])
    median = float(batches["value"].median())
    deviation = row["value"] / median - 1 if median else NAN
    return (
        row["benchmark"],
        row["fs"],
        row["batch"],
        row["metric"],
        row["value"],
        median,
        neighbours["value"].min(),
        neighbours["value"].max(),
        deviation,
        row["timer_irqs"],
        neighbours["timer_irqs"].median(),
    )
