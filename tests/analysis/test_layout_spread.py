# SPDX-License-Identifier: BSD-3-Clause
"""Intervals over layouts cover what they say, shown by many sets of layouts that are drawn."""

import numpy as np
import pytest
from numpy.typing import NDArray

from osgap.analysis.layouts.spread import Variance, ratio, spread, total

SETS = 4000
LAYOUTS = (5, pytest.param(10, marks=pytest.mark.long))
MEAN, SPREAD, WITHIN = 0.3, 0.06, 0.04
Array = NDArray[np.float64]


def _drawn(layouts: int, starts: int, seed: int = 0) -> tuple[Array, Array]:
    """SETS sets of layouts, each of starts; and one further layout from one start for each."""
    rng = np.random.default_rng([layouts, starts, seed])
    within = WITHIN if starts > 1 else 0.0
    means = rng.normal(MEAN, SPREAD, (SETS, layouts + 1))
    values = rng.normal(means[..., None], within, (SETS, layouts + 1, starts))
    return values[:, :-1], values[:, -1, 0]


@pytest.mark.parametrize("starts", [1, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("layouts", LAYOUTS)
def test_both_intervals_cover_in_95_of_100_sets(layouts: int, starts: int) -> None:
    values, further = _drawn(layouts, starts)
    found = [spread(list(one)) for one in values]
    of_mean = np.array([one.interval() for one in found])
    of_one = np.array([one.one_more() for one in found])
    # Four standard errors of 4000 draws are 0.014.
    assert np.mean((of_mean[:, 0] < MEAN) & (of_mean[:, 1] > MEAN)) == pytest.approx(
        0.95, abs=0.015
    )
    inside = (of_one[:, 0] < further) & (further < of_one[:, 1])
    assert inside.mean() == pytest.approx(0.95, abs=0.015)


def test_a_percentile_bootstrap_of_five_layouts_would_not_cover() -> None:
    values, _ = _drawn(5, 1)
    drawn = np.random.default_rng(1).integers(0, 5, (999, 5))
    inside = []
    for one in values[..., 0]:
        low, high = np.percentile(one[drawn].mean(axis=1), [2.5, 97.5])
        inside.append(low < MEAN < high)
    assert 0.78 < np.mean(inside) < 0.88


@pytest.mark.slow
def test_starts_are_no_layouts() -> None:
    """Thirty values of three layouts: taken for thirty layouts, the interval misses the mean."""
    rng = np.random.default_rng(3)
    means = rng.normal(MEAN, SPREAD, (SETS, 3))
    values = rng.normal(means[..., None], WITHIN, (SETS, 3, 10))
    nested = [spread(list(one)).interval() for one in values]
    flat = [spread(list(one.reshape(-1, 1))).interval() for one in values]
    nested_in, flat_in = (
        np.mean([low < MEAN < high for low, high in found]) for found in (nested, flat)
    )
    assert nested_in == pytest.approx(0.95, abs=0.015)
    assert flat_in < 0.7


def test_unequal_starts_still_cover() -> None:
    rng = np.random.default_rng(4)
    inside = []
    for _ in range(SETS):
        means = rng.normal(MEAN, SPREAD, 6)
        values = [rng.normal(mean, WITHIN, 1 + at % 3) for at, mean in enumerate(means)]
        low, high = spread(values).interval()
        inside.append(low < MEAN < high)
    assert np.mean(inside) == pytest.approx(0.95, abs=0.02)


def test_the_numbers_of_a_small_case() -> None:
    found = spread([np.array([1.0]), np.array([2.0]), np.array([3.0])])
    assert (found.layouts, found.starts, found.mean) == (3, 3, 2.0)
    # t(0.975, 2) is 4.3027, the standard deviation is 1.
    assert found.interval() == pytest.approx((2 - 4.3027 / 3**0.5, 2 + 4.3027 / 3**0.5), abs=1e-3)
    half = 4.3027 * (1 + 1 / 3) ** 0.5
    assert found.one_more() == pytest.approx((2 - half, 2 + half), abs=1e-3)


def test_one_layout_has_no_interval_and_equal_ones_an_empty_one() -> None:
    one = spread([np.array([1.0, 2.0])])
    assert one.mean == 1.5 and np.isnan([*one.interval(), *one.one_more()]).all()
    same = spread([np.array([2.0])] * 4)
    assert same.interval() == same.one_more() == (2.0, 2.0)


def test_degrees_of_freedom_of_a_sum() -> None:
    assert total([Variance(1.0, 9), Variance(1.0, 9)]).df == pytest.approx(18)
    assert total([Variance(1.0, 4), Variance(0.0, 9)]).df == pytest.approx(4)
    assert total([Variance(0.0, 4), Variance(0.0, 9)]) == Variance(0.0, 4)
    assert total([Variance(1.0, 4), Variance(0.0, 0)]) == Variance(1.0, 4)


@pytest.mark.parametrize("layouts", LAYOUTS)
def test_the_interval_of_a_share_covers(layouts: int) -> None:
    rng = np.random.default_rng([5, layouts])
    share, inside, known = 0.6, [], 0
    for _ in range(SETS):
        whole = rng.normal(-1.0, 0.1, layouts)
        part = share * whole + rng.normal(0, 0.05, layouts)
        found = ratio([np.array([x]) for x in part], [np.array([y]) for y in whole])
        low, high = found.interval
        known += not np.isnan(low)
        inside.append(low < share < high)
    assert known == SETS
    assert np.mean(inside) == pytest.approx(0.95, abs=0.015)


def test_a_share_of_nothing_is_undefined() -> None:
    whole = [np.array([x]) for x in (-0.1, 0.1, 0.05, -0.02)]
    found = ratio(whole, whole)
    assert np.isnan([found.estimate, *found.interval, *found.one_more]).all()
