# SPDX-License-Identifier: BSD-3-Clause
"""Do two runs differ by more than their layouts do?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from osgap.analysis.layouts.spread import Spread, Variance, margin, total
from osgap.analysis.layouts.values import SPEED, TIME
from osgap.analysis.relative import NAN

JUDGED_COLUMNS = [
    "layouts_a",
    "layouts_b",
    "time_limit",
    "time_differs",
    "relative_limit",
    "relative_differs",
]
RESOLUTION = 1e-3
"""Ratios that are nearer to 1 never count: a tick of the guest's clock may be as much."""
_POINT = ["series", "clock_mhz", "benchmark", "fs"]


@dataclass(frozen=True, eq=False)
class Layouts:
    """What is known of the layouts of one side.

    `spreads` by quantity, set, series, reference (None for none), clock, benchmark and file
    system, of logarithms.  With `averaged` the side's numbers are means over these layouts,
    else it is one further layout.
    """

    spreads: Mapping[tuple[object, ...], Spread]
    reference_mhz: float
    averaged: bool

    def find(self, quantity: str, point: tuple[object, ...]) -> Spread | None:
        """The spread of R or time at (series, clock, benchmark, fs), None where there is none."""
        series, clock, benchmark, fs = point
        reference = self.reference_mhz if quantity == SPEED else None
        known = self.spreads.get((quantity, "", series, reference, clock, benchmark, fs))
        return known if known is not None and known.layouts > 1 else None


def judged(compared: pd.DataFrame, a: Layouts, b: Layouts) -> pd.DataFrame:
    """The rows of `compared` with JUDGED_COLUMNS: times' and R's limits, and whether they differ.

    A limit is the ratio up to which, in either direction, 95 % of pairs lie that differ by their
    layouts alone: Student's, from the logarithms' variances.  For two single layouts of one
    spread s that is t x s x sqrt(2); for two means over layouts it is Welch's test.  A row of
    which either side's layouts are not known has no limit, and says nothing.
    """
    points = list(compared[_POINT].itertuples(index=False, name=None))
    added: dict[str, list[object]] = {name: [] for name in JUDGED_COLUMNS}
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
    together = total(parts)
    if a is b:  # one estimate that both sides borrow is not two
        together = Variance(together.value, min(part.df for part in parts))
    return float(np.exp(margin(together)))


def _differs(ratio: float, limit: float) -> str:
    if np.isnan(limit) or not ratio > 0:
        return ""
    return "yes" if abs(np.log(ratio)) > max(np.log(limit), np.log1p(RESOLUTION)) else "no"
