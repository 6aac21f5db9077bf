# SPDX-License-Identifier: BSD-3-Clause
"""Points as jobs: grouped into jobs for Snakemake, and their records from queued to ended.

On one machine a job is one point. On a cluster a job has several, because each job costs a start.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from osgap.engines.contract import Engine
from osgap.points import record
from osgap.points.record import Record, State
from osgap.points.supervise import clear_leftovers
from osgap.rundir.point import Spec
from osgap.sweep.progress import Progress

USEFUL_JOB_S = 900.0
"""Seconds that a cluster's job should take: its scheduler and Snakemake need seconds to start."""
ASSUMED_POINT_S = 120.0
"""Seconds of a point before any is finished: the mean of the default sweep on rvsim."""
LONG_S = 3600.0
"""Seconds of a sweep above which it says how its points would be quicker."""
Bundles = tuple[tuple[str, ...], ...]


def bundles(keys: Sequence[str], size: int) -> Bundles:
    """`keys` in order, `size` in a job."""
    return tuple(tuple(keys[first : first + size]) for first in range(0, len(keys), size))


def useful_size(points: int, slots: int, point_s: float | None) -> int:
    """Points for a job of USEFUL_JOB_S, but few enough that each of `slots` gets a job."""
    long_enough = math.ceil(USEFUL_JOB_S / max(point_s or ASSUMED_POINT_S, 0.001))
    return max(1, min(long_enough, points // max(1, slots)))


def advice(engine: Engine, points: int, slots: int, point_s: float | None) -> str:
    """A sentence on quicker points for a sweep of over LONG_S; "" for a shorter one, or none."""
    rounds = points / min(slots, max(points, 1))
    return engine.advice() if rounds * (point_s or ASSUMED_POINT_S) > LONG_S else ""


def longest_first(specs: Sequence[Spec]) -> list[Spec]:
    """The points sorted by likely simulation time, longest first, so that none ends alone.

    A simulator needs time for a stalled cycle too. So the longer memory takes in cycles, and the
    more harts there are, the longer the same instructions take to simulate.
    """
    return sorted(specs, key=_stall_cycles, reverse=True)


def _stall_cycles(spec: Spec) -> float:
    system = spec.system
    return system.memory_cycles * system.harts


def queue(run: Path, specs: Sequence[Spec]) -> None:
    """Writes a queued record for each point that is not running; counts of attempts go on."""
    for spec in specs:
        earlier = record.current(run, spec.key)
        if earlier.state is not State.RUNNING:
            queued = Record(key=spec.key, state=State.QUEUED, attempt=earlier.attempt)
            record.write(run, queued)


def all_attempted(before: Sequence[Record], now: Progress) -> bool:
    """True if every point is done, or has ended in an attempt that began after `before`.

    A worker of an earlier sweep may end its point while Snakemake has not begun.
    """
    if now.of(State.QUEUED, State.RUNNING):
        return False
    return all(
        new.state is State.DONE or new.attempt > old.attempt
        for old, new in zip(before, now.records, strict=True)
    )


def update_records(run: Path, keys: Sequence[str], never_started: str = "") -> None:
    """Updates the records of points whose workers were killed before they could write.

    With `never_started` a point that is still queued is recorded as cancelled, for that reason.
    """
    clear_leftovers(run)
    for key in keys:
        present = record.current(run, key)
        if never_started and present.state is State.QUEUED:
            present = record.ended(present, State.CANCELLED, never_started)
        if present != record.read(run, key):
            # On a full disk the file stays as it is: `record.current` finds the same again.
            with suppress(OSError):
                record.write(run, present)
