# SPDX-License-Identifier: BSD-3-Clause
"""Watches a point's process: its limits, its end, and the record of both.

The work is done in a child, so that a simulator may hang, crash or eat memory without taking the
word about it along; results get their name only after the child has ended well.
"""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import IO

from osgap.base import durable, output, processes
from osgap.points import parent, record
from osgap.points.jobs import Jobs
from osgap.points.planned import read_plan
from osgap.points.record import Record, State
from osgap.points.work import Booted, Ended, Place, work
from osgap.rundir.point import Spec
from osgap.rundir.pointfiles import publish

_POLL_S = 0.2
_BOOT_S = 2400.0
"""For a checkpoint that this worker has to make: above the engines' own limits."""
_GRACE_S = 10.0
LARGEST_LOG = 16 << 20
"""Bytes that a point's process may print before it is ended."""
_TAIL = 1 << 16
_STOPPED = "stopped with its sweep, or its cluster job was ended"
_OUT_OF_MEMORY = ("memory allocation of", "std::bad_alloc", "MemoryError", "Cannot allocate memory")


SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Stopped(BaseException):
    """The sweep, or whoever runs it, wants this worker to end."""


@dataclass
class _Child:
    """The working process, what it has told, and what was measured of it."""

    process: ForkProcess
    told: Connection
    memory: processes.MemoryMeter
    began: float
    booted: float | None = None
    ended: Ended | None = None


def supervise(run: Path, key: str, jobs: Jobs) -> State:
    """Runs point `key` of `run` unless it is done; its state afterwards.

    Waits while another worker, on any host, has the point. Raises Stopped after recording it,
    ConfigError for a damaged plan, OSError when not even the record can be written.
    """
    spec = read_plan(run, key)
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    with _claimed(run, key):
        before = record.current(run, key)
        if before.state is State.DONE:
            return State.DONE
        slurm_job = os.environ.get("SLURM_JOB_ID", "")
        mine = record.begin(key, before.attempt + 1, slurm_job)
        record.write(run, mine)
        ended = _attempt(run, spec, jobs, mine)
        # What was written before the disk was full is gone now: the record finds room.
        record.write(run, ended)
    if ended.line == _STOPPED:
        raise Stopped
    for number, handler in handlers.items():
        signal.signal(number, handler)
    return ended.state


def _ignore_signals() -> None:
    """From a point's verdict until it is written down; at worst that takes a copy's time."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def _attempt(run: Path, spec: Spec, jobs: Jobs, mine: Record) -> Record:
    place = _place(run, spec.key, jobs)
    oom_kills = processes.kernel_oom_kills()
    began = time.monotonic()
    child = None
    try:
        _clear(run, spec.key)
        for path in (place.pending, place.scratch):
            path.mkdir(parents=True)
        place.console.parent.mkdir(exist_ok=True)
        place.console.unlink(missing_ok=True)
        child = _start(spec, place, run / mine.log)
        ended = _blame_memory(_watch(child, spec, run), oom_kills)
        _ignore_signals()
        if ended.state is State.DONE:
            publish(place.pending, run / "points" / spec.key)
    except Stopped:
        ended = Ended(State.CANCELLED, _STOPPED)
    except OSError as error:
        ended = Ended(State.SIMULATOR_ERROR, f"{error.strerror}: {error.filename or spec.key}")
    finally:
        _ignore_signals()
        if child is not None:
            _stop(child)
        _clear(run, spec.key)
    return record.ended(
        mine,
        ended.state,
        ended.line,
        total_s=round(time.monotonic() - began, 3),
        simulator_s=None if ended.simulator_s is None else round(ended.simulator_s, 3),
        peak_mib=child.memory.peak_mib if child is not None else None,
    )


def clear_leftovers(run: Path) -> None:
    """Removes what killed workers left of points that nobody has now."""
    left = {path.name[1:].rsplit(".", 2)[0] for path in (run / "points").glob(".*.*.partial")}
    for key in left:
        with _lock(run, key) as lock, suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _clear(run, key)


def _place(run: Path, key: str, jobs: Jobs) -> Place:
    pending, scratch = (run / "points" / f".{key}.{kind}.partial" for kind in ("out", "tmp"))
    return Place(
        image=Path(jobs.image),
        stamps=jobs.stamps,
        cache=Path(jobs.cache),
        pending=pending,
        scratch=scratch,
        console=run / "logs" / f"{key}.console.txt",
    )


def _clear(run: Path, key: str) -> None:
    for leftover in (run / "points").glob(f".{key}.*.partial"):
        shutil.rmtree(leftover, ignore_errors=True)


@contextmanager
def _claimed(run: Path, key: str) -> Iterator[None]:
    """The point is this worker's alone, among all workers of all sweeps and hosts."""
    with _lock(run, key) as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                _check_parent()
                time.sleep(_POLL_S)
        yield


def _lock(run: Path, key: str) -> IO[bytes]:
    path = run / ".locks" / key
    path.parent.mkdir(exist_ok=True)
    return durable.open_lock(path)


def _start(spec: Spec, place: Place, log: Path) -> _Child:
    context = multiprocessing.get_context("fork")
    told, tell = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(spec, place, log, tell, os.getpid()))
    began = time.monotonic()
    process.start()
    tell.close()
    assert process.pid is not None
    return _Child(process, told, processes.MemoryMeter(process.pid), began)


def _child(spec: Spec, place: Place, log: Path, tell: Connection, parent: int) -> None:
    """The child: a group of its own, its words in the point's log, default signals."""
    os.setpgid(0, 0)
    processes.die_with(parent)
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    stream = durable.open_regular(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(stream, 1)
    os.dup2(stream, 2)
    work(spec, place, tell.send)
    output.flush()


def _watch(child: _Child, spec: Spec, run: Path) -> Ended:
    """How the child ended, or why it was ended. Raises Stopped."""
    heard, log = time.monotonic(), run / "logs" / f"{spec.key}.log"
    while child.process.exitcode is None:
        wait([child.process.sentinel], timeout=_POLL_S)
        _listen(child)
        _check_parent()
        held = child.memory.mib()
        if held > spec.memory_limit_mib:
            return Ended(
                State.OUT_OF_MEMORY,
                f"it held {held} MiB of memory; its limit is {spec.memory_limit_mib} MiB",
            )
        if (size := _size(log)) > LARGEST_LOG:
            reason = f"its log: found {size} bytes; allowed: {LARGEST_LOG}"
            return Ended(State.SIMULATOR_ERROR, reason)
        limit = _BOOT_S if child.booted is None else spec.timeout_s + _GRACE_S
        if time.monotonic() - (child.booted or child.began) > limit:
            return Ended(State.TIMED_OUT, f"the simulator did not answer for {limit:g} s")
        if time.monotonic() - heard > record.HEARTBEAT_S:
            heard = time.monotonic()
            record.path(run, spec.key).touch()
    _listen(child)
    return _verdict(child, log)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _listen(child: _Child) -> None:
    while child.told.poll():
        try:
            word = child.told.recv()
        except (EOFError, OSError):
            return
        if isinstance(word, Booted):
            child.booted = time.monotonic()
        else:
            child.ended = word


def _verdict(child: _Child, log: Path) -> Ended:
    """What a child that has ended leaves: its own word, or what its end and its log say."""
    status = child.process.exitcode or 0
    if child.ended is not None and status == 0:
        return child.ended
    if -status in SIGNALS:
        return Ended(State.CANCELLED, f"the simulator was ended by {signal.Signals(-status).name}")
    last = _last_line(log)
    how = f"by {signal.Signals(-status).name}" if status < 0 else f"with status {status}"
    reason = f"the simulator ended {how}" + (f": {last}" if last else "")
    return Ended(State.SIMULATOR_ERROR, reason)


def _last_line(log: Path) -> str:
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, _size(log) - _TAIL))
            lines = stream.read(_TAIL).decode("utf-8", "replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _blame_memory(ended: Ended, oom_kills: int) -> Ended:
    """An error that says so was for memory, and a kill while the kernel's own killer was at work.

    `oom_kills` is how many kills it had done before.
    """
    if ended.state is not State.SIMULATOR_ERROR:
        return ended
    if any(sign in ended.line for sign in _OUT_OF_MEMORY):
        return Ended(State.OUT_OF_MEMORY, ended.line)
    if "SIGKILL" in ended.line and processes.kernel_oom_kills() > oom_kills:
        return Ended(State.OUT_OF_MEMORY, f"{ended.line}, as the kernel had no memory left")
    return ended


def _check_parent() -> None:
    if parent.is_gone():
        raise Stopped


def _stop(child: _Child) -> None:
    """Nothing of the child's group is left."""
    assert child.process.pid is not None
    processes.signal_group(child.process.pid, signal.SIGKILL)
    child.process.kill()
    child.process.join()
    child.told.close()
