# SPDX-License-Identifier: BSD-3-Clause
"""How a number varies over layouts: 95 % intervals of its mean and of one more layout.

A layout is one draw; its starts are draws within it.  The layouts' means, each over its starts,
are taken as independent and normal (of times and R the logarithms), which gives Student's
intervals.  That of the mean is exact with as many starts in each layout: the variance of the
layouts' means holds both levels.  That of one more layout is exact with one start each, else
Satterthwaite's approximation: with five layouts of several starts it covers 94 to 96 %.  A
percentile bootstrap over five layouts covers 84 % (tests/analysis/test_layout_spread.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from osgap.analysis.relative import NAN
from osgap.analysis.resampling import CONFIDENCE

Array = NDArray[np.float64]
Bounds = tuple[float, float]


@dataclass(frozen=True)
class Variance:
    """An estimated variance and its degrees of freedom, 0 where it is not known."""

    value: float
    df: float


@dataclass(frozen=True)
class Spread:
    """The mean over layouts, and the variances of which its intervals are made.

    `between` is that of the layouts' means, with layouts - 1 degrees of freedom; `within` what one
    start varies by beyond it, with `within_df`.  With one layout both are NaN.  `layouts` and
    `starts` count.  All are on the scale of the numbers that came in.
    """

    layouts: int
    starts: int
    mean: float
    between: float
    within: float
    within_df: int

    @property
    def of_mean(self) -> Variance:
        """The mean's."""
        return Variance(self.between / self.layouts, self.layouts - 1)

    @property
    def of_one(self) -> Variance:
        """That of one further layout from one start."""
        return self._one(1.0)

    def interval(self) -> Bounds:
        """The 95 % confidence interval of the mean; NaN for one layout."""
        return around(self.mean, self.of_mean)

    def one_more(self) -> Bounds:
        """The 95 % prediction interval of one further layout from one start; NaN for one."""
        return around(self.mean, self._one(1 + 1 / self.layouts))

    def _one(self, times: float) -> Variance:
        parts = (
            Variance(times * self.between, self.layouts - 1),
            Variance(self.within, self.within_df),
        )
        return total(parts)


def around(middle: float, variance: Variance) -> Bounds:
    """Student's 95 % interval around `middle`; NaN without degrees of freedom."""
    half = margin(variance)
    return middle - half, middle + half


def margin(variance: Variance) -> float:
    """Half of Student's 95 % interval; NaN without degrees of freedom."""
    if not variance.df > 0:
        return NAN
    return float(_quantile(variance.df) * np.sqrt(variance.value))


@lru_cache(maxsize=1024)
def _quantile(df: float) -> float:
    """Student's quantile of the upper end of the 95 % interval."""
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, df))


def spread(by_layout: Sequence[Array]) -> Spread:
    """From each layout's values, one a start, all finite; at least one layout."""
    means = np.array([values.mean() for values in by_layout])
    counts = np.array([len(values) for values in by_layout])
    layouts, within_df = len(means), int((counts - 1).sum())
    if layouts < 2:
        return Spread(layouts, int(counts.sum()), float(means[0]), NAN, NAN, 0)
    squares = sum(float(((values - values.mean()) ** 2).sum()) for values in by_layout)
    # A mean over m starts lacks all but 1/m of what one start varies by.
    within = float(1 - (1 / counts).mean()) * (squares / within_df if within_df else 0.0)
    between = float(means.var(ddof=1))
    return Spread(layouts, int(counts.sum()), float(means.mean()), between, within, within_df)


def total(parts: Sequence[Variance]) -> Variance:
    """The sum of independent variances, with Welch and Satterthwaite's degrees of freedom.

    Parts without degrees of freedom are left out; of nothing but zeros they are the fewest.
    """
    known = [part for part in parts if part.df > 0]
    value = sum(part.value for part in known)
    if value <= 0:
        return Variance(value, min((part.df for part in known), default=0.0))
    return Variance(value, value**2 / sum(part.value**2 / part.df for part in known))


@dataclass(frozen=True)
class Ratio:
    """A ratio of two means over layouts with both intervals, NaN where it is not determined."""

    estimate: float
    interval: Bounds
    one_more: Bounds


def ratio(parts: Sequence[Array], wholes: Sequence[Array]) -> Ratio:
    """Mean part by mean whole over layouts; Fieller's 95 % interval of it.

    NaN throughout where the whole's own interval holds 0: there is nothing to take a share of.
    `one_more` is where one further layout's part by the mean whole lies, to first order.
    """
    x, y = (np.array([values.mean() for values in own]) for own in (parts, wholes))
    count = len(x)
    undefined = Ratio(NAN, (NAN, NAN), (NAN, NAN))
    if count < 2:
        return undefined
    t = margin(Variance(1.0, count - 1))
    (xx, xy), (_, yy) = np.cov(x, y) / count
    square = y.mean() ** 2 - t**2 * yy
    if square <= 0:
        return undefined
    share = float(x.mean() / y.mean())
    middle = (x.mean() * y.mean() - t**2 * xy) / square
    # The quadratic whose roots are the ends; below 0 by rounding alone.
    root = (x.mean() * y.mean() - t**2 * xy) ** 2 - square * (x.mean() ** 2 - t**2 * xx)
    half = float(np.sqrt(max(root, 0.0)) / square)
    residual = float((x - share * y).var(ddof=1))
    variance = residual * (1 + 1 / count) / float(y.mean()) ** 2
    one = around(share, Variance(variance, count - 1))
    return Ratio(share, (float(middle) - half, float(middle) + half), one)
