# SPDX-License-Identifier: BSD-3-Clause
"""Which points of a grid are simulated: the few that determine the rest, then the farthest off.

A machine stands where memory's latency, a line's transfer and the disk's turn are, in core cycles.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from osgap.machines.system import System
from osgap.predict import grid
from osgap.predict.observations import place_of
from osgap.rundir.load import Run

_APART = math.log(1.5)
"""Grids whose ratios of latency to transfer differ by less do not vary them apart."""


def first_keys(systems: Mapping[str, System]) -> list[str]:
    """The points, by key, that determine the rest.

    The slowest clock's, in the middle of the others of that clock, which hardly waits; and of the
    others the one that waits most for memory, or, where latency and bandwidth vary apart, the one
    that waits most for either.
    """
    slow = min(one.clock_mhz for one in systems.values())
    slowest = [key for key, one in systems.items() if one.clock_mhz == slow]
    start = _median(slowest, {key: (_ratio(systems[key]), _waits(systems[key])) for key in slowest})
    fast = [key for key in systems if systems[key].clock_mhz > slow] or slowest
    ratios = {key: _ratio(systems[key]) for key in fast}
    low, high = min(ratios.values()), max(ratios.values())
    if high - low < _APART:
        ends = [max(fast, key=lambda key: _waits(systems[key]))]
    else:
        ends = [_most(fast, systems, ratios, at) for at in (low, high)]
    return list(dict.fromkeys([start, *ends]))


def farthest(
    candidates: Collection[str], known: Collection[str], systems: Mapping[str, System], count: int
) -> list[str]:
    """Up to `count` of the candidates, each the farthest from what is known and chosen before."""
    chosen: list[str] = []
    while len(chosen) < min(count, len(candidates)):
        left = [key for key in candidates if key not in chosen]
        chosen.append(max(left, key=lambda key: _nearest(key, [*known, *chosen], systems)))
    return chosen


def _nearest(key: str, others: Sequence[str], systems: Mapping[str, System]) -> float:
    own = _position(systems[key])
    return min((math.dist(own, _position(systems[other])) for other in others), default=math.inf)


def _position(system: System) -> tuple[float, float, float]:
    place = place_of(system)
    turn = float(system.disk.rotation_ns) * system.clock_mhz / 1e3
    return math.log(place.latency), math.log(place.transfer), math.log(turn)


def _ratio(system: System) -> float:
    place = place_of(system)
    return math.log(place.latency / place.transfer)


def _waits(system: System) -> float:
    return place_of(system).line


def _most(
    keys: Sequence[str], systems: Mapping[str, System], ratios: Mapping[str, float], at: float
) -> str:
    """Of those with the ratio `at`, the one that waits most."""
    own = [key for key in keys if math.isclose(ratios[key], at, abs_tol=1e-9)]
    return max(own, key=lambda key: _waits(systems[key]))


def _median(keys: Sequence[str], values: Mapping[str, tuple[float, float]]) -> str:
    """The key in the middle; of equal values the first."""
    rounded = {key: (round(values[key][0], 6), round(values[key][1], 6)) for key in keys}
    middle = sorted(rounded.values())[(len(keys) - 1) // 2]
    return next(key for key in keys if rounded[key] == middle)


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
