# SPDX-License-Identifier: BSD-3-Clause
"""Student's t distribution."""

from __future__ import annotations


def quantile(degrees: float, probability: float) -> float:
    """The number that a t of so many degrees of freedom exceeds with 1 - `probability`."""
    from scipy import special  # takes a tenth of a second, and most commands need no quantile

    return float(special.stdtrit(degrees, probability))


def two_sided(degrees: float, statistic: float) -> float:
    """The chance that a t of so many degrees of freedom is as far from 0 as `statistic`."""
    from scipy import special

    return float(2 * special.stdtr(degrees, -abs(statistic)))
