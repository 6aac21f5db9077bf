# SPDX-License-Identifier: BSD-3-Clause
"""The time of an operation: its busy time, and what it waits for the disk.

Waits are scaled by the disk's rotation, as seeks, transfers and overhead are with it. An operation
whose writes each begin where the last one ended takes whole turns of the disk, however long the
processor is busy between them; until that is so long that it misses its sector, which is not told.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from osgap.predict.observe import Observed

_SAME_TURNS = 1.01
"""Operations that follow the disk's turns take as many at all points, to this factor."""
_MOSTLY, _WHOLLY = 0.5, 0.97
"""The share of waiting without which none does, and with which one point is enough to say so."""


@dataclass(frozen=True)
class Waiting:
    """Turns of the disk that an operation takes `whole`, or waits for beside its busy time.

    `least` of them are transfer and overhead. `busiest` are the most turns that the processor was
    busy for, in what was simulated.
    """

    turns: float
    whole: bool
    least: float = 0.0
    busiest: float = math.inf

    def unsettled_ns(self, busy_ns: float, rotation_ns: float) -> float:
        """The standard deviation of the wait where the processor is busier, in turns, than seen.

        What it is busy for beyond that may hide any part of the wait but the `least`, or none:
        an even distribution, times the part of its work that is beyond.
        """
        busy = busy_ns / rotation_ns
        if not (busy > self.busiest and self.turns > self.least):
            return 0.0
        beyond = 1 - self.busiest / busy
        return rotation_ns * beyond * (self.turns - self.least) / math.sqrt(12)

    def total_ns(self, busy_ns: float, rotation_ns: float) -> float:
        """The time of an operation that is busy for `busy_ns`, on a disk of this rotation."""
        waits = rotation_ns * self.turns
        return waits if self.whole else busy_ns + waits


def waiting(seen: Sequence[Observed]) -> Waiting:
    """From the same operation at points that were simulated, at least one."""
    whole = _follows_turns(seen)
    taken = [(one.total_ns if whole else one.idle_ns) / one.rotation_ns for one in seen]
    least = [one.least_share * one.idle_ns / one.rotation_ns for one in seen]
    busiest = max((one.total_ns - one.idle_ns) / one.rotation_ns for one in seen)
    return Waiting(float(np.mean(taken)), whole, float(np.mean(least)), busiest)


def _follows_turns(seen: Sequence[Observed]) -> bool:
    share = float(np.mean([one.idle_ns / one.total_ns for one in seen]))
    turns = [one.total_ns / one.rotation_ns for one in seen]
    if len(seen) == 1:
        return share > _WHOLLY
    return share > _MOSTLY and max(turns) < _SAME_TURNS * min(turns)
