# SPDX-License-Identifier: BSD-3-Clause
"""Supervises a point's process: enforces its limits, and records how it ended.

The work is done in a child process. So the record is written even if a simulator hangs, crashes or
uses up memory. Results get their name only after the child has ended well.
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
from osgap.base.signals import (
    END_SIGNALS,
    end_signals_held,
    ignore_end_signals,
    set_handlers,
    take_end_signals,
)
from osgap.points import parent, record
from osgap.points.jobs import Jobs
from osgap.points.planned import read_plan
from osgap.points.record import Record, State
from osgap.points.slots import held_slot
from osgap.points.work import Booted, PointResult, Workspace, work
from osgap.rundir.point import Spec
from osgap.rundir.pointfiles import publish

_POLL_S = 0.2
_BOOT_S = 2400.0
"""Time limit for making a checkpoint, longer than the engines' limits."""
_GRACE_S = 10.0
LARGEST_LOG = 16 << 20
"""Bytes of a log above which the point's process is ended."""
_TAIL = 1 << 16
_STOPPED = "stopped with its sweep, or its cluster job was ended"
_OUT_OF_MEMORY = ("memory allocation of", "std::bad_alloc", "MemoryError", "Cannot allocate memory")


class Stopped(BaseException):
    """Order to end this worker: its sweep has ended, or a signal came."""


@dataclass
class _Child:
    """The child process, its reports, and its measured memory and times."""

    process: ForkProcess
    reports: Connection
    memory: processes.MemoryMeter
    began: float
    booted: float | None = None
    simulator: Booted | None = None
    result: PointResult | None = None


def supervise(run: Path, key: str, jobs: Jobs) -> State:
    """Runs point `key` of `run` unless it is done; its state afterwards.

    Waits while another worker has the point, and for one of the jobs' slots. Raises Stopped after
    recording that, ConfigError for a damaged plan, OSError if the record cannot be written.
    """
    spec = read_plan(run, key)
    handlers = {number: signal.getsignal(number) for number in END_SIGNALS}
    with _claimed(run, key), held_slot(jobs.slots, _check_parent):
        before = record.current(run, key)
        if before.state is State.DONE:
            return State.DONE
        slurm_job = os.environ.get("SLURM_JOB_ID", "")
        begun = record.begin(key, before.attempt + 1, slurm_job)
        record.write(run, begun)
        ended = _attempt(run, spec, jobs, begun)
        # The partial results were deleted, so a full disk has space for the record again.
        record.write(run, ended)
    if ended.line == _STOPPED:
        raise Stopped
    set_handlers(handlers)
    return ended.state


def _attempt(run: Path, spec: Spec, jobs: Jobs, begun: Record) -> Record:
    workspace = _workspace(run, spec.key, jobs)
    oom_kills = processes.kernel_oom_kills()
    began = time.monotonic()
    child = None
    try:
        _clear(run, spec.key)
        for path in (workspace.pending, workspace.scratch):
            path.mkdir(parents=True)
        workspace.console.parent.mkdir(exist_ok=True)
        workspace.console.unlink(missing_ok=True)
        with end_signals_held():
            child = _start(spec, workspace, run / begun.log)
        result = _blame_memory(_watch(child, spec, run), oom_kills)
        ignore_end_signals()  # while the result is written, at worst for the time of a copy
        if result.state is State.DONE:
            publish(workspace.pending, run / "points" / spec.key)
    except Stopped:
        result = PointResult(State.CANCELLED, _STOPPED)
    except OSError as error:
        result = PointResult(
            State.SIMULATOR_ERROR, f"{error.strerror}: {error.filename or spec.key}"
        )
    finally:
        ignore_end_signals()
        if child is not None:
            _stop(child)
        _clear(run, spec.key)
    return record.ended(
        begun,
        result.state,
        result.line,
        total_s=round(time.monotonic() - began, 3),
        simulator_s=None if result.simulator_s is None else round(result.simulator_s, 3),
        peak_mib=child.memory.peak_mib if child is not None else None,
        **(child.simulator.fields() if child and child.simulator else {}),
    )


def clear_leftovers(run: Path) -> None:
    """Removes the partial results of killed workers, of points that no worker has locked."""
    left = {path.name[1:].rsplit(".", 2)[0] for path in (run / "points").glob(".*.*.partial")}
    for key in left:
        with _lock(run, key) as lock, suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _clear(run, key)


def _workspace(run: Path, key: str, jobs: Jobs) -> Workspace:
    pending, scratch = (run / "points" / f".{key}.{kind}.partial" for kind in ("out", "tmp"))
    return Workspace(
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
    """Locks the point for this worker, against the workers of all sweeps and hosts."""
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


def _start(spec: Spec, workspace: Workspace, log: Path) -> _Child:
    context = multiprocessing.get_context("fork")
    reports, sender = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(spec, workspace, log, sender, os.getpid()))
    began = time.monotonic()
    process.start()
    sender.close()
    assert process.pid is not None
    return _Child(process, reports, processes.MemoryMeter(process.pid), began)


def _child(spec: Spec, workspace: Workspace, log: Path, sender: Connection, parent: int) -> None:
    """The child process: with its own process group, the point's log as output, default signals."""
    os.setpgid(0, 0)
    processes.die_with(parent)
    for number in END_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    take_end_signals()
    stream = durable.open_regular(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(stream, 1)
    os.dup2(stream, 2)
    work(spec, workspace, sender.send)
    output.flush()


def _watch(child: _Child, spec: Spec, run: Path) -> PointResult:
    """Watches the child until it ends or exceeds a limit; the result. Raises Stopped."""
    touched, log = time.monotonic(), run / "logs" / f"{spec.key}.log"
    while child.process.exitcode is None:
        wait([child.process.sentinel], timeout=_POLL_S)
        _listen(child)
        _check_parent()
        used_mib = child.memory.mib()
        if used_mib > spec.memory_limit_mib:
            return PointResult(
                State.OUT_OF_MEMORY,
                f"it held {used_mib} MiB of memory; its limit is {spec.memory_limit_mib} MiB",
            )
        if (size := _size(log)) > LARGEST_LOG:
            reason = f"its log: found {size} bytes; allowed: {LARGEST_LOG}"
            return PointResult(State.SIMULATOR_ERROR, reason)
        limit = _BOOT_S if child.booted is None else spec.timeout_s + _GRACE_S
        if time.monotonic() - (child.booted or child.began) > limit:
            return PointResult(State.TIMED_OUT, f"the simulator did not answer for {limit:g} s")
        if time.monotonic() - touched > record.HEARTBEAT_S:
            touched = time.monotonic()
            record.path(run, spec.key).touch()
    _listen(child)
    return _verdict(child, log)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _listen(child: _Child) -> None:
    while child.reports.poll():
        try:
            report = child.reports.recv()
        except (EOFError, OSError):
            return
        if isinstance(report, Booted):
            child.booted, child.simulator = time.monotonic(), report
        else:
            child.result = report


def _verdict(child: _Child, log: Path) -> PointResult:
    """The result of a child that has ended: its report, or else its exit status and log."""
    status = child.process.exitcode or 0
    if child.result is not None and status == 0:
        return child.result
    if -status in END_SIGNALS:
        return PointResult(
            State.CANCELLED, f"the simulator was ended by {signal.Signals(-status).name}"
        )
    last = _last_line(log)
    how = f"by {signal.Signals(-status).name}" if status < 0 else f"with status {status}"
    reason = f"the simulator ended {how}" + (f": {last}" if last else "")
    return PointResult(State.SIMULATOR_ERROR, reason)


def _last_line(log: Path) -> str:
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, _size(log) - _TAIL))
            lines = stream.read(_TAIL).decode("utf-8", "replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _blame_memory(result: PointResult, oom_kills: int) -> PointResult:
    """Changes an error due to memory: one whose text says so, or a kill by the OOM killer."""
    if result.state is not State.SIMULATOR_ERROR:
        return result
    if any(sign in result.line for sign in _OUT_OF_MEMORY):
        return PointResult(State.OUT_OF_MEMORY, result.line)
    if "SIGKILL" in result.line and processes.kernel_oom_kills() > oom_kills:
        return PointResult(State.OUT_OF_MEMORY, f"{result.line}, as the kernel had no memory left")
    return result


def _check_parent() -> None:
    if parent.is_gone():
        raise Stopped


def _stop(child: _Child) -> None:
    """Kills the child's process group, and waits for the child."""
    assert child.process.pid is not None
    processes.signal_group(child.process.pid, signal.SIGKILL)
    child.process.kill()
    child.process.join()
    child.reports.close()
