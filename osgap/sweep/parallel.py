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
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path

from osgap.base import output, processes
from osgap.base.errors import OsgapError
from osgap.base.quoting import counted
from osgap.points import record
from osgap.points.record import State
from osgap.points.slots import make_slots
from osgap.sweep.locking import Busy, SweepError
from osgap.sweep.place import Displaced
from osgap.sweep.snakemake import Interrupted

_POLL_S = 0.5
_STOP_S = 150.0
"""Time for a run to end its points, which has 60 s for its workers and as long for Snakemake."""
_WAITING = 4
"""The most points of begun runs for each slot: one that waits for a slot has a worker already."""


@dataclass(frozen=True)
class RunWork:
    """One run of a sweep: its directory, its points' keys, and what runs it.

    `work` gets the folder with the slots of its points, None where it runs alone.
    """

    run: Path
    keys: Sequence[str]
    work: Callable[[Path | None], None]


@dataclass(frozen=True)
class _Running:
    planned: RunWork
    process: ForkProcess
    outcome: Connection

    @property
    def left(self) -> int:
        """Points that have not ended."""
        return sum(state in (State.QUEUED, State.RUNNING) for state in self._states())

    @property
    def busy(self) -> int:
        """Slots that it can use: one while it boots, then one for each point that is left."""
        return self.left if State.RUNNING in self._states() else 1

    def _states(self) -> list[State]:
        return [record.current(self.planned.run, key).state for key in self.planned.keys]


def run_all(runs: Sequence[RunWork], slots: int | None, again: Sequence[str]) -> None:
    """Does each run, even after one has failed; with `slots` None one after the other.

    `again` is the command that goes on. Raises SweepError with the messages of all failures. An
    interruption, and a directory that another sweep has or that was moved, end all runs at once.
    """
    if slots is None or len(runs) < 2:
        _one_by_one(runs)
        return
    with tempfile.TemporaryDirectory(prefix="osgap-slots-") as folder:
        make_slots(Path(folder), slots)
        _Together(Path(folder), slots, again).run(runs)


def _one_by_one(runs: Sequence[RunWork]) -> None:
    failures = []
    for planned in runs:
        try:
            planned.work(None)
        except (Interrupted, Busy, Displaced):
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

    def run(self, runs: Sequence[RunWork]) -> None:
        """Does all; raises as `run_all` does."""
        waiting = list(runs)
        try:
            while waiting or self._running:
                looked = time.monotonic()
                while waiting and self._has_room():
                    self._running.append(_start(waiting.pop(0), self._folder))
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
        _raise([self._failures[planned.run] for planned in runs if planned.run in self._failures])

    def _take_ended(self) -> list[_Running]:
        ended = [running for running in self._running if not running.process.is_alive()]
        self._running = [running for running in self._running if running not in ended]
        return ended

    def _has_room(self) -> bool:
        """True if the runs leave a slot free, and few of their points wait for one."""
        busy = sum(running.busy for running in self._running)
        left = sum(running.left for running in self._running)
        return busy < self._slots and left < _WAITING * self._slots

    def _judge(self, ended: _Running) -> None:
        """Notes a run's failure. Raises an error that ends all runs."""
        error = _outcome(ended)
        if error is None:
            return
        if not isinstance(error, SweepError) or isinstance(error, Interrupted | Busy | Displaced):
            raise error
        self._failures[ended.planned.run] = str(error)

    def _stop(self) -> int:
        """Interrupts the runs that have not ended, as Ctrl-C would, and waits; their number."""
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        # A second Ctrl-C changes nothing.
        handlers = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
        for running in self._running:
            running.process.terminate()  # SIGINT is ignored in a shell's background job
        deadline = time.monotonic() + _STOP_S
        for running in self._running:
            running.process.join(max(0.0, deadline - time.monotonic()))
            running.process.kill()
            running.process.join()
        for number, handler in handlers.items():
            signal.signal(number, handler)
        return len(self._running)

    def _interrupted(self, runs: int) -> Interrupted:
        again = f"; go on with: {shlex.join(self._again)}" if self._again else ""
        return Interrupted(
            f"interrupted with {counted(runs, 'run')} to go; finished points are kept{again}"
        )


def _start(planned: RunWork, folder: Path) -> _Running:
    context = multiprocessing.get_context("fork")
    outcome, sender = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(planned, folder, sender, os.getpid()))
    process.start()
    sender.close()
    return _Running(planned, process, outcome)


def _child(planned: RunWork, folder: Path, sender: Connection, parent: int) -> None:
    """Does a run, and sends the error that ended it, or None.

    In a process group of its own, so that its parent alone interrupts it, once.
    """
    os.setpgid(0, 0)
    processes.die_with(parent)
    output.share_errors()
    try:
        planned.work(folder)
        output.flush()
    except (OsgapError, OSError) as error:
        sender.send(error)
    except KeyboardInterrupt:
        sender.send(Interrupted(f"{planned.run}: interrupted"))
    else:
        sender.send(None)


def _outcome(ended: _Running) -> OsgapError | OSError | None:
    """The error that ended a run, None if it is complete."""
    ended.process.join()
    try:
        error: OsgapError | OSError | None = ended.outcome.recv()
        return error
    except EOFError:
        status = ended.process.exitcode or 0
        how = f"by {signal.Signals(-status).name}" if status < 0 else f"with status {status}"
        return SweepError(f"{ended.planned.run}: its process ended {how}")
    finally:
        ended.outcome.close()
