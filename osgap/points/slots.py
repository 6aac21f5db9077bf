# SPDX-License-Identifier: BSD-3-Clause
"""Limits how many points run at once, over all runs of a sweep: each holds a locked file."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from osgap.base import durable

_POLL_S = 0.1


def make_slots(folder: Path, count: int) -> None:
    """Makes a file in `folder` for each of `count` points that may run at once. Raises OSError."""
    for number in range(count):
        (folder / str(number)).touch()


@contextmanager
def held_slot(folder: Path | None, check: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Waits until a slot of `folder` is free, and holds it; None sets no limit.

    `check` is called while it waits, and may raise. Raises OSError.
    """
    if folder is None:
        yield
        return
    with _wait(folder, check):
        yield


def _wait(folder: Path, check: Callable[[], None]) -> IO[bytes]:
    while True:
        for file in folder.iterdir():
            if lock := _locked(file):
                return lock
        check()
        time.sleep(_POLL_S)


def _locked(file: Path) -> IO[bytes] | None:
    lock = durable.open_lock(file)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    return lock
