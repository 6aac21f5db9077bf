# SPDX-License-Identifier: BSD-3-Clause
"""A sweep's progress for people (tables, a bar, lines) and for programs (JSON)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table

from osgap.base.progress import is_watched, make_bar, say
from osgap.base.terminal import columns as text_columns
from osgap.points import record
from osgap.points.record import FAILED, Record, State
from osgap.sweep.progress import Progress

_REFRESH_S = 1.0
FORMAT = 1


class Bar:
    """A bar on a terminal, elsewhere a line for each point that ends; a context manager.

    Both go to standard error. `before` is how far the run was when this sweep began.
    """

    def __init__(self, before: Progress) -> None:
        self._bar = make_bar()
        self._task = self._bar.add_task("points", left="ETA ?")
        self._lines = not is_watched()
        self._seen = {r.key: r for r in before.records}

    def __enter__(self) -> Bar:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def show(self, progress: Progress) -> None:
        """Moves the bar to `progress`, or tells of the points that have ended since the last."""
        self._bar.update(
            self._task,
            total=len(progress.records),
            completed=progress.counts[State.DONE],
            left=f"ETA {duration(progress.eta_s)}",
        )
        if self._lines:
            for one in progress.records:
                if self._has_ended(one):
                    say(point_line(one, progress))
                    self._seen[one.key] = one

    def _has_ended(self, one: Record) -> bool:
        """Whether it ended after the last look, in this attempt or in a new one.

        A point has its name a moment before its record has the cost: that is waited for.
        """
        if one.state not in FAILED and (one.state is not State.DONE or one.total_s is None):
            return False
        last = self._seen.get(one.key)
        return last is None or (last.state, last.attempt) != (one.state, one.attempt)


def point_line(one: Record, progress: Progress) -> str:
    """That a point has ended, and how far its run is."""
    how = f"{one.state}" if one.total_s is None else f"{one.state} after {duration(one.total_s)}"
    counts = progress.counts
    left = "" if progress.eta_s == 0 else f", {duration(progress.eta_s)} left"
    return (
        f"{progress.run.name}: {one.key} {how}; {counts[State.DONE]} of {len(progress.records)} "
        f"points finished, {counts[State.RUNNING]} running{left}"
    )


def duration(seconds: float | None) -> str:
    """Seconds for people: s below a minute and a half, then min, then h."""
    if seconds is None:
        return "?"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def watch(
    look: Callable[[], Sequence[Progress]], is_driven: Callable[[Path], bool], console: Console
) -> None:
    """Shows what `look` sees every second, while one of the runs `is_driven`."""
    with Live(console=console, refresh_per_second=2) as live:
        while True:
            seen = look()
            live.update(Group(*(page(one) for one in seen)))
            if not any(is_driven(one.run) for one in seen):
                return
            time.sleep(_REFRESH_S)


def page(progress: Progress) -> RenderableType:
    """Counts and ETA; what runs, what failed and why, and what took longest."""
    told = ", ".join(f"{count} {state}" for state, count in progress.counts.items() if count)
    eta = f"; ETA {duration(progress.eta_s)}" if progress.of(State.RUNNING) else ""
    parts: list[RenderableType] = [
        f"{progress.run.name}: {len(progress.records)} points: {told}{eta}"
    ]
    for title, records, columns in (
        ("running", progress.of(State.RUNNING), _RUNNING),
        ("failed", progress.failed, _FAILED),
        ("slowest", progress.slowest, _SLOWEST),
    ):
        if records:
            parts.append(_table(title, records, columns))
    return Group(*parts)


Columns = Mapping[str, Callable[[Record], str]]

_RUNNING: Columns = {
    "for": lambda r: duration(record.running_s(r)),
    "host": lambda r: r.host + (f" (Slurm job {r.slurm_job})" if r.slurm_job else ""),
    "process": lambda r: str(r.pid),
    "attempt": lambda r: str(r.attempt),
    "log": lambda r: r.log,
}
_FAILED: Columns = {
    "state": lambda r: str(r.state),
    "why": lambda r: r.line,
    "log": lambda r: r.log,
}
_SLOWEST: Columns = {
    "seconds": lambda r: f"{r.total_s:.1f}" if r.total_s is not None else "",
    "memory, MiB": lambda r: str(r.peak_mib or ""),
    "host": lambda r: r.host,
}


def _table(title: str, records: Sequence[Record], columns: Columns) -> Table:
    table = text_columns(title, *columns)
    for one in records:
        table.add_row(one.key, *(value(one) for value in columns.values()))
    return table


def as_json(progress: Progress) -> dict[str, object]:
    """The same for programs; times in seconds, memory in MiB."""
    return {
        "format": FORMAT,
        "run": str(progress.run),
        "counts": {str(state): count for state, count in progress.counts.items()},
        "eta_s": None if progress.eta_s is None else round(progress.eta_s, 1),
        "slowest": [r.key for r in progress.slowest],
        "points": [_point(r) for r in progress.records],
    }


def _point(one: Record) -> dict[str, object]:
    told = one.model_dump(mode="json", exclude_none=True)
    if one.state is State.RUNNING:
        told["running_s"] = round(record.running_s(one), 1)
    return told
