# SPDX-License-Identifier: BSD-3-Clause
"""How a machine's times follow its clock, memory and disk, each alone: elasticities."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from osgap.analysis.suite import Suite
from osgap.machines.system import DiskSystem
from osgap.predict.busy_time import Place
from osgap.predict.observations import Benchmark, place_of
from osgap.predict.tables import Machine, Model, time_rows, whole_times

ELASTICITY_COLUMNS = [
    "machine",
    "series",
    "clock_mhz",
    "latency_ns",
    "bandwidth_mb_s",
    "rotation_ns",
    "benchmark",
    "fs",
    "clock",
    "latency",
    "bandwidth",
    "disk",
]
_STEP = 1.05
"""Factor to either side. A disk's times are whole ns, of which a smaller step would lose some."""


@dataclass(frozen=True)
class _At:
    """A machine as the formula knows it."""

    clock_mhz: float
    place: Place
    disk: DiskSystem


def _clock(at: _At, by: float) -> _At:
    """Memory is the same in ns, so more cycles away."""
    return _At(at.clock_mhz * by, Place(at.place.latency * by, at.place.transfer * by), at.disk)


def _latency(at: _At, by: float) -> _At:
    return _At(at.clock_mhz, Place(at.place.latency * by, at.place.transfer), at.disk)


def _bandwidth(at: _At, by: float) -> _At:
    return _At(at.clock_mhz, Place(at.place.latency, at.place.transfer / by), at.disk)


def _disk(at: _At, by: float) -> _At:
    """All its times are divided: `by` is a speed, as a clock and a bandwidth are."""
    own = at.disk.model_dump()
    times = {name: round(value / by) for name, value in own.items() if name.endswith("_ns")}
    return _At(at.clock_mhz, at.place, at.disk.model_copy(update=times))


_AXES: Mapping[str, Callable[[_At, float], _At]] = {
    "clock": _clock,
    "latency": _latency,
    "bandwidth": _bandwidth,
    "disk": _disk,
}


def elasticities(made: Model, machines: Sequence[Machine], suites: Sequence[Suite]) -> pd.DataFrame:
    """d log(time) / d log(x) of each benchmark of each machine (columns ELASTICITY_COLUMNS).

    x is the clock, latency (ns), bandwidth or the disk's speed, the others as they are: -1 for a
    time that falls as x grows, 0 for one that does not follow it. Were all four speeds to grow by
    one factor, all times would fall by it: clock - latency + bandwidth + disk = -1.
    """
    rows: list[dict[str, object]] = []
    for machine in machines:
        at = _At(machine.clock_mhz, place_of(machine.system), machine.system.disk)
        own = {name: _slopes(made, at, move, suites) for name, move in _AXES.items()}
        memory = machine.system.memory
        rows += [
            {
                "machine": machine.name,
                "series": machine.series,
                "clock_mhz": machine.clock_mhz,
                "latency_ns": memory.latency_ns,
                "bandwidth_mb_s": memory.bandwidth_mb_s,
                "rotation_ns": machine.system.disk.rotation_ns,
                "benchmark": name,
                "fs": fs,
                **{axis: own[axis][name, fs] for axis in _AXES},
            }
            for name, fs in own["clock"]
        ]
    return pd.DataFrame(rows, columns=ELASTICITY_COLUMNS)


def _slopes(
    made: Model, at: _At, move: Callable[[_At, float], _At], suites: Sequence[Suite]
) -> dict[Benchmark, float]:
    more, less = (_times(made, move(at, by), suites) for by in (_STEP, 1 / _STEP))
    return {
        name: math.log(more[name] / less[name]) / math.log(_STEP**2)
        for name in more
        if more[name] > 0 and less[name] > 0
    }


def _times(made: Model, at: _At, suites: Sequence[Suite]) -> dict[Benchmark, float]:
    """ns of an operation, by benchmark; composites too."""
    whole = whole_times(made, at.clock_mhz, at.place, at.disk)
    return {
        (str(row["benchmark"]), str(row["fs"])): float(str(row["ns_per_op"]))
        for row in time_rows("", whole, made, suites)
    }
