# SPDX-License-Identifier: BSD-3-Clause
"""Time of an operation: its busy time and its waits for the disk.

Where the driver logged the disk's requests, they are replayed. Otherwise waits follow the disk's
rotation, as its seeks, transfers and overhead do. An operation whose writes each begin where the
last one ended takes whole turns of the disk, however long the processor works between them. A
processor so slow that it misses its sector is not modelled.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from osgap.machines.system import DiskSystem
from osgap.predict.disk_replay import Script
from osgap.predict.observations import Measurement

_SAME_TURNS = 1.01
"""Factor within which points agree on the number of turns, where an operation takes whole turns."""
_MIN_SHARE = 0.5
"""The share of waiting below which an operation does not take whole turns."""
_MIN_SHARE_OF_ONE_POINT = 0.97
"""The share of waiting from which a single point shows that an operation takes whole turns."""


@dataclass(frozen=True)
class OperationTime:
    """Time of an operation in ns, and the standard deviation of what the points leave open."""

    ns: float
    sd_ns: float


@dataclass(frozen=True)
class LoggedRequests:
    """A benchmark's requests at a point, and an operation's total and busy time (also in turns)."""

    script: Script
    total_ns: float
    busy_ns: float
    turns: float

    def replayed(self, busy_ns: float, disk: DiskSystem) -> OperationTime:
        """Replays the requests for an operation that is busy for `busy_ns`."""
        mean, deviation = self.script.relative_time(disk, busy_ns / self.busy_ns)
        return OperationTime(mean * self.total_ns, deviation * self.total_ns)


@dataclass(frozen=True)
class DiskWait:
    """An operation's turns of the disk: all of its time (`takes_whole_turns`), or its waits alone.

    `least_turns` are the transfers and overhead among them, `most_busy_turns` the largest busy time
    of a simulated point in turns. With requests in `logged`, none of these counts.
    """

    turns: float
    takes_whole_turns: bool
    least_turns: float = 0.0
    most_busy_turns: float = math.inf
    logged: tuple[LoggedRequests, ...] = ()

    def operation_time(self, busy_ns: float, disk: DiskSystem) -> OperationTime:
        """The time on `disk` of an operation that is busy for `busy_ns`."""
        if self.logged:
            return self._nearest(busy_ns, disk).replayed(busy_ns, disk)
        waits = disk.rotation_ns * self.turns
        total_ns = waits if self.takes_whole_turns else busy_ns + waits
        return OperationTime(total_ns, self._hidden_sd_ns(busy_ns, disk))

    def _hidden_sd_ns(self, busy_ns: float, disk: DiskSystem) -> float:
        """The deviation of waits beside a processor that is busier, in turns, than any simulated.

        The additional work may hide any part of the wait but the `least_turns`, evenly distributed.
        """
        busy = busy_ns / disk.rotation_ns
        if not (busy > self.most_busy_turns and self.turns > self.least_turns):
            return 0.0
        additional = 1 - self.most_busy_turns / busy
        return disk.rotation_ns * additional * (self.turns - self.least_turns) / math.sqrt(12)

    def _nearest(self, busy_ns: float, disk: DiskSystem) -> LoggedRequests:
        """The logged point whose processor was most nearly as busy, in turns of its disk."""
        busy = busy_ns / disk.rotation_ns
        return min(self.logged, key=lambda requests: abs(math.log(requests.turns / busy)))


def disk_wait(measurements: Sequence[Measurement]) -> DiskWait:
    """The waits of a benchmark, from its measurement at one or more points."""
    takes_whole_turns = _takes_whole_turns(measurements)
    turns = [
        (point.total_ns if takes_whole_turns else point.idle_ns) / point.rotation_ns
        for point in measurements
    ]
    least = [point.least_share * point.idle_ns / point.rotation_ns for point in measurements]
    most_busy = max((point.total_ns - point.idle_ns) / point.rotation_ns for point in measurements)
    return DiskWait(
        float(np.mean(turns)),
        takes_whole_turns,
        float(np.mean(least)),
        most_busy,
        tuple(_logged(measurements)),
    )


def _logged(measurements: Sequence[Measurement]) -> Iterator[LoggedRequests]:
    for point in measurements:
        busy_ns = point.total_ns - point.idle_ns
        if point.script and point.script.waited_ns > 0 and busy_ns > 0:
            turns = busy_ns / point.rotation_ns
            yield LoggedRequests(point.script, point.total_ns, busy_ns, turns)


def _takes_whole_turns(measurements: Sequence[Measurement]) -> bool:
    share = float(np.mean([point.idle_ns / point.total_ns for point in measurements]))
    turns = [point.total_ns / point.rotation_ns for point in measurements]
    if len(measurements) == 1:
        return share > _MIN_SHARE_OF_ONE_POINT
    return share > _MIN_SHARE and max(turns) < _SAME_TURNS * min(turns)
