# SPDX-License-Identifier: BSD-3-Clause
"""Locks a run directory, so that one sweep at a time runs on it, from all hosts and mounts.

flock on RUN/.lock excludes the processes of this kernel, and those of other hosts where the file
system passes locks on. RUN/.owner excludes the rest: it names the sweep's process, which alone has
created it, and touches it as long as it lives.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from osgap.base import durable, inputs
from osgap.base.config import parse_json_model
from osgap.base.errors import OsgapError
from osgap.base.identity import Process, this_process
from osgap.base.progress import say

BEAT_S = 5.0
"""A sweep touches its owner file this often."""
SILENT_S = 12 * BEAT_S
"""An owner that cannot be seen has ended when its file was not touched for so long."""
_SETTLE_S = 2.0
_POLL_S = 0.2
_OWNER = ".owner"


class SweepError(OsgapError):
    """Failure of a sweep; its finished points are kept."""


class Busy(SweepError):
    """Refusal of a run directory that another sweep has locked."""


class Owner(Process):
    """The process that sweeps a run directory, and this directory's device and inode there."""

    device: int = 0
    inode: int = 0


@contextmanager
def locked(run: Path) -> Iterator[None]:
    """Locks the run directory for this sweep. Raises Busy, naming the process that has it.

    Waits for up to SILENT_S if the process that had it cannot be seen from here.
    """
    run.mkdir(parents=True, exist_ok=True)
    with durable.open_lock(run / ".lock") as lock, durable.directory(run) as same:
        _exclude(run, lock)
        mine = _take(run)
        ended = threading.Event()
        beats = threading.Thread(target=_beat, args=(same, ended), daemon=True)
        beats.start()
        try:
            yield
        finally:
            ended.set()
            beats.join()
            if owner(same) == mine:
                (same / _OWNER).unlink()


def owner(run: Path) -> Owner:
    """The owner; one without a name if there is none, or while its file is being written."""
    try:
        return parse_json_model(inputs.read_bytes(run / _OWNER), Owner, _OWNER)
    except (OSError, OsgapError):
        return Owner()


def is_running(run: Path) -> bool:
    """True if a sweep is running on `run`; a copy of a run that is swept is not."""
    last = owner(run)
    lives = last.lives()
    try:
        here = run.stat()
        if lives and last.device == here.st_dev:
            return last.inode == here.st_ino
        return durable.age_s(run / _OWNER) < SILENT_S if lives is None else lives
    except OSError:
        return False


def is_followed(run: Path) -> bool:
    """True if another process has taken this one's lock, as after a long suspension."""
    last = owner(run)
    return last.pid != 0 and not last.same_as(this_process())


def _exclude(run: Path, lock: IO[bytes]) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _busy(run) from None
    except OSError as error:
        raise SweepError(
            f"{run}: its file system gives no lock (flock): {error.strerror}; allowed: a "
            "directory on another file system, or a mount with locks"
        ) from None


def _busy(run: Path) -> Busy:
    return Busy(
        f"{run}: another sweep is running on this directory: {owner(run)}; wait until it ends, "
        "or end it"
    )


def _take(run: Path) -> Owner:
    """Creates the owner file, after the end of the owner before. Raises Busy."""
    here = run.stat()
    mine = Owner(device=here.st_dev, inode=here.st_ino, **this_process().model_dump())
    settle_s = 0.0
    while True:
        with suppress(FileExistsError):
            durable.create(run / _OWNER, mine.model_dump_json())
            # Another host may have seen the same silence, and removed this file with the old one.
            time.sleep(settle_s)
            if owner(run) != mine:
                raise _busy(run)
            return mine
        with suppress(FileNotFoundError):
            settle_s = _wait_for_end(run, mine)
            (run / _OWNER).unlink()


def _wait_for_end(run: Path, mine: Owner) -> float:
    """Waits until the owner has ended; the seconds that others may need to see that too.

    Raises Busy if it lives, FileNotFoundError if its file has gone. Where this process's lock
    excludes the owner, it has ended.
    """
    last, path = owner(run), run / _OWNER
    if (last.boot, last.device) == (mine.boot, mine.device) or last.lives() is False:
        return 0.0
    touched = path.stat().st_mtime_ns
    if (age := durable.age_s(path)) < SILENT_S:
        say(
            f"{run.name}: {last} had this directory {age:.0f} s ago and cannot be seen from here; "
            f"waiting for up to {SILENT_S - age:.0f} s"
        )
    while durable.age_s(path) < SILENT_S:
        time.sleep(_POLL_S)
        if path.stat().st_mtime_ns != touched:
            raise _busy(run)
    say(f"{run.name}: took over from {last}, which was silent for {SILENT_S:.0f} s")
    return _SETTLE_S


def _beat(run: Path, ended: threading.Event) -> None:
    while not ended.wait(BEAT_S):
        with suppress(OSError):
            os.utime(run / _OWNER)
