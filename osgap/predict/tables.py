# SPDX-License-Identifier: BSD-3-Clause
"""Predicted machines in the tables of simulated ones: points, times, R and its means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.columns import names
from osgap.analysis.constants import BANDWIDTH, DHRYSTONE, EMPTY_LOOP, INTEGER_MIX, RATE, UNIT_NS
from osgap.analysis.relative import NAN
from osgap.analysis.speed import geomean_table, relative_table
from osgap.analysis.suite import Suite, composites, subtracted
from osgap.analysis.times import POINTS, TIMES, VAX_DHRYSTONES
from osgap.machines.system import DiskSystem, System
from osgap.predict.axes import FIGURE_COLUMNS, figures_of
from osgap.predict.busy_time import Place, Surface, fit
from osgap.predict.disk_wait import Waiting, waiting
from osgap.predict.observations import Benchmark, Kind, Observations, Observed, place_of


@dataclass(frozen=True)
class Machine:
    """A machine of the grid: a key and its file's name, its place in a series, and what it is."""

    key: str
    name: str
    series: str
    clock_mhz: float
    memory: str
    disk: str
    system: System


@dataclass(frozen=True)
class Known:
    """What is known of a benchmark: its busy cycles, what it waits for, its fewest instructions."""

    surface: Surface
    waiting: Waiting
    insts: float


@dataclass(frozen=True, eq=False)
class Model:
    """What is known of a run's benchmarks; `kinds` is what is the same at every point."""

    kinds: Mapping[Benchmark, Kind]
    known: Mapping[Benchmark, Known]


def model(seen: Observations, used: Sequence[str]) -> Model:
    """The model through the points `used`, of every benchmark that one of them has."""
    present = {name: own for name in seen.kinds if (own := seen.of(name, used))}
    return Model(seen.kinds, {name: _known(own) for name, own in present.items()})


def _known(seen: Sequence[Observed]) -> Known:
    surface = fit([one.seen for one in seen])
    return Known(surface, waiting(seen), min(one.insts for one in seen))


def tables(
    made: Model, machines: Sequence[Machine], suites: Sequence[Suite], engine: str
) -> Tables:
    """The tables "points", "times", "relative" and "geomean" of `machines`, as of simulated points.

    `engine` is the run's. Columns that a formula does not tell are empty.
    """
    whole = {
        machine.key: whole_times(
            made, machine.system.clock_mhz, place_of(machine.system), machine.system.disk
        )
        for machine in machines
    }
    ratings = {key: _ratings(made, times) for key, times in whole.items()}
    rated = [_point(machine, ratings[machine.key], engine) for machine in machines]
    points = POINTS.frame(rated, names(*FIGURE_COLUMNS))
    rows = [
        row
        for machine in machines
        for row in time_rows(machine.key, whole[machine.key], made, suites)
    ]
    return with_speeds(points, TIMES.frame(rows), suites)


def with_speeds(points: pd.DataFrame, times: pd.DataFrame, suites: Sequence[Suite]) -> Tables:
    """Both tables, and R and its means as they follow."""
    relatives = relative_table(points, times)
    return {
        "points": points,
        "times": times,
        "relative": relatives,
        "geomean": geomean_table(relatives, suites),
    }


def whole_times(
    made: Model, clock_mhz: float, place: Place, disk: DiskSystem
) -> dict[Benchmark, float]:
    """Of each benchmark the time of one operation, ns, with the loop around it."""
    return {
        name: one.waiting.total_ns(_busy_ns(one, clock_mhz, place), disk)
        for name, one in made.known.items()
    }


def unsettled(
    made: Model, machines: Sequence[Machine], suites: Sequence[Suite]
) -> dict[tuple[str, str, str], float]:
    """By key, benchmark and file system: how far a time may be off for what it waits, of the time.

    A standard deviation; only of those that wait for a disk for which the processor is busier than
    in what was simulated. A composite's parts are added.
    """
    off: dict[tuple[str, str, str], float] = {}
    for machine in machines:
        own: dict[Benchmark, tuple[float, float]] = {}
        system, place = machine.system, place_of(machine.system)
        for name, one in made.known.items():
            busy_ns, disk = _busy_ns(one, system.clock_mhz, place), system.disk
            total = one.waiting.total_ns(busy_ns, disk)
            own[name] = one.waiting.unsettled_ns(busy_ns, disk), total
        for whole, parts in composites(suites).items():
            for fs in dict.fromkeys(fs for part, fs in made.known if part in parts):
                pairs = [own[part, fs] for part in parts if (part, fs) in own]
                own[whole, fs] = sum(sd for sd, _ in pairs), sum(total for _, total in pairs)
        off.update({(machine.key, *name): sd / total for name, (sd, total) in own.items() if sd})
    return off


def _busy_ns(one: Known, clock_mhz: float, place: Place) -> float:
    return one.surface.busy(place) / clock_mhz * 1e3


def _ratings(made: Model, times: Mapping[Benchmark, float]) -> dict[str, float]:
    """As osgap.analysis.times rates a point: the mix's own instructions by its time."""
    mix, loop = _only(times, INTEGER_MIX), _only(times, DHRYSTONE)
    return {
        "mips": made.known[INTEGER_MIX, "none"].insts / mix * 1e3 if mix > 0 else NAN,
        "dhrystone_mips": 1e9 / loop / VAX_DHRYSTONES if loop > 0 else NAN,
    }


def _only(times: Mapping[Benchmark, float], name: str) -> float:
    return times.get((name, "none"), NAN)


def _point(machine: Machine, ratings: Mapping[str, float], engine: str) -> dict[str, object]:
    return {
        "series": machine.series,
        "clock_mhz": machine.clock_mhz,
        "key": machine.key,
        "finished": "yes",
        "machine": machine.name,
        "engine": engine,
        "memory": machine.memory,
        "disk": machine.disk,
        "seed": 0,
        "mips_user": NAN,
        **ratings,
        **figures_of(machine.system),
    }


def time_rows(
    key: str, whole: Mapping[Benchmark, float], made: Model, suites: Sequence[Suite]
) -> list[dict[str, object]]:
    """Rows of the table "times" of a machine, from the `whole` time of each benchmark (ns).

    The loop around an operation is taken off, and composites are added.
    """
    taken = subtracted(suites)
    empty = _only(whole, EMPTY_LOOP)
    own: dict[Benchmark, float] = {}
    for (name, fs), time in whole.items():
        overhead = _only(whole, taken[name] or "") if name in taken else empty
        own[name, fs] = time - (0.0 if pd.isna(overhead) else overhead)
    rows = [_row(key, name, time, made.kinds[name]) for name, time in own.items()]
    rated = [_rated(row, made) if row["metric"] == RATE else row for row in rows]
    return [*rated, *_sums(key, own, suites)]


def _row(key: str, benchmark: Benchmark, time: float, kind: Kind) -> dict[str, object]:
    value = NAN
    if kind.metric == BANDWIDTH:
        value = kind.bytes / time * 1e3 if time > 0 else NAN
    elif kind.metric in UNIT_NS:
        value = time / UNIT_NS[kind.metric]
    return {
        "key": key,
        "benchmark": benchmark[0],
        "fs": benchmark[1],
        "metric": kind.metric,
        "bytes": kind.bytes,
        "batches": 0,
        "cold": NAN,
        "best": value,
        "median": value,
        "steady": "",
        "timer_irqs": 0,
        "ns_per_op": time,
    }


def _rated(row: dict[str, object], made: Model) -> dict[str, object]:
    """MIPS of a benchmark that is rated by its instructions."""
    name = str(row["benchmark"]), str(row["fs"])
    value = made.known[name].insts / float(str(row["ns_per_op"])) * 1e3
    return {**row, "best": value, "median": value}


def _sums(
    key: str, own: Mapping[Benchmark, float], suites: Sequence[Suite]
) -> list[dict[str, object]]:
    """Each composite of which every part is there."""
    rows = []
    for name, parts in composites(suites).items():
        for fs in dict.fromkeys(fs for part, fs in own if part in parts):
            if all((part, fs) in own for part in parts):
                time = sum(own[part, fs] for part in parts)
                rows.append(_row(key, (name, fs), time, Kind("s", 0)))
    return rows


_PLACE = ("series", "clock_mhz", "memory", "disk")


def simulated_keys(asked: Sequence[Machine], points: Sequence[Machine]) -> dict[str, str]:
    """The key of the point that was simulated, for each machine of a grid that was."""
    known = {(one.name, one.series, one.clock_mhz): one.key for one in points}
    places = {one.key: (one.name, one.series, one.clock_mhz) for one in asked}
    return {key: known[place] for key, place in places.items() if place in known}


def settled(
    made: Tables, simulated: Tables, keys: Mapping[str, str], suites: Sequence[Suite]
) -> Tables:
    """The tables `made`, in which the points `keys` (predicted -> simulated) are as simulated.

    R and its means follow anew, so that all are relative to what was simulated.
    """
    points = pd.concat(
        [
            _point_row(made["points"], simulated["points"], key, keys.get(key))
            for key in _keys(made)
        ],
        ignore_index=True,
    )
    times = pd.concat(
        [_time_rows(made["times"], simulated["times"], key, keys.get(key)) for key in _keys(made)],
        ignore_index=True,
    )
    return with_speeds(points, times, suites)


def _keys(made: Tables) -> list[str]:
    return [str(key) for key in made["points"]["key"]]


def _point_row(
    made: pd.DataFrame, simulated: pd.DataFrame, key: str, own: str | None
) -> pd.DataFrame:
    """A point, where it stands in the grid: one point may stand in several series."""
    place = made[made["key"] == key]
    if own is None:
        return place
    row = simulated[simulated["key"] == own].head(1)
    # A run that does not vary memory's latency and bandwidth apart has no columns of them.
    own_columns = {*_PLACE, *(set(made.columns) - set(row.columns))}
    where = {name: place[name].iloc[0] for name in own_columns}
    return row.assign(key=key, **where)[list(made.columns)]


def _time_rows(
    made: pd.DataFrame, simulated: pd.DataFrame, key: str, own: str | None
) -> pd.DataFrame:
    if own is None:
        return made[made["key"] == key]
    return simulated[simulated["key"] == own].assign(key=key)[list(made.columns)]
