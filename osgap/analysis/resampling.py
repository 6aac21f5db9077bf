# SPDX-License-Identifier: BSD-3-Clause
"""Bootstraps and rank correlations of resamples, seeded: equal data give equal intervals."""

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


def layout_draws(count: int) -> Draws:
    """One of `count` layouts for each resample; its seed is apart from that of `draws`."""
    return np.random.default_rng([SEED, 1]).integers(0, count, RESAMPLES)


def interval(resampled: Array) -> tuple[float, float]:
    """The 95 % percentile interval of resampled statistics, without the undefined statistics."""
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.nanpercentile(resampled, [tail, 100 - tail])
    return float(low), float(high)


def ratio_of_means(
    numerators: Array, denominators: Array, resamples: Draws
) -> tuple[float, float, float]:
    """The ratio of the two means, and its 95 % interval over the resamples."""
    low, high = interval(numerators[resamples].mean(axis=1) / denominators[resamples].mean(axis=1))
    return float(numerators.mean() / denominators.mean()), low, high


def standard_ranks(rows: Array) -> Array:
    """Each row's ranks, less their mean and scaled to length 1; 0 throughout for a constant row."""
    from scipy import stats  # takes a second

    ranks: Array = stats.rankdata(rows, axis=1)
    ranks -= ranks.mean(axis=1, keepdims=True)
    length = np.sqrt((ranks**2).sum(axis=1, keepdims=True))
    standard: Array = np.divide(ranks, length, out=np.zeros_like(ranks), where=length > 0)
    return standard


def rank_correlations(a: Array, b: Array) -> Array:
    """Spearman's correlations of rows from `standard_ranks`; NaN where either row is constant."""
    products: Array = np.einsum("ij,ij->i", a, b)
    varied = a.any(axis=1) & b.any(axis=1)
    return np.where(varied, products, np.nan)
