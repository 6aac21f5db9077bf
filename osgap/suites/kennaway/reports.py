# SPDX-License-Identifier: BSD-3-Clause
"""Prints extractions at once as Kennaway did: the times of each batch, then ministat's reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from osgap.analysis import ministat
from osgap.suites.kennaway.tables import CASE, NONE, numbers_at_once

_CLOCKS = (("real_ms", "wall clock"), ("system_ms", "system clock"))
_SLEEPING, _SPINNING = "giant", "adaptive"
"""The lock whose waiters sleep, and the start of the names of those whose waiters spin."""


def reports(extractions: pd.DataFrame) -> Iterator[str]:
    """Lines on each machine and file system: times with each lock, and reports of two locks each.

    Each lock is compared with none, and each adaptive lock with the one whose waiters sleep.
    """
    for where, case in extractions.groupby(CASE, sort=False):
        engine, fs, clock, _, machine, layout = where
        for copies in numbers_at_once(case):
            at_once = f"{copies} extractions at once" if copies > 1 else "one extraction"
            place = f"{at_once}, {fs}, {machine}, {clock:g} MHz, {engine}"
            place += f", layout {layout}" if layout else ""
            batches = case[case["copies"] == copies]
            by_lock = {str(lock): rows for lock, rows in batches.groupby("lock")}
            for lock, rows in by_lock.items():
                yield f"{place}; lock: {lock}"
                yield from map(_times, rows.to_dict("records"))
                yield ""
            yield from _ministat(by_lock, place)


def _times(batch: Mapping[object, object]) -> str:
    """A batch's times, as the shell's time prints them, in ms."""
    real, user, system = (f"{batch[f'{name}_ms']:12.2f}" for name in ("real", "user", "system"))
    return f"{real} real {user} user {system} sys"


def _ministat(by_lock: Mapping[str, pd.DataFrame], place: str) -> Iterator[str]:
    pairs = [(NONE, lock) for lock in by_lock if lock != NONE]
    pairs += [(_SLEEPING, lock) for lock in by_lock if lock.startswith(_SPINNING)]
    for first, second in [pair for pair in pairs if set(pair) <= set(by_lock)]:
        for column, title in _CLOCKS:
            samples = [
                ministat.make_sample(f"{lock} (ms)", by_lock[lock][column])
                for lock in (first, second)
            ]
            yield f"{title}: {place}"
            yield from ministat.report(samples)
            yield ""
