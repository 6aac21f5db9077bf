# SPDX-License-Identifier: BSD-3-Clause
"""The time of an operation: its busy time, and what it waits for the disk.

Where the disk's requests were told one by one, they are replayed. Else waits are scaled by the
disk's rotation, as seeks, transfers and overhead are with it; and an operation whose writes each
begin where the last one ended takes whole turns of the disk, however long the processor is busy
between them; until that is so long that it misses its sector, which is not told.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from osgap.machines.system import DiskSystem
from osgap.predict.disk_replay import Script
from osgap.predict.observations import Observed

_SAME_TURNS = 1.01
"""Operations that follow the disk's turns take as many at all points, to this factor."""
_MOSTLY, _WHOLLY = 0.5, 0.97
"""The share of waiting without which none does, and with which one point is enough to say so."""


@dataclass(frozen=True)
class Logged:
    """A benchmark's requests at one point; of its operation the whole time there and the busy
    time, and that in turns of the disk."""

    script: Script
    total_ns: float
    busy_ns: float
    turns: float

    def times_ns(self, busy_ns: float, disk: DiskSystem) -> tuple[float, float]:
        """What an operation takes that is busy for `busy_ns`: mean and deviation."""
        by, off = self.script.by(disk, busy_ns / self.busy_ns)
        return by * self.total_ns, off * self.total_ns


@dataclass(frozen=True)
class Waiting:
    """Turns of the disk that an operation takes `whole`, or waits for beside its busy time.

    `least` of them are transfer and overhead. `busiest` are the most turns that the processor was
    busy for, in what was simulated. With `logged` points none of this counts.
    """

    turns: float
    whole: bool
    least: float = 0.0
    busiest: float = math.inf
    logged: tuple[Logged, ...] = ()

    def unsettled_ns(self, busy_ns: float, disk: DiskSystem) -> float:
        """The standard deviation of the wait, for what the points do not tell.

        Replayed, for where the disk stood at first, and for a busy time that is a little off. Else
        where the processor is busier, in turns, than seen: what it is busy for beyond that may
        hide any part of the wait but the `least`, or none: an even distribution, times the part of
        its work that is beyond.
        """
        if self.logged:
            return self._nearest(busy_ns, disk).times_ns(busy_ns, disk)[1]
        busy = busy_ns / disk.rotation_ns
        if not (busy > self.busiest and self.turns > self.least):
            return 0.0
        beyond = 1 - self.busiest / busy
        return disk.rotation_ns * beyond * (self.turns - self.least) / math.sqrt(12)

    def total_ns(self, busy_ns: float, disk: DiskSystem) -> float:
        """The time of an operation that is busy for `busy_ns`, on this disk."""
        if self.logged:
            return self._nearest(busy_ns, disk).times_ns(busy_ns, disk)[0]
        waits = disk.rotation_ns * self.turns
        return waits if self.whole else busy_ns + waits

    def _nearest(self, busy_ns: float, disk: DiskSystem) -> Logged:
        """The point whose processor was as busy, in its disk's turns, or nearest to it."""
        wanted = busy_ns / disk.rotation_ns
        return min(self.logged, key=lambda one: abs(math.log(one.turns / wanted)))


def waiting(seen: Sequence[Observed]) -> Waiting:
    """From the same operation at points that were simulated, at least one."""
    whole = _follows_turns(seen)
    taken = [(one.total_ns if whole else one.idle_ns) / one.rotation_ns for one in seen]
    least = [one.least_share * one.idle_ns / one.rotation_ns for one in seen]
    busiest = max((one.total_ns - one.idle_ns) / one.rotation_ns for one in seen)
    return Waiting(
        float(np.mean(taken)), whole, float(np.mean(least)), busiest, tuple(_logged(seen))
    )


def _logged(seen: Sequence[Observed]) -> Iterator[Logged]:
    for one in seen:
        busy_ns = one.total_ns - one.idle_ns
        if one.script and one.script.waited_ns > 0 and busy_ns > 0:
            yield Logged(one.script, one.total_ns, busy_ns, busy_ns / one.rotation_ns)


def _follows_turns(seen: Sequence[Observed]) -> bool:
    share = float(np.mean([one.idle_ns / one.total_ns for one in seen]))
    turns = [one.total_ns / one.rotation_ns for one in seen]
    if len(seen) == 1:
        return share > _WHOLLY
    return share > _MOSTLY and max(turns) < _SAME_TURNS * min(turns)
