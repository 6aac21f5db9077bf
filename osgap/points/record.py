# SPDX-License-Identifier: BSD-3-Clause
"""What became of a point: RUN/records/KEY.json, one of the states below, and why."""

from __future__ import annotations

import os
import platform
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
from osgap.base.frozen import Frozen
from osgap.rundir.directory import RECORDS
from osgap.rundir.files import archived_records, is_done

HEARTBEAT_S = 10.0
"""A worker touches its point's record this often."""
_SILENT_S = 12 * HEARTBEAT_S
_LINE = 500


class State(StrEnum):
    """Where a point stands; the failed ones say by whose fault."""

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
"""The states that `retry` may run again."""


class Record(Frozen):
    """One attempt at a point. Durations are of a monotonic clock; `started` is for people only."""

    format: Literal[1] = 1
    key: str
    state: State
    attempt: int = Field(default=0, ge=0)
    host: str = ""
    pid: int = 0
    pid_ticks: str = ""
    boot: str = ""
    slurm_job: str = ""
    started: str = ""
    # The host's monotonic clock at the start, of use on that host and boot alone.
    started_monotonic_s: float = 0
    total_s: float | None = None
    simulator_s: float | None = None
    peak_mib: int | None = None
    log: str = ""
    line: str = ""


def path(run: Path, key: str) -> Path:
    """Where the record of point `key` is kept."""
    return run / RECORDS / f"{key}.json"


def begin(key: str, attempt: int, slurm_job: str) -> Record:
    """The record of a point that this process starts now."""
    return Record(
        key=key,
        state=State.RUNNING,
        attempt=attempt,
        host=platform.node(),
        pid=os.getpid(),
        pid_ticks=processes.start_time(os.getpid()),
        boot=processes.boot(),
        slurm_job=slurm_job,
        started=datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="seconds"),
        started_monotonic_s=round(time.monotonic(), 3),
        log=f"logs/{key}.log",
    )


def ended(record: Record, state: State, line: str = "", **figures: float | int | None) -> Record:
    """`record` at its end.

    `line`, made one line, decided it; `figures` are total_s, simulator_s and peak_mib.
    """
    return record.model_copy(
        update={"state": state, "line": " ".join(line.split())[:_LINE], **figures}
    )


def write(run: Path, record: Record) -> None:
    """Writes a record in one step. Raises OSError."""
    target = path(run, record.key)
    target.parent.mkdir(parents=True, exist_ok=True)
    durable.write_json(target, record.model_dump(mode="json", exclude_none=True))


def read(run: Path, key: str) -> Record:
    """The record as it was written last; queued where there is none, or one cut short."""
    try:
        return _parse(inputs.read_bytes(path(run, key)), key)
    except OSError:
        return Record(key=key, state=State.QUEUED)


def _parse(content: bytes, key: str) -> Record:
    unknown = Record(key=key, state=State.QUEUED)
    try:
        found = parse_json_model(content, Record, key)
    except OsgapError:
        return unknown
    return found if found.key == key else unknown


def accepted(run: Path, keys: Iterable[str]) -> tuple[Record, ...]:
    """The records of an accepted run, all of whose points are done. Raises ArchiveError."""
    known = archived_records(run)
    read = (_parse(known.get(key, b""), key) for key in keys)
    return tuple(r if r.state is State.DONE else ended(r, State.DONE) for r in read)


def current(run: Path, key: str) -> Record:
    """The record as things are now: done as the point's files say, running only while alive."""
    record = read(run, key)
    if is_done(run, key):
        return record if record.state is State.DONE else ended(record, State.DONE)
    if record.state is State.DONE:
        return Record(key=key, state=State.QUEUED, attempt=record.attempt)
    if record.state is State.RUNNING and (reason := _lost(run, record)):
        return ended(record, State.CANCELLED, reason)
    return record


def running_s(record: Record) -> float:
    """How long a running point has run, in seconds; on another host as the wall clocks say."""
    if record.host == platform.node() and record.boot == processes.boot():
        return max(0.0, time.monotonic() - record.started_monotonic_s)
    try:
        began = datetime.fromisoformat(record.started).timestamp()
    except (ValueError, OverflowError):  # no date, or one that no clock has
        return 0.0
    return max(0.0, time.time() - began)


def _lost(run: Path, record: Record) -> str:
    """Why a point that says it runs doesn't; "" while it does, or may."""
    if record.host == platform.node():
        same = record.boot == processes.boot()
        if same and processes.start_time(record.pid) == record.pid_ticks:
            return ""
        return f"its worker, process {record.pid} on {record.host}, is gone without a word"
    try:
        silent_s = time.time() - path(run, record.key).stat().st_mtime
    except OSError:
        return ""
    if silent_s < _SILENT_S:
        return ""
    return f"its worker on {record.host} has not been heard of for {silent_s:.0f} s"
