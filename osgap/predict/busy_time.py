# SPDX-License-Identifier: BSD-3-Clause
"""Busy cycles of an operation over memory's latency and a line's transfer, both in core cycles.

    busy = the larger of  a + b * latency  and  c + d * latency + lines * transfer

A core computes for `a` cycles and waits for `b` lines. Where the bus is busy all the time each of
the `lines` that an operation moves takes its turn there, and only `c` and `d` are not hidden behind
them. Counters give `lines`, simulated points the rest. An operation goes through parts of which
some wait and some fill the bus, so the corner between the two is round: a norm of order SHARPNESS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

Array = NDArray[np.float64]

SHARPNESS = 10.0
"""Of the corner; a whole stream at one latency is 7 % above both lines where they cross."""
# What points say of the time outweighs these, which choose where points leave a parameter open: the
# engine's own count of cycles that wait, and what of computing and waiting the bus does not hide.
_PRIOR_WEIGHT = 0.02
_COMPUTING, _SHOWING = 0.6, 0.1
_LEAST = 1e-9


@dataclass(frozen=True)
class Place:
    """Where a machine stands: memory's latency and a line's transfer in core cycles."""

    latency: float
    transfer: float

    @property
    def line(self) -> float:
        """Cycles until a line is there, nothing hidden."""
        return self.latency + self.transfer


@dataclass(frozen=True)
class Seen:
    """What an operation took at one place: busy cycles, those of them that the engine counted as
    waiting for memory, and lines moved to or from it."""

    place: Place
    busy: float
    stall: float
    lines: float


@dataclass(frozen=True)
class Surface:
    """The formula's parameters: cycles `a` and `c`, lines `b` and `d`, and `lines`."""

    a: float
    b: float
    c: float
    d: float
    lines: float

    def busy(self, place: Place) -> float:
        """Busy cycles of an operation there."""
        return float(
            _larger(
                self.a + self.b * place.latency,
                self.c + self.d * place.latency + self.lines * place.transfer,
            )
        )


def fit(seen: Sequence[Seen]) -> Surface:
    """The surface through what was seen, at one place or more, with the least relative errors.

    With fewer places than parameters the counters and the priors above decide.
    """
    latency = np.array([one.place.latency for one in seen])
    transfer = np.array([one.place.transfer for one in seen])
    busy = np.maximum([one.busy for one in seen], _LEAST)
    lines = float(np.median([one.lines for one in seen]))
    # A run of one line after another costs no more than them all; ticks add a little.
    most_waited = 1.3 * lines + 0.02 * float(busy[0]) / float(latency[0])
    counted = float(np.median([one.stall / one.place.latency for one in seen]))
    priors = np.array([min(1.0, counted / most_waited), _COMPUTING, _SHOWING])

    def surface(parameters: Array) -> Surface:
        a, waited, computing, showing = parameters
        b = waited * most_waited
        return Surface(a, b, a * computing, b * showing, lines)

    def residuals(parameters: Array) -> Array:
        one = surface(parameters)
        slow = one.a + one.b * latency
        full = one.c + one.d * latency + lines * transfer
        off = parameters[1:] - priors
        apart = np.log(np.maximum(_larger(slow, full), _LEAST) / busy)
        return np.concatenate([apart, _PRIOR_WEIGHT * off])

    start = np.array([max(0.3 * busy[0], busy[0] - counted * latency[0]), *priors])
    start[1:] = np.clip(start[1:], 0.01, 0.99)
    bounds = ([0.0, 0.0, 0.0, 0.0], [1.01 * float(busy.max()), 1.0, 1.0, 1.0])
    found = least_squares(residuals, start, bounds=bounds, x_scale=np.maximum(start, _LEAST))
    return surface(found.x)


def _larger(slow: Array | float, full: Array | float) -> Array:
    """The norm of both, which is the larger but near the corner."""
    top = np.maximum(slow, full)
    safe = np.maximum(top, _LEAST)
    ratio: Array = (slow / safe) ** SHARPNESS + (full / safe) ** SHARPNESS
    return np.asarray(top * ratio ** (1 / SHARPNESS))
