# SPDX-License-Identifier: BSD-3-Clause
"""Progress of a run: its points' records, their counts, and the estimated time left."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from osgap.points import record
from osgap.points.record import FAILED, Record, State
from osgap.rundir import manifest
from osgap.rundir.directory import is_archived

_SLOWEST = 5


@dataclass(frozen=True)
class Progress:
    """A run's records in the order of its points, and the seconds left (None: unknown)."""

    run: Path
    records: tuple[Record, ...]
    eta_s: float | None

    @property
    def counts(self) -> Mapping[State, int]:
        """State -> number of points, for all states in their order."""
        counts = Counter(r.state for r in self.records)
        return {state: counts[state] for state in State}

    def of(self, *states: State) -> tuple[Record, ...]:
        """The records in any of `states`."""
        return tuple(r for r in self.records if r.state in states)

    @property
    def failed(self) -> tuple[Record, ...]:
        """The records of points that ended without a result."""
        return self.of(*FAILED)

    @property
    def slowest(self) -> tuple[Record, ...]:
        """The finished points that took longest."""
        done = [r for r in self.of(State.DONE) if r.total_s is not None]
        return tuple(sorted(done, key=lambda r: -(r.total_s or 0))[:_SLOWEST])


def survey(
    run: Path, keys: Sequence[str], slots: int | None = None, before: Progress | None = None
) -> Progress:
    """The progress of `run` with the points `keys`, of which `slots` run at once.

    Records of points that were finished `before` are not read again.
    """
    if is_archived(run):
        return Progress(run, record.accepted(run, keys), 0.0)
    done = before.of(State.DONE) if before else ()
    # A point's directory exists a moment before its record has the cost.
    finished = {r.key: r for r in done if r.total_s is not None}
    records = tuple(finished.get(key) or record.current(run, key) for key in keys)
    return Progress(run, records, estimate(records, slots))


def estimate(records: Sequence[Record], slots: int | None = None) -> float | None:
    """Estimated seconds until the queued and running points are done, from finished points' costs.

    Each of `slots` workers (None: as many as are running) takes a point when it is free. Returns
    None before the first point is finished and while none runs, 0 if none is left.
    """
    costs = _costs(records)
    running = [record.running_s(r) for r in records if r.state is State.RUNNING]
    queued = sum(r.state is State.QUEUED for r in records)
    if not running and not queued:
        return 0.0
    if not costs or (slots is None and not running):
        return None
    mean = sum(costs) / len(costs)
    free_at = [_left(elapsed, costs) for elapsed in running]
    free_at += [0.0] * max(0, min((slots or 0) - len(free_at), queued))
    heapq.heapify(free_at)
    for _ in range(queued):
        heapq.heapreplace(free_at, free_at[0] + mean)
    return max(free_at)


def _left(elapsed: float, costs: Sequence[float]) -> float:
    """Seconds that a point running for `elapsed` still needs: from the mean of longer costs."""
    longer = [cost for cost in costs if cost > elapsed]
    if not longer:
        return 0.1 * elapsed
    return sum(longer) / len(longer) - elapsed


def mean_cost(records: Sequence[Record]) -> float | None:
    """Mean seconds of the finished points; None if there is none."""
    costs = _costs(records)
    return sum(costs) / len(costs) if costs else None


def _costs(records: Sequence[Record]) -> list[float]:
    return [r.total_s for r in records if r.state is State.DONE and r.total_s is not None]


def keys_of(run: Path) -> tuple[str, ...]:
    """The keys of a run's points, from run.json. Raises OsgapError."""
    return manifest.read(run).points
