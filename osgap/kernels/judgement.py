# SPDX-License-Identifier: BSD-3-Clause
"""Tells row by row whether two kernels differ by more than layouts of their code do.

A layout is one draw of where code and data lie.  Both kernels are linked in layouts of the same
numbers, whose order of objects is equal but for what the change adds: each number gives a pair.
With the patch longer-getpid the times of a pair are 0.53 times as far apart as those of two layouts
that differ (geometric mean of 13 rows of the machine base on rvsim, five pairs).  The
pairs' differences are taken as independent and normal (of times the logarithms), which gives
Student's interval and p value of their mean.  Of many rows some differ by chance: Holm's method
(A simple sequentially rejective multiple test procedure, 1979) keeps the chance that any row of
equal kernels is said to differ below 5 %, however the rows depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from osgap.analysis import student
from osgap.analysis.columns import (
    count,
    ends,
    flag,
    text,
)
from osgap.analysis.resampling import CONFIDENCE, Array
from osgap.analysis.table import Column, Table
from osgap.kernels.observations import ROW, ROW_COLUMNS

_DECIMALS = 6
"""Decimals of differences of counts; more are rounding of their division by operations."""
RESOLUTION = 1e-3
"""Ratios of times nearer to 1 are no difference: one tick of the guest's clock may be as much."""
SLOWER, FASTER, EQUAL = "slower", "faster", "no difference"
KERNEL_AB = Table(
    "kernel_ab",
    "of two kernels: every row's time, instructions and misses, and whether the times differ",
    (
        *ROW_COLUMNS,
        count("layouts", "pairs of layouts"),
        Column("base_ns", "time of one operation on the base, geometric mean over layouts", "ns"),
        Column("changed_ns", "the same on the changed kernel", "ns"),
        Column("percent", "how much longer an operation takes on the changed kernel, in percent"),
        *ends("percent_", "the 95 % interval of percent"),
        Column("p", "the chance of so large a difference between equal kernels"),
        Column("p_all", "the same of any row, by Holm's method"),
        text("verdict", "slower or faster where p_all is below 0.05; else no difference"),
        flag("alone", "whether the row would differ if it were the only row: p below 0.05"),
        Column("base_insts", "instructions of one operation on the base"),
        Column("insts", "how many more the changed kernel takes"),
        *ends("insts_", "the 95 % interval of insts"),
        Column("base_misses", "lines that memory delivers in one operation on the base"),
        Column("misses", "how many more on the changed kernel"),
        *ends("misses_", "the 95 % interval of misses"),
    ),
    order=400,
)


def judgements(base: pd.DataFrame, changed: pd.DataFrame) -> pd.DataFrame:
    """One row for each row of both observations with two pairs of layouts or more (KERNEL_AB)."""
    rows = [
        (*key, len(first), *_numbers(first, second)) for key, first, second in pairs(base, changed)
    ]
    return _with_verdicts(KERNEL_AB.frame(rows))


def pairs(
    base: pd.DataFrame, changed: pd.DataFrame
) -> Iterator[tuple[tuple[object, ...], pd.DataFrame, pd.DataFrame]]:
    """(key, base, changed): both sides' observations of each row, layout by layout.

    The layouts are paired in their order; rows with fewer than two pairs are left out.
    """
    of_changed = dict(list(changed.groupby(ROW, sort=False, dropna=False)))
    for key, first in base.groupby(ROW, sort=False, dropna=False):
        assert isinstance(key, tuple)
        second = of_changed.get(key, first.head(0))
        count = min(len(first), len(second))
        if count > 1:
            ordered = [side.sort_values("layout").head(count) for side in (first, second)]
            yield key, ordered[0], ordered[1]


def _numbers(first: pd.DataFrame, second: pd.DataFrame) -> tuple[object, ...]:
    """The columns from base_ns on; what all rows decide is still empty."""
    logs = [np.log(side["ns"].to_numpy(dtype=float)) for side in (first, second)]
    mean, half, p = mean_difference(logs[1] - logs[0])
    times = [float(np.exp(side.mean())) for side in logs]
    percent = [100 * float(np.expm1(value)) for value in (mean, mean - half, mean + half)]
    return (
        *times,
        *percent,
        p,
        p,
        "",
        "",
        *_more(first, second, "insts"),
        *_more(first, second, "misses"),
    )


def _more(
    first: pd.DataFrame, second: pd.DataFrame, name: str
) -> tuple[float, float, float, float]:
    """The base's mean of a number, and the mean difference with its interval."""
    a, b = (side[name].to_numpy(dtype=float) for side in (first, second))
    mean, half, _ = mean_difference(np.round(b - a, _DECIMALS))
    return float(a.mean()), mean, mean - half, mean + half


def mean_difference(differences: Array) -> tuple[float, float, float]:
    """Mean of two or more differences, half of its 95 % interval, and p value that it is 0."""
    count = len(differences)
    mean = float(differences.mean())
    error = float(differences.std(ddof=1)) / np.sqrt(count)
    half = student.quantile(count - 1, (1 + CONFIDENCE) / 2) * error
    if error == 0:
        return mean, half, float(mean == 0)
    return mean, float(half), student.two_sided(count - 1, mean / error)


def holm(chances: Sequence[float]) -> list[float]:
    """P values that hold for all rows at once, in the order of `chances`, by Holm's method."""
    order = sorted(range(len(chances)), key=lambda position: chances[position])
    adjusted, largest = [0.0] * len(chances), 0.0
    for rank, position in enumerate(order):
        largest = max(largest, min(1.0, (len(chances) - rank) * chances[position]))
        adjusted[position] = largest
    return adjusted


def _with_verdicts(table: pd.DataFrame) -> pd.DataFrame:
    far = table["percent"].abs() > 100 * RESOLUTION
    p_all = pd.Series(holm(list(table["p"].astype(float))), index=table.index, dtype=float)
    direction = np.where(table["percent"] > 0, SLOWER, FASTER)
    limit = 1 - CONFIDENCE
    verdict = np.where(far & (p_all < limit), direction, EQUAL)
    alone = np.where(far & (table["p"] < limit), "yes", "no")
    return table.assign(p_all=p_all, verdict=verdict, alone=alone)
