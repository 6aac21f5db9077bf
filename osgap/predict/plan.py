# SPDX-License-Identifier: BSD-3-Clause
"""What is to be simulated so that machines can be predicted: a run for each geometry.

Misses depend on the caches, which no formula here tells. So each set of machines that have the same
caches, TLB and core needs points of its own: two, which stand where the set waits least and most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from osgap.machines.system import System
from osgap.predict import grid
from osgap.predict.observations import place_of
from osgap.rundir.load import Run

PLAN_COLUMNS = ["geometry", "machine", "differs_in", "points", "from", "clocks_mhz"]
OWN = "the run"


@dataclass(frozen=True)
class _Asked:
    name: str
    system: System
    fixed: str
    differs_in: str


def plan_table(run: Run, names: Sequence[str], folder: Path) -> pd.DataFrame:
    """A row a machine (columns PLAN_COLUMNS); geometry 0 is the run's own.

    `differs_in` names what is not as in the run. `points` are to be simulated of the machine `from`
    at `clocks_mhz`, in the set's first row; none where the set has the run's geometry. A set of one
    machine needs one point. Raises ConfigError.
    """
    asked = [_asked(run, name, folder) for name in names]
    sets: dict[str, list[_Asked]] = {}
    for one in asked:
        sets.setdefault(one.fixed, []).append(one)
    ordered = sorted(sets.values(), key=lambda own: bool(own[0].differs_in))
    first = 0 if not ordered or not ordered[0][0].differs_in else 1
    rows = [
        (number, one.name, one.differs_in, *_told(own, is_first=one is own[0]))
        for number, own in enumerate(ordered, start=first)
        for one in own
    ]
    return pd.DataFrame(rows, columns=PLAN_COLUMNS)


def _asked(run: Run, name: str, folder: Path) -> _Asked:
    system, fixed, differing = grid.geometry(run, name, folder)
    return _Asked(name, system, fixed, ", ".join(differing))


def _told(own: Sequence[_Asked], *, is_first: bool) -> tuple[int, str, str]:
    """The points, the machine and its clocks, in the first row of a set."""
    if not own[0].differs_in:
        return 0, OWN, ""
    most = max(own, key=lambda one: place_of(one.system).line)
    clocks = sorted({min(one.system.clock_mhz for one in own), most.system.clock_mhz})
    points = len(clocks) if is_first else 0
    return points, most.name, ",".join(f"{clock:g}" for clock in clocks) if is_first else ""


def commands(plan: pd.DataFrame, run: Run) -> list[str]:
    """A sweep for each set that needs points, of the run's engine and benchmarks."""
    record = next(iter(run.points.values())).record
    benchmarks = ",".join(record.orders.run)
    return [
        f"osgap sweep --engine {record.engine} --machine {row['from']} "
        f"--cpu-mhz {row['clocks_mhz']} --run {benchmarks}"
        for row in plan[plan["points"] > 0].to_dict("records")
    ]
