# SPDX-License-Identifier: BSD-3-Clause
"""The paper's arithmetic on values whose answer is known."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.analysis.relative import elasticity, fitted_elasticity, geometric_mean, relative_speed

positive = st.floats(1e-6, 1e6)
speedups = st.floats(1.5, 1000)


@given(positive, positive, speedups)
def test_perfect_scaling_is_1_and_minus_1(time: float, mips: float, speedup: float) -> None:
    fast = time / speedup
    assert relative_speed(fast, time, mips * speedup, mips) == pytest.approx(1)
    assert elasticity(mips, time, mips * speedup, fast) == pytest.approx(-1)


@given(positive, positive, speedups)
def test_constant_time_is_1_by_the_speedup_and_0(time: float, mips: float, speedup: float) -> None:
    assert relative_speed(time, time, mips * speedup, mips) == pytest.approx(1 / speedup)
    assert elasticity(mips, time, mips * speedup, time) == 0


@given(positive, positive, positive, positive)
def test_bandwidth_inverts_the_first_ratio(a: float, b: float, mips: float, base: float) -> None:
    as_time = relative_speed(1 / a, 1 / b, mips, base)
    assert relative_speed(a, b, mips, base, bandwidth=True) == pytest.approx(as_time)


def test_table_2_of_1990() -> None:
    # DECstation 5000: 11 us at 18 MIPS against 207 us at 0.9 MIPS; the paper prints .94.
    assert relative_speed(11, 207, 18, 0.9) == pytest.approx(0.9409, abs=5e-5)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_undefined_is_nan(bad: float) -> None:
    assert math.isnan(relative_speed(bad, 1, 1, 1))
    assert math.isnan(relative_speed(1, bad, 1, 1))
    assert math.isnan(relative_speed(1, 1, bad, 1))
    assert math.isnan(relative_speed(1, 1, 1, bad))
    assert math.isnan(geometric_mean([1, bad]))
    assert math.isnan(elasticity(1, bad, 2, 1))
    assert math.isnan(fitted_elasticity([1, 2], [1, bad]))


def test_geometric_mean() -> None:
    assert geometric_mean([1, 4, 16]) == pytest.approx(4)
    assert math.isnan(geometric_mean([]))


def test_elasticity_between_equal_clocks_is_undefined() -> None:
    assert math.isnan(elasticity(20, 1, 20, 2))
    assert math.isnan(fitted_elasticity([20, 20], [1, 2]))


@given(st.floats(-2, 2), positive, st.lists(positive, min_size=3, unique=True))
def test_fit_finds_the_exponent_of_a_power_law(
    power: float, scale: float, clocks: list[float]
) -> None:
    if max(clocks) / min(clocks) < 1.1:
        clocks = [*clocks, max(clocks) * 2]
    times = [scale * clock**power for clock in clocks]
    assert fitted_elasticity(clocks, times) == pytest.approx(power, abs=1e-6)


def test_fit_leaves_undefined_times_out() -> None:
    assert fitted_elasticity([1, 2, 4], [8, math.nan, 2]) == pytest.approx(-1)


def test_fit_is_least_squares() -> None:
    # Times 1, 2, 1 at clocks 1, 2, 4: the slope over a symmetric tent is 0, the steps are not.
    assert fitted_elasticity([1, 2, 4], [1, 2, 1]) == pytest.approx(0, abs=1e-12)
    assert elasticity(1, 1, 2, 2) == pytest.approx(1)


def test_fit_refuses_lists_of_different_length() -> None:
    with pytest.raises(ValueError, match="zip"):
        fitted_elasticity([1, 2], [1])
