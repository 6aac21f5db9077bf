# SPDX-License-Identifier: BSD-3-Clause
"""Formats intervals over layouts, to print behind a number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from osgap.analysis.layouts.values import MEAN as MEAN_R
from osgap.analysis.layouts.values import SPEED

_NAME = ["quantity", "set", "series", "clock_mhz", "benchmark", "fs"]
WIDE_MARK = "*"


@dataclass(frozen=True)
class Bands:
    """The text behind each R or mean of R and the interval's ends, by _NAME; and the legend."""

    texts: Mapping[tuple[object, ...], str] = field(default_factory=dict)
    legend: str = ""
    ends: Mapping[tuple[object, ...], tuple[float, float]] = field(default_factory=dict)

    def of_mean(self, name: str, series: str, clock: float) -> str:
        """The text behind the mean of a set."""
        return self.texts.get((MEAN_R, name, series, clock, "", ""), "")

    def ends_of_mean(self, name: str, series: str, clock: float) -> tuple[float, float] | None:
        """The ends of the interval of a set's mean; None if they are not known."""
        return self.ends.get((MEAN_R, name, series, clock, "", ""))

    def of_benchmark(self, name: str, fs: str, series: str, clock: float) -> str:
        """The text behind a benchmark's R."""
        return self.texts.get((SPEED, "", series, clock, name, fs), "")


NO_BANDS = Bands()


def of_means(layouts: pd.DataFrame) -> Bands:
    """Intervals for the means of one group in the table `layouts`."""
    count = _count(layouts)
    legend = (
        f"In brackets: 95 % interval of the mean over {count} layouts; {WIDE_MARK}: wider than "
        f"10 %. {_wide(layouts)}"
    )
    return bands(layouts, "low", "high", legend)


def of_single_layout(layouts: pd.DataFrame) -> Bands:
    """Intervals for the numbers of a single layout: where 95 % of other layouts lie."""
    legend = (
        f"In brackets: where one more layout lies with 95 %, from {_count(layouts)} layouts; "
        f"{WIDE_MARK}: the interval of their mean is wider than 10 %. {_wide(layouts)}"
    )
    return bands(layouts, "one_low", "one_high", legend)


def bands(layouts: pd.DataFrame, low: str, high: str, legend: str) -> Bands:
    """The intervals of R and its means in rows as of the table `layouts`."""
    rows = layouts[layouts["quantity"].isin([MEAN_R, SPEED])]
    texts: dict[tuple[object, ...], str] = {}
    ends: dict[tuple[object, ...], tuple[float, float]] = {}
    for *name, a, b, wide in rows[[*_NAME, low, high, "wide"]].itertuples(index=False, name=None):
        texts[tuple(name)] = f" [{a:.2f}, {b:.2f}]{WIDE_MARK if wide == 'yes' else ''}"
        ends[tuple(name)] = float(a), float(b)
    return Bands(texts, legend, ends)


def _count(layouts: pd.DataFrame) -> str:
    least, most = layouts["layouts"].min(), layouts["layouts"].max()
    return f"{most}" if least == most else f"{least} to {most}"


def _wide(layouts: pd.DataFrame) -> str:
    speeds = layouts[layouts["quantity"] == SPEED]
    return f"{(speeds['wide'] == 'yes').sum()} of {len(speeds)} R are wider."
