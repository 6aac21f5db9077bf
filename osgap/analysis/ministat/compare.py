# SPDX-License-Identifier: BSD-3-Clause
"""Statistics of samples, and the difference of two means by Student's t with a pooled s.

Source of the method: FreeBSD's usr.bin/ministat manual page (P.-H. Kamp); the distribution is
SciPy's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from scipy import stats

from osgap.base.errors import OsgapError

LEAST = 3
LARGEST = 1e150
"""The square of a larger value, of which a variance is made, is no number any more."""
CONFIDENCES = (80.0, 90.0, 95.0, 98.0, 99.0, 99.5)
# ministat's table of Student's t has three decimals, which shows in the sixth digit printed.
_T_DECIMALS = 3


class SampleError(OsgapError):
    """A sample that cannot be judged."""


@dataclass(frozen=True)
class Sample:
    """Values in ascending order, in the caller's unit."""

    name: str
    values: tuple[float, ...]

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def median(self) -> float:
        """The upper median, as ministat has it: the value at n // 2."""
        return self.values[self.n // 2]

    @property
    def mean(self) -> float:
        return math.fsum(self.values) / self.n

    @property
    def variance(self) -> float:
        """Of the sample, with n - 1."""
        mean = self.mean
        return math.fsum((value - mean) ** 2 for value in self.values) / (self.n - 1)

    @property
    def stddev(self) -> float:
        return math.sqrt(self.variance)


@dataclass(frozen=True)
class Difference:
    """How far the second sample's mean is from the first's, in its unit, and in per cent of it."""

    difference: float
    error: float
    percent: float
    percent_error: float
    pooled_s: float
    confidence: float

    @property
    def proven(self) -> bool:
        """Whether the difference exceeds its error at the confidence asked for."""
        return abs(self.difference) > self.error


def make_sample(name: str, values: Iterable[float]) -> Sample:
    """A sample of three or more values of at most LARGEST. Raises SampleError."""
    ordered = tuple(sorted(values))
    if len(ordered) < LEAST:
        raise SampleError(f"{name}: found {len(ordered)} values; allowed: {LEAST} or more")
    strange = [value for value in ordered if not abs(value) <= LARGEST]
    if strange:
        raise SampleError(f"{name}: found {strange[0]:g}; allowed: finite, to {LARGEST:g}")
    return Sample(name, ordered)


def difference(first: Sample, second: Sample, confidence: float = 95.0) -> Difference:
    """second - first with its error at `confidence` per cent; per cent of the first's mean.

    Raises SampleError for a confidence outside 0 to 100.
    """
    if not 0 < confidence < 100:
        raise SampleError(f"confidence: found {confidence:g}; allowed: between 0 and 100 per cent")
    freedom = first.n + second.n - 2
    t = round(float(stats.t.ppf(0.5 + confidence / 200, freedom)), _T_DECIMALS)
    pooled = math.sqrt(
        ((first.n - 1) * first.variance + (second.n - 1) * second.variance) / freedom
    )
    error = t * pooled * math.sqrt(1 / first.n + 1 / second.n)
    apart = second.mean - first.mean
    scale = 100 / first.mean if first.mean else math.nan
    return Difference(apart, error, apart * scale, error * scale, pooled, confidence)
