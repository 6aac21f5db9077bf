# SPDX-License-Identifier: BSD-3-Clause
"""Three resources: t = a / CPU + b / MEM + c / DISK, fitted on half of a sweep's points.

Where memory's latency and bandwidth vary apart they are two:
t = a / CPU + b * latency + d / bandwidth + c / DISK.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.linalg import null_space
from scipy.optimize import nnls

from osgap.analysis.relative import NAN
from osgap.analysis.times import MEMORY_COLUMNS

_ERRORS = ["fitted_on", "tested_on", "error_median", "error_max", "speedup_10x_cpu"]
MODEL_COLUMNS = ["benchmark", "fs", "cpu_ns", "memory_ns", "disk_ns", *_ERRORS]
APART_COLUMNS = [
    "benchmark", "fs", "cpu_ns", "memory_latency_ns", "memory_transfer_ns", "disk_ns", *_ERRORS,
]  # fmt: skip
"""The columns where memory's latency and bandwidth vary apart."""
_POINT = ["key", "clock_mhz", "memory", "disk"]
_ONE, _APART = ["cpu", "mem", "dsk"], ["cpu", "latency", "transfer", "dsk"]
# Of numbers that would be the same but for rounding.
_SAME = 1e-9
Array = NDArray[np.float64]


def model_table(points: pd.DataFrame, times: pd.DataFrame) -> pd.DataFrame:
    """One row a benchmark and file system (columns MODEL_COLUMNS, or APART_COLUMNS).

    CPU, MEM and DISK are the speeds relative to the slowest point's; a, b, c (ns of an operation
    there) are not negative and minimise the relative error.  Of each clock's points, with and
    without memory and disk scaled, one diagonal is fitted and the other tested, by turns over
    the clocks.  Errors are |model / measured - 1| on the points that were not fitted.
    `speedup_10x_cpu`: what a processor ten times as fast alone gives at the slowest point.

    Where latency and bandwidth vary apart the slowest point is one with the slowest clock, the
    longest latency and the lowest bandwidth of the run, and the diagonals go through both.  A part
    that the fitted points do not tell from another, because neither varies or both vary as one,
    is NaN; then so is a speedup that would need it.
    """
    placed = _placed(points)
    apart = _is_apart(placed)
    frame = times.merge(_costs_apart(placed) if apart else placed, on="key")
    frame = frame[frame["ns_per_op"] > 0]
    parts, fit = (_APART, _fit_told) if apart else (_ONE, _fit)
    rows = [
        (name, fs, *fit(group, parts))
        for (name, fs), group in frame.groupby(["benchmark", "fs"], sort=False)
        if group["fitted"].sum() >= len(parts) and (~group["fitted"]).any()
    ]
    return pd.DataFrame(rows, columns=APART_COLUMNS if apart else MODEL_COLUMNS)


def _placed(points: pd.DataFrame) -> pd.DataFrame:
    """Each finished point once, with what the processor, memory and disk cost there."""
    columns = [*_POINT, *(name for name in MEMORY_COLUMNS if name in points)]
    placed = points[points["finished"] == "yes"].drop_duplicates("key")[columns]
    faster = placed["clock_mhz"] / placed["clock_mhz"].min()
    scaled = (placed[["memory", "disk"]] == "scaled").sum(axis=1)
    turn = placed["clock_mhz"].rank(method="dense").astype(int) + scaled
    return placed.assign(
        cpu=1 / faster,
        mem=1 / faster.where(placed["memory"] == "scaled", 1.0),
        dsk=1 / faster.where(placed["disk"] == "scaled", 1.0),
        turn=turn,
        fitted=turn % 2 == 1,
    )


def _is_apart(placed: pd.DataFrame) -> bool:
    """Whether memory's two figures vary otherwise than as the inverse of each other."""
    if not set(MEMORY_COLUMNS) <= set(placed) or placed.empty:
        return False
    product = placed["latency_ns"] * placed["bandwidth_mb_s"]
    return bool(product.max() > product.min() * (1 + _SAME))


def _costs_apart(placed: pd.DataFrame) -> pd.DataFrame:
    """`placed` with the costs of latency and of transfer, and turns that go through both axes."""
    latency, per_mb = placed["latency_ns"], 1 / placed["bandwidth_mb_s"]
    turn = placed["turn"] + _rank(latency / placed["mem"]) + _rank(per_mb / placed["mem"])
    return placed.assign(
        latency=latency / latency.max(), transfer=per_mb / per_mb.max(), fitted=turn % 2 == 1
    )


def _rank(values: pd.Series) -> pd.Series:
    """Ranks from 1, after rounding to what scaling forth and back leaves."""
    logs: pd.Series = np.log(values).round(9)
    return logs.rank(method="dense").astype(int)


def _fit(group: pd.DataFrame, parts: list[str]) -> tuple[float, ...]:
    fitted = group["fitted"].to_numpy()
    costs = group[parts].to_numpy(dtype=float)
    measured = group["ns_per_op"].to_numpy(dtype=float)
    relative = costs / measured[:, None]
    a, _ = nnls(relative[fitted], np.ones(int(fitted.sum())))
    error = np.abs(relative[~fitted] @ a - 1)
    now, then = float(a.sum()), float(sum(a[1:], a[0] / 10))
    counts = int(fitted.sum()), int((~fitted).sum())
    return (*map(float, a), *counts, float(np.median(error)), float(error.max()), now / then)


def _fit_told(group: pd.DataFrame, parts: list[str]) -> tuple[float, ...]:
    """As `_fit`, NaN in the place of what the fitted points do not determine."""
    *found, fitted_on, tested_on, median, largest, speedup = _fit(group, parts)
    # Along these directions the parts can change without any fitted point's time.
    free = null_space(group.loc[group["fitted"], parts].to_numpy(dtype=float), rcond=_SAME)
    told = np.abs(free).max(axis=1, initial=0.0) < _SAME
    whole = bool(told[0]) and np.abs(free.sum(axis=0)).max(initial=0.0) < _SAME
    known = [part if is_told else NAN for part, is_told in zip(found, told, strict=True)]
    return *known, fitted_on, tested_on, median, largest, speedup if whole else NAN
