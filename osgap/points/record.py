# SPDX-License-Identifier: BSD-3-Clause
"""A point's record, RUN/records/KEY.json: the state, reason and costs of its last attempt."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import Field

from osgap.base import durable, inputs, processes
from osgap.base.config import parse_json_model
from osgap.base.errors import OsgapError
from osgap.base.identity import Process, this_process
from osgap.rundir.directory import RECORDS
from osgap.rundir.files import archived_records, is_done

HEARTBEAT_S = 10.0
"""A worker touches its point's record this often."""
_SILENT_S = 12 * HEARTBEAT_S
_LINE = 500


class State(StrEnum):
    """The state of a point; a failed state names the cause."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    TIMED_OUT = "timed-out"
    OUT_OF_MEMORY = "out-of-memory"
    GUEST_PANIC = "guest-panic"
    GUEST_ERROR = "guest-error"
    SIMULATOR_ERROR = "simulator-error"
    CANCELLED = "cancelled"


FAILED = (
    State.TIMED_OUT,
    State.OUT_OF_MEMORY,
    State.GUEST_PANIC,
    State.GUEST_ERROR,
    State.SIMULATOR_ERROR,
    State.CANCELLED,
)
"""The states of failed points, which `osgap retry` can run again."""


class Record(Process):
    """One attempt at a point, by the process that is its worker.

    Durations are of a monotonic clock; `started` is wall-clock time. `build` and `allocator` are
    the simulator's, which change its speed and no number; None before the guest is ready, and for
    an engine that tells none.
    """

    format: Literal[1] = 1
    key: str
    state: State
    attempt: int = Field(default=0, ge=0)
    slurm_job: str = ""
    started: str = ""
    # The host's monotonic clock at the start, comparable only on that host until its next boot.
    started_monotonic_s: float = 0
    total_s: float | None = None
    simulator_s: float | None = None
    peak_mib: int | None = None
    build: str | None = None
    allocator: str | None = None
    log: str = ""
    line: str = ""


def path(run: Path, key: str) -> Path:
    """The path of the record of point `key`."""
    return run / RECORDS / f"{key}.json"


def begin(key: str, attempt: int, slurm_job: str) -> Record:
    """The record of a point that this process starts at this time."""
    return Record(
        key=key,
        state=State.RUNNING,
        attempt=attempt,
        **this_process().model_dump(),
        slurm_job=slurm_job,
        started=datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="seconds"),
        started_monotonic_s=round(time.monotonic(), 3),
        log=f"logs/{key}.log",
    )


def ended(
    record: Record, state: State, line: str = "", **fields: float | int | str | None
) -> Record:
    """`record` with the state, reason, costs (total_s, simulator_s, peak_mib) and build."""
    return record.model_copy(
        update={"state": state, "line": " ".join(line.split())[:_LINE], **fields}
    )


def write(run: Path, record: Record) -> None:
    """Writes a record in one step; makes no run directory that was moved away. Raises OSError."""
    target = path(run, record.key)
    target.parent.mkdir(exist_ok=True)
    durable.write_json(target, record.model_dump(mode="json", exclude_none=True))


def read(run: Path, key: str) -> Record:
    """The record as last written; a queued one if there is none or it is damaged."""
    try:
        return _parse(inputs.read_bytes(path(run, key)), key)
    except OSError:
        return Record(key=key, state=State.QUEUED)


def _parse(content: bytes, key: str) -> Record:
    absent = Record(key=key, state=State.QUEUED)
    try:
        record = parse_json_model(content, Record, key)
    except OsgapError:
        return absent
    return record if record.key == key else absent


def accepted(run: Path, keys: Iterable[str]) -> tuple[Record, ...]:
    """The records of an accepted run, whose points are all done. Raises OsgapError."""
    contents = archived_records(run)
    records = (_parse(contents.get(key, b""), key) for key in keys)
    return tuple(r if r.state is State.DONE else ended(r, State.DONE) for r in records)


def current(run: Path, key: str) -> Record:
    """The record now: done if the point's files exist, running if its worker lives."""
    record = read(run, key)
    if is_done(run, key):
        return record if record.state is State.DONE else ended(record, State.DONE)
    if record.state is State.DONE:
        return Record(key=key, state=State.QUEUED, attempt=record.attempt)
    if record.state is State.RUNNING and (reason := _lost(run, record)):
        return ended(record, State.CANCELLED, reason)
    return record


def running_s(record: Record) -> float:
    """Seconds since a running point started; on another host, by the wall clocks."""
    if record.boot == processes.boot():
        return max(0.0, time.monotonic() - record.started_monotonic_s)
    try:
        began = datetime.fromisoformat(record.started).timestamp()
    except (ValueError, OverflowError):  # not a date, or outside the clock's range
        return 0.0
    return max(0.0, time.time() - began)


def _lost(run: Path, record: Record) -> str:
    """The reason why a point recorded as running does not run; "" if it does or may."""
    if (lives := record.lives()) is not None:
        return "" if lives else f"its worker, {record}, has ended without a record of it"
    touched = path(run, record.key)
    try:
        silent_s = time.time() - touched.stat().st_mtime
        if not 0 <= silent_s < _SILENT_S:  # true, or the hosts' clocks differ
            silent_s = durable.age_s(touched)
    except OSError:
        return ""
    if silent_s < _SILENT_S:
        return ""
    return f"its worker, {record}, has not been heard of for {silent_s:.0f} s"
