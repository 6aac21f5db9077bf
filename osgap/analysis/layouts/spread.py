# SPDX-License-Identifier: BSD-3-Clause
"""Statistics over layouts: 95 % intervals of a number's mean and of one more layout.

A layout is one draw; its starts are draws within it.  The layouts' means, each over its starts,
are taken as independent and normal (of times and R the logarithms), which gives Student's
intervals.  The mean's interval is exact where each layout has as many starts: the variance of the
layouts' means contains both levels.  The interval of one more layout is exact with one start each;
else it is Satterthwaite's approximation, which covers 94 to 96 % with five layouts of several
starts.  A percentile bootstrap over five layouts covers 84 %
(tests/analysis/test_layout_spread.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from osgap.analysis import student
from osgap.analysis.relative import NAN
from osgap.analysis.resampling import CONFIDENCE, Array

Bounds = tuple[float, float]


@dataclass(frozen=True)
class Variance:
    """An estimated variance and its degrees of freedom; 0 degrees without an estimate."""

    value: float
    df: float


@dataclass(frozen=True)
class Spread:
    """The mean over layouts, and the variances behind its intervals, in the values' own scale.

    `between` is the variance of the layouts' means, with layouts - 1 degrees of freedom; `within`
    the further variance of a single start, with `within_df`.  With one layout both are NaN.
    """

    layouts: int
    starts: int
    mean: float
    between: float
    within: float
    within_df: int

    @property
    def of_mean(self) -> Variance:
        """The variance of the mean."""
        return Variance(self.between / self.layouts, self.layouts - 1)

    @property
    def of_one(self) -> Variance:
        """The variance of one further layout from one start."""
        return self._one_layout(1.0)

    def interval(self) -> Bounds:
        """The 95 % confidence interval of the mean; NaN for one layout."""
        return around(self.mean, self.of_mean)

    def one_more(self) -> Bounds:
        """The 95 % prediction interval of one further layout from one start; NaN for one."""
        return around(self.mean, self._one_layout(1 + 1 / self.layouts))

    def _one_layout(self, times: float) -> Variance:
        between = Variance(times * self.between, self.layouts - 1)
        return total((between, Variance(self.within, self.within_df)))


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
    return student.quantile(df, (1 + CONFIDENCE) / 2)


def spread(by_layout: Sequence[Array]) -> Spread:
    """The spread of each layout's values (one for each start, all finite) of one layout or more."""
    means = np.array([values.mean() for values in by_layout])
    counts = np.array([len(values) for values in by_layout])
    layouts, within_df = len(means), int((counts - 1).sum())
    if layouts < 2:
        return Spread(layouts, int(counts.sum()), float(means[0]), NAN, NAN, 0)
    squares = sum(float(((values - values.mean()) ** 2).sum()) for values in by_layout)
    # A mean over m starts has only 1/m of a single start's variance.
    within = float(1 - (1 / counts).mean()) * (squares / within_df if within_df else 0.0)
    between = float(means.var(ddof=1))
    return Spread(layouts, int(counts.sum()), float(means.mean()), between, within, within_df)


def total(parts: Sequence[Variance]) -> Variance:
    """The sum of independent variances, with Welch and Satterthwaite's degrees of freedom.

    Parts without degrees of freedom are left out; a sum of 0 has the fewest degrees of its parts.
    """
    estimates = [part for part in parts if part.df > 0]
    value = sum(part.value for part in estimates)
    if value <= 0:
        return Variance(value, min((part.df for part in estimates), default=0.0))
    # By shares, since the squares of small variances vanish.
    return Variance(value, 1 / sum((part.value / value) ** 2 / part.df for part in estimates))


@dataclass(frozen=True)
class Ratio:
    """A ratio of two means over layouts with both intervals; NaN where it is undetermined."""

    estimate: float
    interval: Bounds
    one_more: Bounds


def ratio(parts: Sequence[Array], wholes: Sequence[Array]) -> Ratio:
    """The mean part by the mean whole over layouts, with Fieller's 95 % interval.

    NaN throughout where the whole's interval contains 0.  `one_more` is the interval of one further
    layout's part by the mean whole, to first order.
    """
    x, y = (np.array([values.mean() for values in layouts]) for layouts in (parts, wholes))
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
    # The quadratic's roots are the interval's ends; only rounding makes it negative.
    root = (x.mean() * y.mean() - t**2 * xy) ** 2 - square * (x.mean() ** 2 - t**2 * xx)
    half = float(np.sqrt(max(root, 0.0)) / square)
    residual = float((x - share * y).var(ddof=1))
    variance = residual * (1 + 1 / count) / float(y.mean()) ** 2
    one_more = around(share, Variance(variance, count - 1))
    return Ratio(share, (float(middle) - half, float(middle) + half), one_more)
