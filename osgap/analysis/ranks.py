# SPDX-License-Identifier: BSD-3-Clause
"""Spearman's rank correlation of many pairs of rows at once, as resampling needs it."""

import numpy as np
from scipy import stats

from osgap.analysis.relative import NAN
from osgap.analysis.resampling import Array


def standard_ranks(rows: Array) -> Array:
    """Each row's ranks, less their mean and of length 1; 0 throughout for a constant row."""
    ranks: Array = stats.rankdata(rows, axis=1)
    ranks -= ranks.mean(axis=1, keepdims=True)
    length = np.sqrt((ranks**2).sum(axis=1, keepdims=True))
    standard: Array = np.divide(ranks, length, out=np.zeros_like(ranks), where=length > 0)
    return standard


def rank_correlations(a: Array, b: Array) -> Array:
    """Spearman's correlation of each row of `a` with that of `b`, both from `standard_ranks`.

    NaN where either row is constant.
    """
    together: Array = np.einsum("ij,ij->i", a, b)
    varied = a.any(axis=1) & b.any(axis=1)
    return np.where(varied, together, NAN)
