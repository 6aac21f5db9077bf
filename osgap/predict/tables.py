# SPDX-License-Identifier: BSD-3-Clause
"""Tables of predicted machines, as of simulated ones: points, times, R and its means."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.columns import names
from osgap.analysis.constants import BANDWIDTH, DHRYSTONE, EMPTY_LOOP, INTEGER_MIX, RATE, UNIT_NS
from osgap.analysis.relative import NAN
from osgap.analysis.speed import with_speeds
from osgap.analysis.suite import Suite, composites, subtracted
from osgap.analysis.times import POINTS, TIMES, VAX_DHRYSTONES
from osgap.predict.axes import FIGURE_COLUMNS, figures_of, network_columns
from osgap.predict.disk_wait import OperationTime
from osgap.predict.grid import GridMachine
from osgap.predict.model import Model, Times
from osgap.predict.observations import Benchmark, Kind


def tables(
    model: Model,
    machines: Sequence[GridMachine],
    suites: Sequence[Suite],
    engine: str,
    times: Mapping[str, Times] | None = None,
) -> Tables:
    """The tables "points", "times", "relative" and "geomean", from the predicted `times`."""
    times = times or model.machine_times(machines)
    points = [_point(machine, _ratings(model, times[machine.key]), engine) for machine in machines]
    rows = [
        row
        for machine in machines
        for row in time_rows(machine.key, times[machine.key], model, suites)
    ]
    figures = names(*FIGURE_COLUMNS, *network_columns(machine.system for machine in machines))
    return with_speeds(POINTS.frame(points, figures), TIMES.frame(rows), suites)


def wait_deviations(
    times: Mapping[str, Times], suites: Sequence[Suite]
) -> dict[tuple[str, str, str], float]:
    """Standard deviations of waits for the disk, relative to the operation's time.

    They are over 0, by key, benchmark and file system; a composite's parts are added.
    """
    deviations: dict[tuple[str, str, str], float] = {}
    for key, machine_times in times.items():
        benchmarks = dict(machine_times)
        for composite, parts in _with_parts(machine_times, suites):
            of_parts = [benchmarks[part] for part in parts]
            benchmarks[composite] = OperationTime(
                sum(time.ns for time in of_parts), sum(time.sd_ns for time in of_parts)
            )
        deviations.update(
            {(key, *name): time.sd_ns / time.ns for name, time in benchmarks.items() if time.sd_ns}
        )
    return deviations


def _ratings(model: Model, times: Times) -> dict[str, float]:
    """Rates a point as osgap.analysis.times does: instructions of the mix by its time."""
    mix, loop = _time_ns(times, INTEGER_MIX), _time_ns(times, DHRYSTONE)
    return {
        "mips": model.benchmarks[INTEGER_MIX, "none"].insts / mix * 1e3 if mix > 0 else NAN,
        "dhrystone_mips": 1e9 / loop / VAX_DHRYSTONES if loop > 0 else NAN,
    }


def _time_ns(times: Times, name: str) -> float:
    """The time of a benchmark without a file system; NaN for one that the run lacks."""
    time = times.get((name, "none"))
    return time.ns if time else NAN


def _point(machine: GridMachine, ratings: Mapping[str, float], engine: str) -> dict[str, object]:
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
    key: str, times: Times, model: Model, suites: Sequence[Suite]
) -> list[dict[str, object]]:
    """Rows of the table "times", less the loop around an operation, and with composites."""
    loops = subtracted(suites)
    empty_ns = _time_ns(times, EMPTY_LOOP)
    net_ns: dict[Benchmark, float] = {}
    for (name, fs), time in times.items():
        loop_ns = _time_ns(times, loops[name] or "") if name in loops else empty_ns
        net_ns[name, fs] = time.ns - (0.0 if pd.isna(loop_ns) else loop_ns)
    rows = [
        _time_row(key, name, ns, model.kinds[name], model.benchmarks[name].insts)
        for name, ns in net_ns.items()
    ]
    seconds = Kind("s", 0)
    rows += [
        _time_row(key, name, sum(net_ns[part] for part in parts), seconds)
        for name, parts in _with_parts(net_ns, suites)
    ]
    return rows


def _time_row(
    key: str, benchmark: Benchmark, time: float, kind: Kind, insts: float = NAN
) -> dict[str, object]:
    value = time / UNIT_NS.get(kind.metric, NAN)
    if kind.metric == BANDWIDTH:
        value = kind.bytes / time * 1e3 if time > 0 else NAN
    elif kind.metric == RATE:
        value = insts / time * 1e3
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


def _with_parts(
    names: Collection[Benchmark], suites: Sequence[Suite]
) -> Iterator[tuple[Benchmark, list[Benchmark]]]:
    """The composites of which `names` have all parts, and these, by file system."""
    for name, parts in composites(suites).items():
        for fs in dict.fromkeys(fs for part, fs in names if part in parts):
            of_fs = [(part, fs) for part in parts]
            if all(part in names for part in of_fs):
                yield (name, fs), of_fs


def simulated_keys(
    machines: Sequence[GridMachine], points: Sequence[GridMachine]
) -> dict[str, str]:
    """The key of the simulated point at a machine's position, for each machine that has one."""
    by_position = {(point.name, point.series, point.clock_mhz): point.key for point in points}
    keys = {m.key: by_position.get((m.name, m.series, m.clock_mhz)) for m in machines}
    return {key: simulated for key, simulated in keys.items() if simulated}


def with_simulated(
    predicted: Tables, simulated: Tables, keys: Mapping[str, str], suites: Sequence[Suite]
) -> Tables:
    """Replaces predicted rows by simulated ones at the points `keys` (predicted -> simulated)."""
    order = [str(key) for key in predicted["points"]["key"]]
    points, times = (
        pd.concat(
            [
                replaced(predicted[name], simulated[name], key, keys[key])
                if key in keys
                else predicted[name][predicted[name]["key"] == key]
                for key in order
            ],
            ignore_index=True,
        )
        for name, replaced in (("points", _simulated_point), ("times", _simulated_times))
    )
    return with_speeds(points, times, suites)


def _simulated_point(
    predicted: pd.DataFrame, simulated: pd.DataFrame, key: str, simulated_key: str
) -> pd.DataFrame:
    """The simulated row at the predicted row's position: a point may be in several series."""
    position = predicted[predicted["key"] == key]
    row = simulated[simulated["key"] == simulated_key].head(1)
    # A run that does not vary memory's latency and bandwidth apart lacks their columns.
    missing = set(predicted.columns) - set(row.columns)
    copied = {"series", "clock_mhz", "memory", "disk", *missing}
    values = {name: position[name].iloc[0] for name in copied}
    return row.assign(key=key, **values)[list(predicted.columns)]


def _simulated_times(
    predicted: pd.DataFrame, simulated: pd.DataFrame, key: str, simulated_key: str
) -> pd.DataFrame:
    rows = simulated[simulated["key"] == simulated_key]
    return rows.assign(key=key)[list(predicted.columns)]
