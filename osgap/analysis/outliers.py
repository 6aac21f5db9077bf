# SPDX-License-Identifier: BSD-3-Clause
"""Batches that stand out from the others of their benchmark by more than these differ."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from osgap.analysis.relative import NAN
from osgap.rundir.load import Run

OUTLIER_COLUMNS = [
    "key",
    "clock_mhz",
    "memory",
    "disk",
    "seed",
    "benchmark",
    "fs",
    "batch",
    "metric",
    "value",
    "median",
    "others_low",
    "others_high",
    "deviation",
    "timer_irqs",
    "others_timer_irqs",
]
DEVIATIONS = 5.0
"""An outlier is this many robust standard deviations from the median, or further."""
LEAST = 0.05
"""And by this part of the median, or more."""
NEIGHBOURS = 0.999
"""The part of further batches that would lie as near to the others as they let expect."""
FEWEST = 4
"""Batches after the first, with fewer of which none can stand out."""
_TO_SIGMA = 1.4826  # of normal numbers the standard deviation, by their median deviation
_BENCHMARK = ["key", "benchmark", "fs"]


def outliers_table(run: Run, samples: pd.DataFrame) -> pd.DataFrame:
    """A row a batch that stands out (columns OUTLIER_COLUMNS); none in most runs.

    It lies more than DEVIATIONS robust standard deviations (of the median absolute deviation) and
    LEAST of it from the median, and where not one in a thousand further batches would lie beside
    those that do not (Student).  Of a few batches that vary smoothly the deviations alone would
    find an outlier in one set of ten, so it is one in 50 at most.  The first batch is cold, as
    `times` says, and is neither judged nor among the others.  `value`, `median` and the others'
    range are in `metric`, `deviation` is value / median - 1; `others_timer_irqs` is the median.
    """
    rows = []
    warm = samples[samples["batch"] > 0]
    for (key, _, _), own in warm.groupby(_BENCHMARK, sort=False):
        for at in _outliers(own["value"].to_numpy(dtype=float)):
            rows.append((*_place(run, str(key)), *_row(own, at)))
    return pd.DataFrame(rows, columns=OUTLIER_COLUMNS)


def _outliers(values: NDArray[np.float64]) -> list[int]:
    """Where the outliers are; none where a value is undefined."""
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
    half = float(stats.t.ppf((1 + NEIGHBOURS) / 2, len(near) - 1)) * np.sqrt(variance)
    return [int(at) for at in np.flatnonzero(far & (np.abs(values - near.mean()) > half))]


def _place(run: Run, key: str) -> tuple[object, ...]:
    axes = run.points[key].record.axes
    return key, axes.clock_mhz, axes.memory, axes.disk, axes.seed


def _row(own: pd.DataFrame, at: int) -> tuple[object, ...]:
    row = own.iloc[at]
    others = own.drop(index=own.index[at])
    median = float(own["value"].median())
    deviation = row["value"] / median - 1 if median else NAN
    return (
        row["benchmark"],
        row["fs"],
        row["batch"],
        row["metric"],
        row["value"],
        median,
        others["value"].min(),
        others["value"].max(),
        deviation,
        row["timer_irqs"],
        others["timer_irqs"].median(),
    )
