# SPDX-License-Identifier: BSD-3-Clause
"""Busy cycles of an operation as a function of memory's latency and bandwidth.

    busy = the larger of  a + b * latency  and  c + d * latency + lines * transfer

`latency` is that of memory, `transfer` the time in which a cache line crosses the bus, both in core
cycles. The first sum describes a core that computes for `a` cycles and waits for `b` lines. The
second describes a bus that is always busy: each of the `lines` that an operation moves takes its
turn, and only `c` and `d` are not hidden behind them. Counters give `lines`; simulated points give
the other parameters. Some parts of an operation wait and others fill the bus, so the corner between
the two sums is round: they are combined by a norm of order SHARPNESS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SHARPNESS = 10.0
"""The corner's sharpness: where both sums are equal, the norm is 7 % above them."""
# Expected parameters, with a small weight: they decide what the points leave open. Expected are the
# engine's own count of waiting cycles, and a part of computing and waiting that the bus hides.
_PRIOR_WEIGHT = 0.02
_COMPUTING, _SHOWING = 0.6, 0.1
_LEAST = 1e-9


@dataclass(frozen=True)
class MemoryPosition:
    """Memory's latency and the transfer of a line, both in core cycles."""

    latency: float
    transfer: float

    @property
    def line(self) -> float:
        """Cycles until a line has arrived, nothing hidden."""
        return self.latency + self.transfer


@dataclass(frozen=True)
class CycleCounts:
    """Cycles of an operation at a memory position, those that waited for memory, and lines."""

    position: MemoryPosition
    busy: float
    stall: float
    lines: float


@dataclass(frozen=True)
class BusyTime:
    """The formula's parameters: cycles `a` and `c`, lines `b` and `d`, and `lines`."""

    a: float
    b: float
    c: float
    d: float
    lines: float

    def cycles(self, position: MemoryPosition) -> float:
        """Busy cycles of an operation at this position."""
        return float(
            _larger(
                self.a + self.b * position.latency,
                self.c + self.d * position.latency + self.lines * position.transfer,
            )
        )


def fit(counts: Sequence[CycleCounts]) -> BusyTime:
    """The parameters with the least relative errors; counters and priors decide what is open."""
    latency = np.array([count.position.latency for count in counts])
    transfer = np.array([count.position.transfer for count in counts])
    busy = np.maximum([count.busy for count in counts], _LEAST)
    lines = float(np.median([count.lines for count in counts]))
    # Loads one after another wait for no more than all lines; timer ticks add a little.
    max_waited = 1.3 * lines + 0.02 * float(busy[0]) / float(latency[0])
    stalls = float(np.median([count.stall / count.position.latency for count in counts]))
    priors = np.array([min(1.0, stalls / max_waited), _COMPUTING, _SHOWING])

    def busy_time(parameters: Array) -> BusyTime:
        a, waited, computing, showing = parameters
        b = waited * max_waited
        return BusyTime(a, b, a * computing, b * showing, lines)

    def residuals(parameters: Array) -> Array:
        model = busy_time(parameters)
        waiting = model.a + model.b * latency
        full_bus = model.c + model.d * latency + lines * transfer
        prior_errors = parameters[1:] - priors
        errors = np.log(np.maximum(_larger(waiting, full_bus), _LEAST) / busy)
        return np.concatenate([errors, _PRIOR_WEIGHT * prior_errors])

    start = np.array([max(0.3 * busy[0], busy[0] - stalls * latency[0]), *priors])
    start[1:] = np.clip(start[1:], 0.01, 0.99)
    bounds = ([0.0, 0.0, 0.0, 0.0], [1.01 * float(busy.max()), 1.0, 1.0, 1.0])
    from scipy.optimize import least_squares  # takes half a second

    solution = least_squares(residuals, start, bounds=bounds, x_scale=np.maximum(start, _LEAST))
    return busy_time(solution.x)


def _larger(waiting: Array | float, full_bus: Array | float) -> Array:
    """The norm of both sums: the larger one, except near the corner."""
    largest = np.maximum(waiting, full_bus)
    safe = np.maximum(largest, _LEAST)
    ratio: Array = (waiting / safe) ** SHARPNESS + (full_bus / safe) ** SHARPNESS
    return np.asarray(largest * ratio ** (1 / SHARPNESS))
