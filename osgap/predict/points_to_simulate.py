# SPDX-License-Identifier: BSD-3-Clause
"""Chooses the points to simulate, from which other machines are predicted.

Of a grid these are the few points that determine the others, and then the farthest from all
simulated ones. A machine's position is memory's latency, the transfer of a line, and a turn of the
disk, all in core cycles. Misses depend on the caches, which the formula does not have. So a set of
machines with the same caches, TLB and core needs two points: one where it waits least for memory,
and one where it waits most.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from osgap.analysis.columns import MACHINE, count, text
from osgap.analysis.table import Table
from osgap.machines.system import System
from osgap.predict import grid
from osgap.predict.observations import memory_position
from osgap.rundir.load import Run

_VARIES_APART = math.log(1.5)
"""The log ratio from which latencies and transfers of a grid count as varied apart."""
PLAN = Table(
    "plan",
    "of machines to predict: the points to simulate for each set with the same caches",
    (
        count("geometry", "number of the set with the same caches, TLB and core; 0 is the run's"),
        MACHINE,
        text("differs_in", "parts that differ from the run's"),
        count("points", "points to simulate, in the first row of a set"),
        text("from", "the machine to simulate"),
        text("clocks_mhz", "the clocks to simulate it at, MHz, in the first row of a set"),
    ),
)
_THE_RUN = "the run"


def first_keys(systems: Mapping[str, System]) -> list[str]:
    """Keys of the points that determine the others.

    One is in the middle of the slowest clock's points, which hardly wait; the other waits most for
    memory, or two for latency and bandwidth where they vary apart.
    """
    slowest_mhz = min(system.clock_mhz for system in systems.values())
    slow = [key for key, system in systems.items() if system.clock_mhz == slowest_mhz]
    start = _median(slow, {key: (_ratio(systems[key]), _waits(systems[key])) for key in slow})
    fast = [key for key in systems if systems[key].clock_mhz > slowest_mhz] or slow
    ratios = {key: _ratio(systems[key]) for key in fast}
    low, high = min(ratios.values()), max(ratios.values())
    if high - low < _VARIES_APART:
        ends = [max(fast, key=lambda key: _waits(systems[key]))]
    else:
        ends = [_most_waiting(fast, systems, ratios, ratio) for ratio in (low, high)]
    return list(dict.fromkeys([start, *ends]))


def farthest(
    candidates: Collection[str],
    simulated: Collection[str],
    systems: Mapping[str, System],
    count: int,
) -> list[str]:
    """Up to `count` candidates, each the farthest from the simulated and those chosen before."""
    chosen: list[str] = []
    while len(chosen) < min(count, len(candidates)):
        left = [key for key in candidates if key not in chosen]
        chosen.append(max(left, key=lambda key: _distance(key, [*simulated, *chosen], systems)))
    return chosen


def _distance(key: str, keys: Sequence[str], systems: Mapping[str, System]) -> float:
    """The distance from a point to the nearest of `keys`."""
    position = _position(systems[key])
    return min((math.dist(position, _position(systems[other])) for other in keys), default=math.inf)


def _position(system: System) -> tuple[float, float, float]:
    memory = memory_position(system)
    turn = float(system.disk.rotation_ns) * system.clock_mhz / 1e3
    return math.log(memory.latency), math.log(memory.transfer), math.log(turn)


def _ratio(system: System) -> float:
    memory = memory_position(system)
    return math.log(memory.latency / memory.transfer)


def _waits(system: System) -> float:
    return memory_position(system).line


def _most_waiting(
    keys: Sequence[str], systems: Mapping[str, System], ratios: Mapping[str, float], ratio: float
) -> str:
    """The key with this ratio of latency to transfer that waits most."""
    alike = [key for key in keys if math.isclose(ratios[key], ratio, abs_tol=1e-9)]
    return max(alike, key=lambda key: _waits(systems[key]))


def _median(keys: Sequence[str], values: Mapping[str, tuple[float, float]]) -> str:
    """The key in the middle; of equal values the first."""
    rounded = {key: (round(values[key][0], 6), round(values[key][1], 6)) for key in keys}
    middle = sorted(rounded.values())[(len(keys) - 1) // 2]
    return next(key for key in keys if rounded[key] == middle)


@dataclass(frozen=True)
class _PlannedMachine:
    """A machine to predict, and its parts that differ from the run's."""

    name: str
    system: System
    differs_in: str


def plan_table(run: Run, names: Sequence[str], folder: Path) -> pd.DataFrame:
    """The points to simulate before the machines `names`; a row (PLAN) each. Raises ConfigError."""
    by_geometry: dict[str, list[_PlannedMachine]] = {}
    for name in names:
        system, geometry, differing = grid.geometry(run, name, folder)
        machine = _PlannedMachine(name, system, ", ".join(differing))
        by_geometry.setdefault(geometry, []).append(machine)
    ordered = sorted(by_geometry.values(), key=lambda group: bool(group[0].differs_in))
    first = 0 if not ordered or not ordered[0][0].differs_in else 1
    return PLAN.frame(
        (number, machine.name, machine.differs_in, *_points(group, is_first=machine is group[0]))
        for number, group in enumerate(ordered, start=first)
        for machine in group
    )


def _points(group: Sequence[_PlannedMachine], *, is_first: bool) -> tuple[int, str, str]:
    """The cells `points`, `from` and `clocks_mhz` of a row in a set."""
    if not group[0].differs_in:
        return 0, _THE_RUN, ""
    most_waiting = max(group, key=lambda machine: memory_position(machine.system).line)
    slowest_mhz = min(machine.system.clock_mhz for machine in group)
    clocks = sorted({slowest_mhz, most_waiting.system.clock_mhz})
    if not is_first:
        return 0, most_waiting.name, ""
    return len(clocks), most_waiting.name, ",".join(f"{clock:g}" for clock in clocks)


def commands(plan: pd.DataFrame, run: Run) -> list[str]:
    """A command that sweeps each set's points, on the run's engine with its benchmarks."""
    record = next(iter(run.points.values())).record
    benchmarks = ",".join(record.orders.run)
    return [
        f"osgap sweep --engine {record.engine} --machine {row['from']} "
        f"--cpu-mhz {row['clocks_mhz']} --run {benchmarks}"
        for row in plan[plan["points"] > 0].to_dict("records")
    ]
