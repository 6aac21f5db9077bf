# SPDX-License-Identifier: BSD-3-Clause
"""The arithmetic of Ousterhout (USENIX Summer 1990), and elasticities.

A missing, zero, negative or infinite value gives NaN, never 0.
"""

import math
from collections.abc import Iterable, Sequence
from statistics import linear_regression

NAN = math.nan


def defined(value: float) -> bool:
    """True if a value can enter a ratio or a logarithm: finite and above 0."""
    return math.isfinite(value) and value > 0


def relative_speed(
    value: float, reference: float, mips: float, mips_reference: float, *, bandwidth: bool = False
) -> float:
    """MIPS-relative speed R = (t_ref / t) / (MIPS / MIPS_ref), a pure ratio.

    `value` and `reference` share a unit: times, or rates with `bandwidth`, for which the first
    ratio is inverted.  1 means that the system sped up as much as its processor.
    """
    if not all(map(defined, (value, reference, mips, mips_reference))):
        return NAN
    speedup = value / reference if bandwidth else reference / value
    return speedup / (mips / mips_reference)


def geometric_mean(values: Iterable[float]) -> float:
    """Geometric mean; NaN for no values, or when any value is undefined."""
    numbers = list(values)
    if not numbers or not all(map(defined, numbers)):
        return NAN
    return math.exp(math.fsum(map(math.log, numbers)) / len(numbers))


def elasticity(clock: float, time: float, next_clock: float, next_time: float) -> float:
    """d log t / d log clock of two machines, t per byte for rates; NaN for equal clocks."""
    if not all(map(defined, (clock, time, next_clock, next_time))) or clock == next_clock:
        return NAN
    return math.log(next_time / time) / math.log(next_clock / clock)


def fitted_elasticity(clocks: Sequence[float], times: Sequence[float]) -> float:
    """Slope of log t over log clock by least squares; NaN with fewer than two clocks."""
    pairs = [
        (math.log(clock), math.log(time))
        for clock, time in zip(clocks, times, strict=True)
        if defined(clock) and defined(time)
    ]
    if len({x for x, _ in pairs}) < 2:
        return NAN
    return linear_regression(*zip(*pairs, strict=True)).slope
