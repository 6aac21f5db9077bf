# SPDX-License-Identifier: BSD-3-Clause
"""Replays a benchmark's disk requests on another disk, or beside a faster or slower processor.

The driver's log of requests becomes a script. A request comes after a time in which the processor
works; this time begins with the last event before the request: the previous request, or the
completion of one. The script assumes that the processor also waited for this event.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from osgap.machines.system import DiskSystem

_PHASES = 4
"""Rotational positions of the disk at the first request, evenly spread; no log has the real one."""
_BUSY_ERRORS = (0.95, 1.0, 1.05)
"""Replayed errors of the predicted busy time: 5 %, as in nine of ten rows (docs/method)."""


@dataclass(frozen=True)
class Step:
    """A request: the processor works `think_ns` before it, beginning with another request's end.

    `follows` is the number of the other request. Where it is the step's own number, the work begins
    when the previous request is issued.
    """

    follows: int
    think_ns: int
    sector: int
    sectors: int
    is_write: bool


@dataclass(frozen=True)
class Script:
    """A benchmark's requests, and the ns in which the processor waited for them and worked."""

    steps: tuple[Step, ...]
    waited_ns: int
    worked_ns: int

    def relative_time(self, disk: DiskSystem, busy_factor: float) -> tuple[float, float]:
        """Mean and standard deviation of the benchmark's time on `disk`, relative to the log's.

        The processor works `busy_factor` times as long.
        """
        turn = disk.rotation_ns
        starts = [turn * phase // _PHASES for phase in range(_PHASES)]
        times = [
            self._waited_ns(disk, busy_factor * error, start) + busy_factor * error * self.worked_ns
            for error in _BUSY_ERRORS
            for start in starts
        ]
        logged_ns = self.waited_ns + self.worked_ns
        return float(np.mean(times)) / logged_ns, float(np.std(times)) / logged_ns

    def _waited_ns(self, disk: DiskSystem, busy_factor: float, start_ns: int) -> int:
        cylinder = self.steps[0].sector // (disk.sectors_per_track * disk.heads)
        mechanism = DiskMechanism(disk, cylinder)
        issued, worked, done = start_ns, 0, list[int]()
        for number, step in enumerate(self.steps):
            think = round(step.think_ns * busy_factor)
            issued = (issued if step.follows == number else max(issued, done[step.follows])) + think
            worked += think
            done.append(
                mechanism.complete_ns(issued, step.sector, step.sectors, is_write=step.is_write)
            )
        return max(done) - start_ns - worked


def script(requests: pd.DataFrame, timed_ns: float = 0.0) -> Script | None:
    """The script of one benchmark's requests (records.DiskRequest) in their order; None without.

    What the time of its regions, `timed_ns`, exceeds the span of the requests by was work.
    """
    columns = ["issue_ns", "done_ns", "sector", "sectors", "write"]
    rows = [
        (issue, done, sector, sectors, bool(write))
        for issue, done, sector, sectors, write in requests[columns].to_numpy(dtype=int).tolist()
    ]
    if not rows:
        return None
    first, steps, worked = rows[0][0], list[Step](), 0
    for number, (issue, _, sector, sectors, is_write) in enumerate(rows):
        follows, event_ns = _last_event(
            rows[:number], number, issue, rows[number - 1][0] if number else issue
        )
        steps.append(Step(follows, issue - event_ns, sector, sectors, is_write))
        worked += issue - event_ns
    span = max(row[1] for row in rows) - first
    return Script(tuple(steps), span - worked, worked + max(0, round(timed_ns) - span))


def _last_event(
    earlier: Sequence[tuple[int, int, int, int, bool]], number: int, issue: int, last_issue: int
) -> tuple[int, int]:
    """The last completion or issue before request `number`, at `issue`: its request, and its ns."""
    completions = [
        (done, index) for index, (_, done, *_) in enumerate(earlier) if last_issue <= done <= issue
    ]
    if not completions:
        return number, last_issue
    done, index = max(completions)
    return index, done


class DiskMechanism:
    """The disk driver's timing model (disk_model.c of the kernel), number for number."""

    def __init__(self, disk: DiskSystem, cylinder: int = 0) -> None:
        self.disk = disk
        self.cylinder = cylinder
        self.busy_until_ns = 0
        self.cache_free_ns = 0

    def complete_ns(self, now_ns: int, sector: int, sectors: int, *, is_write: bool) -> int:
        """The completion time of a request that arrives at `now_ns`, after all earlier ones."""
        disk = self.disk
        start = max(now_ns, self.busy_until_ns)
        if is_write and sectors <= disk.cache_sectors:
            accepted = max(now_ns, self.cache_free_ns) + disk.overhead_ns
            self.busy_until_ns = self._served_ns(max(start, accepted), sector, sectors)
            self.cache_free_ns = self.busy_until_ns
            return accepted
        self.busy_until_ns = self._served_ns(start, sector, sectors)
        return self.busy_until_ns

    def _served_ns(self, start_ns: int, sector: int, sectors: int) -> int:
        disk, turn = self.disk, self.disk.rotation_ns
        cylinder = sector // (disk.sectors_per_track * disk.heads)
        ready = start_ns + disk.overhead_ns + self._seek_ns(cylinder)
        self.cylinder = cylinder
        under_head = sector % disk.sectors_per_track * turn // disk.sectors_per_track
        ready += (under_head - ready) % turn
        return ready + sectors * turn // disk.sectors_per_track

    def _seek_ns(self, cylinder: int) -> int:
        """Linear in the square root of the distance, which is taken in 1/1024."""
        disk, distance = self.disk, abs(self.cylinder - cylinder)
        if not distance:
            return 0
        root = math.isqrt((distance - 1) << 20)
        full = math.isqrt((disk.cylinders - 1) << 20)
        span = max(0, disk.seek_full_ns - disk.seek_track_ns)
        return disk.seek_track_ns + (span * root // full if full else 0)
