# SPDX-License-Identifier: BSD-3-Clause
"""Does several runs of a sweep at once, each in a process of its own, so that no core is idle.

Points of all runs share the slots of one folder (osgap.points.slots). The next run begins while the
others leave slots free: at their ends, and while they boot.
"""

from __future__ import annotations

import multiprocessing
import os
import shlex
import signal
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path

from osgap.base import output, processes
from osgap.base.errors import OsgapError
from osgap.base.quoting import counted
from osgap.base.signals import (
    end_signals_held,
    ignore_end_signals,
    interrupt_once,
    set_handlers,
    take_end_signals,
)
from osgap.points import record
from osgap.points.record import State
from osgap.points.slots import make_slots
from osgap.sweep.host import SweepContext
from osgap.sweep.locking import Busy, SweepError
from osgap.sweep.place import Displaced
from osgap.sweep.snakemake import Interrupted

_POLL_S = 0.5
_STOP_S = 150.0
"""Time for a run to end its points, which has 60 s for its workers and as long for Snakemake."""
_WAITING = 4
"""The most points of begun runs for each slot: one that waits for a slot has a worker already."""
_END_ALL = (Interrupted, Busy, Displaced)
"""The failures of a run that end the others too."""


@dataclass(frozen=True)
class RunWork:
    """One run of a sweep: its surroundings, its points' keys, and what runs it."""

    context: SweepContext
    keys: Sequence[str]
    action: Callable[[SweepContext], None]

    def load(self) -> Load:
        """The load while the run goes on; a run whose points have not begun boots."""
        states = [record.current(self.context.run, key).state for key in self.keys]
        left = sum(state in (State.QUEUED, State.RUNNING) for state in states)
        return Load(left, left if State.RUNNING in states else 1)


@dataclass(frozen=True)
class Load:
    """A run's points that have not ended, and the slots that it can use."""

    left: int
    busy: int


@dataclass(frozen=True)
class _Running:
    work: RunWork
    process: ForkProcess
    outcome: Connection


def run_all(works: Sequence[RunWork], slots: int | None, again: Sequence[str]) -> None:
    """Does each run, even after one has failed; with `slots` None one after the other.

    `again` is the command that goes on. Raises SweepError with the messages of all failures. An
    interruption, and a directory that another sweep has or that was moved, end all runs at once.
    """
    if slots is None or len(works) < 2:
        _one_by_one(works)
        return
    with tempfile.TemporaryDirectory(prefix="osgap-slots-") as folder:
        make_slots(Path(folder), slots)
        _Together(Path(folder), slots, again).run(works)


def _one_by_one(works: Sequence[RunWork]) -> None:
    failures = []
    for work in works:
        try:
            work.action(work.context)
        except _END_ALL:
            raise
        except SweepError as failure:
            failures.append(str(failure))
    _raise(failures)


def _raise(failures: Sequence[str]) -> None:
    if failures:
        raise SweepError("; ".join(failures))


class _Together:
    """The processes of runs that share slots."""

    def __init__(self, folder: Path, slots: int, again: Sequence[str]) -> None:
        self._folder, self._slots, self._again = folder, slots, again
        self._running: list[_Running] = []
        self._failures: dict[Path, str] = {}

    def run(self, works: Sequence[RunWork]) -> None:
        """Does all; raises as `run_all` does."""
        waiting = list(works)
        try:
            while waiting or self._running:
                looked = time.monotonic()
                while waiting and self._has_room():
                    self._start(waiting.pop(0))
                # A look at thousands of points takes long: limit it to a twentieth of a core.
                pause_s = max(_POLL_S, 20 * (time.monotonic() - looked))
                wait([running.process.sentinel for running in self._running], timeout=pause_s)
                for ended in self._take_ended():
                    self._judge(ended)
        except BaseException as error:
            stopped = self._stop()
            if isinstance(error, KeyboardInterrupt | Interrupted):
                raise self._interrupted(stopped + len(waiting)) from None
            raise
        places = [work.context.run for work in works]
        _raise([self._failures[run] for run in places if run in self._failures])

    def _start(self, work: RunWork) -> None:
        """Starts the run's process, whose points hold the slots of the folder."""
        host = work.context.host.sharing(self._folder, self._slots)
        shared = replace(work, context=replace(work.context, host=host))
        context = multiprocessing.get_context("fork")
        outcome, sender = context.Pipe(duplex=False)
        process = context.Process(target=_child, args=(shared, sender, os.getpid()))
        with end_signals_held():
            process.start()
            sender.close()
            self._running.append(_Running(work, process, outcome))

    def _take_ended(self) -> list[_Running]:
        ended = [running for running in self._running if not running.process.is_alive()]
        self._running = [running for running in self._running if running not in ended]
        return ended

    def _has_room(self) -> bool:
        """True if the runs leave a slot free, and few of their points wait for one."""
        loads = [running.work.load() for running in self._running]
        left, busy = (sum(load.left for load in loads), sum(load.busy for load in loads))
        return busy < self._slots and left < _WAITING * self._slots

    def _judge(self, ended: _Running) -> None:
        """Notes a run's failure. Raises an error that ends all runs."""
        error = _outcome(ended)
        if error is None:
            return
        if not isinstance(error, SweepError) or isinstance(error, _END_ALL):
            raise error
        self._failures[ended.work.context.run] = str(error)

    def _stop(self) -> int:
        """Interrupts the runs that have not ended, as Ctrl-C would, and waits; their number."""
        handlers = ignore_end_signals()  # a second Ctrl-C changes nothing
        for running in self._running:
            running.process.terminate()  # SIGINT is ignored in a shell's background job
        deadline = time.monotonic() + _STOP_S
        for running in self._running:
            running.process.join(max(0.0, deadline - time.monotonic()))
            running.process.kill()
            running.process.join()
        set_handlers(handlers)
        return len(self._running)

    def _interrupted(self, runs: int) -> Interrupted:
        again = f"; go on with: {shlex.join(self._again)}" if self._again else ""
        return Interrupted(
            f"interrupted with {counted(runs, 'run')} to go; finished points are kept{again}"
        )


def _child(work: RunWork, sender: Connection, parent: int) -> None:
    """Does a run, and sends the error that ended it, or None.

    In a process group of its own, so that its parent alone interrupts it, once.
    """
    os.setpgid(0, 0)
    processes.die_with(parent)
    output.share_errors()
    interrupt_once()
    error: OsgapError | OSError | None
    try:
        error = _failure(work)
        ignore_end_signals()  # one that comes now would cut the message off
    except KeyboardInterrupt:
        error = Interrupted(f"{work.context.run}: interrupted")
    sender.send(error)


def _failure(work: RunWork) -> OsgapError | OSError | None:
    """Does a run; the error that ended it. Raises KeyboardInterrupt."""
    try:
        take_end_signals()
        work.action(work.context)
        output.flush()
    except (OsgapError, OSError) as error:
        return error
    return None


def _outcome(ended: _Running) -> OsgapError | OSError | None:
    """The error that ended a run, None if it is complete."""
    ended.process.join()
    try:
        error: OsgapError | OSError | None = ended.outcome.recv()
        return error
    except EOFError:
        status = ended.process.exitcode or 0
        how = f"by {signal.Signals(-status).name}" if status < 0 else f"with status {status}"
        return SweepError(f"{ended.work.context.run}: its process ended {how}")
    finally:
        ended.outcome.close()
