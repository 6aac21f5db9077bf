# SPDX-License-Identifier: BSD-3-Clause
"""Three resources: t = a / CPU + b / MEM + c / DISK, fitted on half of a sweep's points."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import nnls

MODEL_COLUMNS = [
    "benchmark", "fs", "cpu_ns", "memory_ns", "disk_ns", "fitted_on", "tested_on",
    "error_median", "error_max", "speedup_10x_cpu",
]  # fmt: skip
_POINT = ["key", "clock_mhz", "memory", "disk"]
Array = NDArray[np.float64]


def model_table(points: pd.DataFrame, times: pd.DataFrame) -> pd.DataFrame:
    """One row a benchmark and file system (columns MODEL_COLUMNS).

    CPU, MEM and DISK are the speeds relative to the slowest point's; a, b, c (ns of an operation
    there) are not negative and minimise the relative error.  Of each clock's points, with and
    without memory and disk scaled, one diagonal is fitted and the other tested, by turns over
    the clocks.  Errors are |model / measured - 1| on the points that were not fitted.
    `speedup_10x_cpu`: what a processor ten times as fast alone gives at the slowest point.
    """
    placed = points[points["finished"] == "yes"].drop_duplicates("key")[_POINT]
    faster = placed["clock_mhz"] / placed["clock_mhz"].min()
    scaled = (placed[["memory", "disk"]] == "scaled").sum(axis=1)
    turn = placed["clock_mhz"].rank(method="dense").astype(int) + scaled
    placed = placed.assign(
        cpu=1 / faster,
        mem=1 / faster.where(placed["memory"] == "scaled", 1.0),
        dsk=1 / faster.where(placed["disk"] == "scaled", 1.0),
        fitted=turn % 2 == 1,
    )
    frame = times.merge(placed, on="key")
    frame = frame[frame["ns_per_op"] > 0]
    rows = [
        (name, fs, *_fit(group))
        for (name, fs), group in frame.groupby(["benchmark", "fs"], sort=False)
        if group["fitted"].sum() >= 3 and (~group["fitted"]).any()
    ]
    return pd.DataFrame(rows, columns=MODEL_COLUMNS)


def _fit(group: pd.DataFrame) -> tuple[float, ...]:
    fitted = group["fitted"].to_numpy()
    costs = group[["cpu", "mem", "dsk"]].to_numpy(dtype=float)
    measured = group["ns_per_op"].to_numpy(dtype=float)
    relative = costs / measured[:, None]
    a, _ = nnls(relative[fitted], np.ones(int(fitted.sum())))
    error = np.abs(relative[~fitted] @ a - 1)
    now, then = float(a.sum()), float(a[0] / 10 + a[1] + a[2])
    counts = int(fitted.sum()), int((~fitted).sum())
    return (*map(float, a), *counts, float(np.median(error)), float(error.max()), now / then)
