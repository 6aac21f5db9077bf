# SPDX-License-Identifier: BSD-3-Clause
"""A benchmark's requests to the disk, replayed on another disk or beside another processor.

What a driver told one by one becomes a script: each request comes a while, in which the processor
works, after what came last before it: the request before, or the completion of one. That this is
also what it waited for is assumed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from osgap.machines.system import DiskSystem

_PHASES = 4
"""Evenly spread places of the disk at the first request, which no point tells."""
_BUSY = (0.95, 1.0, 1.05)
"""Busy times are predicted within 5 % in nine of ten rows (docs/METHOD.md)."""


@dataclass(frozen=True)
class Step:
    """A request; it comes `think_ns` after request `follows` completed, or, where that is itself,
    after the request before it was issued."""

    follows: int
    think_ns: int
    sector: int
    sectors: int
    is_write: bool


@dataclass(frozen=True)
class Script:
    """All requests of a benchmark; how long the processor waited and worked in it, ns.

    What it worked before the first of them and after the last is in `worked_ns` too.
    """

    steps: tuple[Step, ...]
    waited_ns: int
    worked_ns: int

    def by(self, disk: DiskSystem, busy: float) -> tuple[float, float]:
        """How many times as long all of it takes on `disk` with `busy` times the work, and how
        far that may be off (a standard deviation).

        Over places of the disk at the first request, and busy times that are a little off.
        """
        turn = disk.rotation_ns
        begins = [turn * phase // _PHASES for phase in range(_PHASES)]
        took = [
            self._waited_ns(disk, busy * off, begin) + busy * off * self.worked_ns
            for off in _BUSY
            for begin in begins
        ]
        whole = self.waited_ns + self.worked_ns
        return float(np.mean(took)) / whole, float(np.std(took)) / whole

    def _waited_ns(self, disk: DiskSystem, busy: float, begin_ns: int) -> int:
        cylinder = self.steps[0].sector // (disk.sectors_per_track * disk.heads)
        mechanism = Mechanism(disk, cylinder)
        issued, worked, done = begin_ns, 0, list[int]()
        for number, step in enumerate(self.steps):
            think = round(step.think_ns * busy)
            issued = (issued if step.follows == number else max(issued, done[step.follows])) + think
            worked += think
            done.append(
                mechanism.complete_ns(issued, step.sector, step.sectors, is_write=step.is_write)
            )
        return max(done) - begin_ns - worked


def script(requests: pd.DataFrame, timed_ns: float = 0.0) -> Script | None:
    """Of the requests of one benchmark (records.DiskRequest), in their order; None of none.

    `timed_ns` is what all its regions took. What is over the span of the requests was work.
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
        follows, at = _latest(
            rows[:number], number, issue, rows[number - 1][0] if number else issue
        )
        steps.append(Step(follows, issue - at, sector, sectors, is_write))
        worked += issue - at
    span = max(row[1] for row in rows) - first
    return Script(tuple(steps), span - worked, worked + max(0, round(timed_ns) - span))


def _latest(
    before: Sequence[tuple[int, int, int, int, bool]], number: int, issue: int, issued: int
) -> tuple[int, int]:
    """What came last before a request: the number of the one that completed, or its own; when."""
    ended = [(done, at) for at, (_, done, *_) in enumerate(before) if issued <= done <= issue]
    if not ended:
        return number, issued
    done, at = max(ended)
    return at, done


class Mechanism:
    """A disk: where its arm is, and until when it works. Times in ns of the guest's clock."""

    def __init__(self, disk: DiskSystem, cylinder: int = 0) -> None:
        self.disk = disk
        self.cylinder = cylinder
        self.busy_until_ns = 0
        self.cache_free_ns = 0

    def complete_ns(self, now_ns: int, sector: int, sectors: int, *, is_write: bool) -> int:
        """When a request that arrives at `now_ns` completes; requests are served in this order."""
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
        """Linear in the square root of the distance, in 1/1024 of it."""
        disk, distance = self.disk, abs(self.cylinder - cylinder)
        if not distance:
            return 0
        root = math.isqrt((distance - 1) << 20)
        full = math.isqrt((disk.cylinders - 1) << 20)
        span = max(0, disk.seek_full_ns - disk.seek_track_ns)
        return disk.seek_track_ns + (span * root // full if full else 0)
