# SPDX-License-Identifier: BSD-3-Clause
"""Tells whether two runs differ by more than layouts of their systems do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from osgap.analysis.columns import flag, names, sides
from osgap.analysis.layouts.spread import Spread, Variance, margin, total
from osgap.analysis.layouts.values import SPEED, TIME
from osgap.analysis.relative import NAN
from osgap.analysis.table import Column

DIFFERENCE_COLUMNS = (
    *sides("layouts", "layouts of the system", kind="count"),
    Column("time_limit", "the largest ratio of times, either way, in 95 % of pairs of layouts"),
    flag("time_differs", "whether the times differ by more than time_limit"),
    Column("relative_limit", "the largest ratio of R, either way, in 95 % of pairs of layouts"),
    flag("relative_differs", "whether R differ by more than relative_limit"),
)
RESOLUTION = 1e-3
"""Ratios nearer to 1 never count as a difference: one tick of the guest's clock may be as much."""
_POINT = ["series", "clock_mhz", "benchmark", "fs"]


@dataclass(frozen=True, eq=False)
class LayoutSpreads:
    """The spread over layouts of one side's system.

    `spreads` are of logarithms, by quantity, set, series, reference (None for none), clock,
    benchmark and file system.  With `averaged` the side's numbers are means over these layouts,
    else the side is one further layout.
    """

    spreads: Mapping[tuple[object, ...], Spread]
    reference_mhz: float
    averaged: bool

    def find(self, quantity: str, point: tuple[object, ...]) -> Spread | None:
        """The spread of R or time at (series, clock, benchmark, fs), None where there is none."""
        series, clock, benchmark, fs = point
        reference = self.reference_mhz if quantity == SPEED else None
        spread = self.spreads.get((quantity, "", series, reference, clock, benchmark, fs))
        return spread if spread is not None and spread.layouts > 1 else None


def with_limits(compared: pd.DataFrame, a: LayoutSpreads, b: LayoutSpreads) -> pd.DataFrame:
    """Adds DIFFERENCE_COLUMNS to `compared`: limits of time and R, and whether a and b differ.

    The limits are Student's, from the logarithms' variances: for two single layouts of one spread s
    t x s x sqrt(2); for two means over layouts Welch's test.
    """
    points = list(compared[_POINT].itertuples(index=False, name=None))
    added: dict[str, list[object]] = {name: [] for name in names(*DIFFERENCE_COLUMNS)}
    for point, time, speed in zip(
        points, compared["time_ratio"], compared["relative_ratio"], strict=True
    ):
        pairs = [(a.find(quantity, point), b.find(quantity, point)) for quantity in (TIME, SPEED)]
        first, second = pairs[0]
        added["layouts_a"].append(first.layouts if first else 0)
        added["layouts_b"].append(second.layouts if second else 0)
        for name, pair, ratio in zip(("time", "relative"), pairs, (time, speed), strict=True):
            limit = _limit(pair, a.averaged, b.averaged)
            added[f"{name}_limit"].append(limit)
            added[f"{name}_differs"].append(_differs(float(ratio), limit))
    return compared.join(pd.DataFrame(added, index=compared.index))


def _limit(pair: tuple[Spread | None, Spread | None], mean_a: bool, mean_b: bool) -> float:
    a, b = pair
    if a is None or b is None:
        return NAN
    parts = [a.of_mean if mean_a else a.of_one, b.of_mean if mean_b else b.of_one]
    variance = total(parts)
    if a is b:  # both sides borrow one estimate, which counts once
        variance = Variance(variance.value, min(part.df for part in parts))
    return float(np.exp(margin(variance)))


def _differs(ratio: float, limit: float) -> str:
    if np.isnan(limit) or not ratio > 0:
        return ""
    return "yes" if abs(np.log(ratio)) > max(np.log(limit), np.log1p(RESOLUTION)) else "no"
