# SPDX-License-Identifier: BSD-3-Clause
"""Percentile bootstrap over machines: seeded, so that equal data give equal intervals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 9999
SEED = 1990
CONFIDENCE = 0.95
Array = NDArray[np.float64]
Draws = NDArray[np.int64]


def draws(count: int) -> Draws:
    """RESAMPLES rows of `count` indices each, with replacement."""
    return np.random.default_rng(SEED).integers(0, count, (RESAMPLES, count))


def interval(resampled: Array) -> tuple[float, float]:
    """The 95 % percentile interval of resampled statistics; undefined ones are left out."""
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.nanpercentile(resampled, [tail, 100 - tail])
    return float(low), float(high)


def ratio_of_means(part: Array, whole: Array, drawn: Draws) -> tuple[float, float, float]:
    """The part's mean by the whole's, and the 95 % interval over what is `drawn`."""
    low, high = interval(part[drawn].mean(axis=1) / whole[drawn].mean(axis=1))
    return float(part.mean() / whole.mean()), low, high
