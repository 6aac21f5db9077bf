# SPDX-License-Identifier: BSD-3-Clause
"""Computes the smallest difference between kernels that so many layouts and minutes detect.

A difference is detected if a comparison finds it in 80 % of cases (the power of Student's test of
the mean over pairs of layouts, by the noncentral t distribution).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from osgap.analysis.columns import count
from osgap.analysis.resampling import CONFIDENCE, Array
from osgap.analysis.table import Column, Table
from osgap.kernels.judgement import pairs

POWER = 0.8
LAYOUTS = (2, 3, 5, 7, 10, 15, 20)
"""The numbers of layouts that the table lists."""
_S_PER_MIN = 60.0
KERNEL_AB_RESOLUTION = Table(
    "kernel_ab_resolution",
    "the smallest difference between two kernels that is detected, by layouts and minutes",
    (
        count("layouts", "layouts of each kernel"),
        Column("one_percent", "of the median row, if it is the only row", "%"),
        Column(
            "one_worst_percent", "of the row that layouts move most, if it is the only row", "%"
        ),
        Column("all_percent", "of the median row among all rows", "%"),
        Column("all_worst_percent", "of the row that layouts move most, among all rows", "%"),
        Column(
            "minutes",
            "simulation of all points, as many at once as fit; building and booting come on top",
            "min",
        ),
    ),
    order=410,
)


def smallest_difference(deviation: float, layouts: int, rows: int) -> float:
    """The difference of logarithms that is detected in one of `rows` rows with chance POWER.

    `deviation` is the standard deviation of a pair's difference; infinite below two layouts.  Of
    many rows the smallest p value is compared to 0.05 / rows, as in Holm's first step.
    """
    from scipy import optimize, special

    if layouts < 2:
        return float("inf")
    degrees = layouts - 1
    limit = float(special.stdtrit(degrees, 1 - (1 - CONFIDENCE) / 2 / rows))

    def shortfall(noncentrality: float) -> float:
        return float(special.nctdtr(degrees, noncentrality, limit)) - (1 - POWER)

    end = 1.0
    while shortfall(end) > 0:
        end *= 2
    return float(optimize.brentq(shortfall, 0.0, end)) * deviation / float(np.sqrt(layouts))


def deviations(base: pd.DataFrame, changed: pd.DataFrame) -> Array:
    """The standard deviations of paired differences of log time, by row; from observations."""
    differences = [
        np.log(second["ns"].to_numpy(dtype=float)) - np.log(first["ns"].to_numpy(dtype=float))
        for _, first, second in pairs(base, changed)
    ]
    return np.array([values.std(ddof=1) for values in differences], dtype=float)


def resolution(
    spreads: Array, rows: int, seconds: float, at_once: int, layouts: Sequence[int] = LAYOUTS
) -> pd.DataFrame:
    """The table KERNEL_AB_RESOLUTION of rows with these standard deviations of a pair's difference.

    `seconds` are those of both points of a pair of layouts on all machines and clocks, NaN where
    they are not known; `at_once` is the number of points that run at once.
    """
    if not len(spreads):
        return KERNEL_AB_RESOLUTION.frame([])
    middle, worst = float(np.median(spreads)), float(spreads.max())
    lines = []
    for number in layouts:
        percent = [
            float(np.expm1(smallest_difference(spread, number, compared))) * 100
            for compared in (1, rows)
            for spread in (middle, worst)
        ]
        lines.append((number, *percent, number * seconds / at_once / _S_PER_MIN))
    return KERNEL_AB_RESOLUTION.frame(lines)
