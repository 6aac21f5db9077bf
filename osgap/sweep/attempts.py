# SPDX-License-Identifier: BSD-3-Clause
"""A sweep's points from queued to ended, as their records tell it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from osgap.points import record
from osgap.points.record import Record, State
from osgap.points.spec import Spec
from osgap.points.supervise import clear_leftovers
from osgap.sweep.progress import Progress


def queue(run: Path, todo: Sequence[Spec]) -> None:
    """Every point has a record; those of an earlier start keep count of their attempts."""
    for spec in todo:
        known = record.current(run, spec.key)
        if known.state is not State.RUNNING:
            queued = Record(key=spec.key, state=State.QUEUED, attempt=known.attempt)
            record.write(run, queued)


def tried(before: Sequence[Record], now: Progress) -> bool:
    """Whether every point is done, or has ended in an attempt that began after `before`.

    A worker of an earlier sweep may end its own while Snakemake has not begun.
    """
    if now.of(State.QUEUED, State.RUNNING):
        return False
    return all(
        new.state is State.DONE or new.attempt > old.attempt
        for old, new in zip(before, now.records, strict=True)
    )


def settle(run: Path, keys: Sequence[str], never_started: str = "") -> None:
    """Writes down what is known only from outside: workers that were killed outright.

    With `never_started` a point that is still queued was cancelled, for that reason.
    """
    clear_leftovers(run)
    for key in keys:
        known = record.current(run, key)
        if never_started and known.state is State.QUEUED:
            known = record.ended(known, State.CANCELLED, never_started)
        if known != record.read(run, key):
            # On a full disk it stays unwritten: `current` will say it again.
            with suppress(OSError):
                record.write(run, known)
