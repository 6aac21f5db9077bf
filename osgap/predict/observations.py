# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of benchmarks at simulated points: busy cycles, lines moved, waits for the disk."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import pandas as pd

from osgap.analysis.samples import timed
from osgap.base.quoting import quoted
from osgap.machines.system import System
from osgap.predict.axes import PARTS, fixed_parts
from osgap.predict.busy_time import CycleCounts, MemoryPosition
from osgap.predict.disk_replay import Script, script
from osgap.predict.wire_wait import RemoteUse, WireMeasurement, remote_uses
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.load import Run

Benchmark = tuple[str, str]
"""A benchmark and its file system."""
_ROW = ["key", "benchmark", "fs"]
_MEDIANS = ["total_ns", "idle_ns", "insts", "busy", "stall", "moved"]


@dataclass(frozen=True)
class Measurement:
    """Times of one operation at one point in ns; `counts` has its busy time in cycles.

    `idle_ns` is the wait for the disk; its part `least_share` is transfer and overhead, which no
    work can hide. `script` has the benchmark's requests, where the driver logged them, `wire` its
    wait for the wire, where its files are on a server.
    """

    counts: CycleCounts
    total_ns: float
    idle_ns: float
    insts: float
    rotation_ns: float
    least_share: float = 0.0
    script: Script | None = None
    wire: WireMeasurement | None = None


@dataclass(frozen=True)
class Kind:
    """A benchmark's metric and bytes per operation, the same at all points."""

    metric: str
    bytes: int


@dataclass(frozen=True, eq=False)
class Observations:
    """Measurements and systems by point's key, and the benchmarks in the run's order."""

    points: dict[str, dict[Benchmark, Measurement]]
    systems: dict[str, System]
    kinds: dict[Benchmark, Kind]

    def measurements(self, benchmark: Benchmark, keys: Sequence[str]) -> list[Measurement]:
        """Returns the benchmark's measurements at those of the points `keys` that have it."""
        return [self.points[key][benchmark] for key in keys if benchmark in self.points[key]]


def memory_position(system: System) -> MemoryPosition:
    """Memory's latency, in whole cycles as engines simulate it, and the transfer of a line."""
    position = exact_memory_position(system)
    return MemoryPosition(max(1.0, float(round(position.latency))), position.transfer)


def exact_memory_position(system: System) -> MemoryPosition:
    """Memory's latency and the transfer of a line, with fractions of cycles."""
    return MemoryPosition(system.memory_cycles, system.line_cycles)


def observations(run: Run, samples: pd.DataFrame, disk: pd.DataFrame | None = None) -> Observations:
    """Medians over the timed batches of each benchmark at every finished point of `run`.

    Raises ResultsError for a run whose points the formula does not describe.
    """
    systems = {key: point.record.system for key, point in run.points.items()}
    for key, system in systems.items():
        _check(system, key)
    _check_alike(systems)
    rows = _per_operation(timed(samples, run), systems)
    counted = rows[rows[["busy", "idle_ns", "stall", "moved"]].notna().all(axis=1)]
    if counted.empty:
        raise ResultsError(
            f"{run.path}: its engine tells no cycles that idle or wait, or no bytes that memory "
            "moved; allowed: a run on rvsim, or on gem5 with its timing core"
        )
    points: dict[str, dict[Benchmark, Measurement]] = {key: {} for key in systems}
    medians = counted.groupby(_ROW, sort=False)[_MEDIANS].median().reset_index()
    least = {} if disk is None else _least_shares(disk)
    scripts, uses = _scripts(run, disk), remote_uses(run, samples, disk)
    for row in medians.to_dict("records"):
        key, name, fs = str(row["key"]), str(row["benchmark"]), str(row["fs"])
        measurement = _measurement(row, systems[key], least.get((key, name, fs), 0.0))
        measurement = _with_wire(measurement, uses.get((key, name, fs)))
        points[key][name, fs] = replace(measurement, script=scripts.get((key, name, fs)))
    first = counted.drop_duplicates(_ROW[1:])[[*_ROW[1:], "metric", "bytes"]]
    kinds = {
        (str(name), str(fs)): Kind(str(metric), int(size))
        for name, fs, metric, size in first.itertuples(index=False, name=None)
    }
    return Observations(points, systems, kinds)


def _scripts(run: Run, disk: pd.DataFrame | None) -> dict[tuple[str, str, str], Script]:
    """The scripts of logged requests, by key, benchmark and file system."""
    timed_ns = {} if disk is None else disk.set_index(_ROW)["timed_ms"].mul(1e6).to_dict()
    scripts: dict[tuple[str, str, str], Script] = {}
    for key, point in run.points.items():
        for (name, fs), rows in point.requests.groupby(["benchmark", "fs"], sort=False):
            row_key = (key, str(name), str(fs))
            if benchmark_script := script(rows, timed_ns.get(row_key, 0.0)):
                scripts[row_key] = benchmark_script
    return scripts


def _least_shares(disk: pd.DataFrame) -> dict[tuple[str, str, str], float]:
    """The part of transfer and overhead in the requests' time; none for rows without waits."""
    waiting = disk[disk["wait_ms"] > 0].set_index(_ROW)
    shares = (waiting["transfer_ms"] + waiting["overhead_ms"]) / waiting["wait_ms"]
    return cast(dict[tuple[str, str, str], float], shares.to_dict())


def _measurement(row: Mapping[Hashable, Any], system: System, least_share: float) -> Measurement:
    lines = float(row["moved"]) / system.l1d.line_bytes
    position = memory_position(system)
    return Measurement(
        CycleCounts(position, float(row["busy"]), float(row["stall"]), lines),
        total_ns=float(row["total_ns"]),
        idle_ns=float(row["idle_ns"]),
        insts=float(row["insts"]),
        rotation_ns=float(system.disk.rotation_ns),
        least_share=least_share,
    )


def _with_wire(measurement: Measurement, use: RemoteUse | None) -> Measurement:
    """The measurement with its idle time split between the wire and the disk."""
    if use is None:
        return measurement
    idle_ns = measurement.idle_ns
    wait_ns = use.wait_ns(idle_ns)
    wire = WireMeasurement(use, measurement.total_ns - idle_ns, wait_ns)
    return replace(measurement, idle_ns=idle_ns - wait_ns, wire=wire)


def _check(system: System, key: str) -> None:
    if system.harts > 1:
        raise ResultsError(f"point {key}: cpu.harts: found {system.harts}; allowed: 1")
    if system.network is not None and (lost := system.network.lost_per_million):
        raise ResultsError(
            f"point {key}: network.lost_per_million: found {lost}; allowed: 0, since no formula "
            "has the calls that are sent again"
        )
    if system.memory.model is not None:
        raise ResultsError(
            f"point {key}: memory.model: found {quoted(system.memory.model)}; allowed: memory with "
            "a latency and a bandwidth"
        )
    if system.memory.rows is not None:
        raise ResultsError(
            f"point {key}: memory.rows: found open rows; allowed: none, since no formula has them"
        )


def _check_alike(systems: Mapping[str, System]) -> None:
    """Raises ResultsError for points that differ in a part outside the formula, as a cache."""
    first_key, *keys = systems or [""]
    for key in keys:
        parts = fixed_parts(systems[first_key]).items()
        other_parts = fixed_parts(systems[key])
        if differing := [name for name, value in parts if other_parts[name] != value]:
            raise ResultsError(
                f"point {key}: {differing[0]}: found {quoted(other_parts[differing[0]])}; allowed: "
                f"that of point {first_key}, since a prediction varies {', '.join(sorted(PARTS))}"
            )


def _per_operation(samples: pd.DataFrame, systems: dict[str, System]) -> pd.DataFrame:
    """Counts per operation of each batch; busy time is the guest's time less the idle cycles."""
    clock_mhz = samples["key"].map({key: system.clock_mhz for key, system in systems.items()})
    count = samples["count"]
    total_ns = samples["guest_ns"] / count
    idle_ns = samples["idle_cycles"] / clock_mhz * 1e3 / count
    return samples[[*_ROW, "metric", "bytes"]].assign(
        total_ns=total_ns,
        idle_ns=idle_ns,
        insts=samples["insts"] / count,
        busy=(total_ns - idle_ns).clip(lower=0) * clock_mhz / 1e3,
        stall=samples["stall_cycles"] / count,
        moved=(samples["bytes_read"] + samples["bytes_written"]) / count,
    )
