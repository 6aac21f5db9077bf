# SPDX-License-Identifier: BSD-3-Clause
"""Locks a run directory, so that one sweep at a time runs on it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from osgap.base import durable
from osgap.base.errors import OsgapError
from osgap.points.parent import owner


class SweepError(OsgapError):
    """Failure of a sweep; its finished points are kept."""


class Busy(SweepError):
    """Refusal of a run directory that another sweep has locked."""


@contextmanager
def locked(run: Path) -> Iterator[None]:
    """Locks the run directory for this sweep. Raises Busy, naming the process that has it."""
    run.mkdir(parents=True, exist_ok=True)
    with open(durable.open_regular(run / ".lock", os.O_RDWR | os.O_CREAT), "r+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            host, _, process = lock.read().rpartition(":")[0].rpartition(":")
            raise Busy(
                f"{run}: another sweep is running on this directory: process {process} on {host}"
            ) from None
        lock.seek(0)
        lock.truncate()
        lock.write(owner())
        lock.flush()
        yield


def is_running(run: Path) -> bool:
    """True if a sweep is running on `run`."""
    try:
        with open(durable.open_regular(run / ".lock", os.O_RDONLY)) as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except (OSError, OsgapError):
        return False
    return False
