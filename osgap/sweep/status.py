# SPDX-License-Identifier: BSD-3-Clause
"""Shows the progress of runs: a bar, lines or tables for people, JSON for programs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table

from osgap.base.errors import OsgapError
from osgap.base.progress import is_watched, make_bar, say
from osgap.base.quoting import counted
from osgap.base.terminal import columns as text_columns
from osgap.machines.axes import POLICIES
from osgap.points import record
from osgap.points.planned import read_plan
from osgap.points.record import FAILED, Record, State
from osgap.sweep.progress import Progress

_REFRESH_S = 1.0
FORMAT = 1


class Bar:
    """A progress bar on a terminal, elsewhere a line for each point that ends; a context manager.

    Both go to standard error. `before` is the run's progress when this sweep began.
    """

    def __init__(self, before: Progress) -> None:
        self._bar = make_bar()
        self._task = self._bar.add_task("points", left="ETA ?")
        self._lines = not is_watched()
        self._previous = {r.key: r for r in before.records}

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
        """Moves the bar to `progress`, or prints a line for each point that has ended since."""
        self._bar.update(
            self._task,
            total=len(progress.records),
            completed=progress.counts[State.DONE],
            left=f"ETA {duration(progress.eta_s)}",
        )
        if self._lines:
            for point in progress.records:
                if self._has_ended(point):
                    say(point_line(point, progress))
                    self._previous[point.key] = point

    def _has_ended(self, point: Record) -> bool:
        """True if the point ended after the last call, in this attempt or in a new one.

        A point's directory exists a moment before its record has the cost: that is waited for.
        """
        if point.state not in FAILED and (point.state is not State.DONE or point.total_s is None):
            return False
        last = self._previous.get(point.key)
        return last is None or (last.state, last.attempt) != (point.state, point.attempt)


def point_line(point: Record, progress: Progress) -> str:
    """A line that names an ended point, and gives its run's counts."""
    how = str(point.state)
    if point.total_s is not None:
        how += f" after {duration(point.total_s)}"
    counts = progress.counts
    left = "" if progress.eta_s == 0 else f", {duration(progress.eta_s)} left"
    return (
        f"{progress.run.name}: {point.key} {how}; {counts[State.DONE]} of "
        f"{counted(len(progress.records), 'point')} finished, {counts[State.RUNNING]} running{left}"
    )


def duration(seconds: float | None) -> str:
    """A duration as text: in s below a minute and a half, then in min, then in h."""
    if seconds is None:
        return "?"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def watch(
    survey_runs: Callable[[], Sequence[Progress]],
    is_running: Callable[[Path], bool],
    console: Console,
) -> None:
    """Shows the result of `survey_runs` every second, while a sweep drives one of the runs."""
    with Live(console=console, refresh_per_second=2) as live:
        while True:
            runs = survey_runs()
            live.update(Group(*(page(progress) for progress in runs)))
            if not any(is_running(progress.run) for progress in runs):
                return
            time.sleep(_REFRESH_S)


def page(progress: Progress) -> RenderableType:
    """Counts and ETA, then tables of running, failed and slowest points."""
    counts = ", ".join(f"{count} {state}" for state, count in progress.counts.items() if count)
    eta = f"; ETA {duration(progress.eta_s)}" if progress.of(State.RUNNING) else ""
    parts: list[RenderableType] = [
        f"{progress.run.name}: {counted(len(progress.records), 'point')}: {counts}{eta}"
    ]
    for title, records, columns in (
        ("running", progress.of(State.RUNNING), _RUNNING),
        ("failed", progress.failed, _FAILED),
        ("slowest", progress.slowest, _SLOWEST),
    ):
        if records:
            parts.append(_table(title, progress.run, records, columns))
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


def _table(title: str, run: Path, records: Sequence[Record], columns: Columns) -> Table:
    table = text_columns(title, "machine", *columns)
    for point in records:
        cells = (value(point) for value in columns.values())
        table.add_row(point.key, system_text(run, point.key), *cells)
    return table


def system_text(run: Path, key: str) -> str:
    """The system of a planned point, such as `320 MHz, memory scaled`; "" without its plan."""
    try:
        axes = read_plan(run, key).axes
    except OsgapError:
        return ""
    scaled = [axis.key for axis in POLICIES if getattr(axes, axis.key) == "scaled"]
    parts = [f"{axes.clock_mhz:g} MHz"]
    parts += [f"{' and '.join(scaled)} scaled"] if scaled else []
    parts += [f"start {axes.seed}"] if axes.seed else []
    return ", ".join(parts)


def as_json(progress: Progress) -> dict[str, object]:
    """The progress as a JSON object; times in seconds, memory in MiB."""
    return {
        "format": FORMAT,
        "run": str(progress.run),
        "counts": {str(state): count for state, count in progress.counts.items()},
        "eta_s": None if progress.eta_s is None else round(progress.eta_s, 1),
        "slowest": [r.key for r in progress.slowest],
        "points": [_point(r) for r in progress.records],
    }


def _point(point: Record) -> dict[str, object]:
    fields = point.model_dump(mode="json", exclude_none=True)
    if point.state is State.RUNNING:
        fields["running_s"] = round(record.running_s(point), 1)
    return fields
