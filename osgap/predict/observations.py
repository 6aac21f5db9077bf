# SPDX-License-Identifier: BSD-3-Clause
"""What simulated points say of a benchmark: busy cycles, lines moved, time waited for the disk."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from osgap.analysis.samples import timed
from osgap.base.quoting import quoted
from osgap.machines.system import System
from osgap.predict.busy_time import Place, Seen
from osgap.predict.disk_replay import Script, script
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.load import Run

Benchmark = tuple[str, str]
"""A benchmark and its file system."""
_ROW = ["key", "benchmark", "fs"]
_MEDIANS = ["total_ns", "idle_ns", "insts", "busy", "stall", "moved"]


@dataclass(frozen=True)
class Observed:
    """What one operation took at one point, ns; `seen` has its busy time in cycles.

    Of what it waits for the disk `least_share` is transfer and overhead, which nothing hides.
    `script` has the benchmark's requests, where the driver told them.
    """

    seen: Seen
    total_ns: float
    idle_ns: float
    insts: float
    rotation_ns: float
    least_share: float = 0.0
    script: Script | None = None


@dataclass(frozen=True)
class Kind:
    """What of a benchmark is the same at every point."""

    metric: str
    bytes: int


@dataclass(frozen=True, eq=False)
class Observations:
    """A run's points by key and benchmark; `kinds` in the order of the run."""

    at: dict[str, dict[Benchmark, Observed]]
    systems: dict[str, System]
    kinds: dict[Benchmark, Kind]

    def of(self, benchmark: Benchmark, keys: Sequence[str]) -> list[Observed]:
        """The benchmark at each of the points that have it."""
        return [self.at[key][benchmark] for key in keys if benchmark in self.at[key]]


def place_of(system: System) -> Place:
    """Memory's latency and transfer of a machine. Engines simulate whole cycles of latency."""
    place = exact_place(system)
    return Place(max(1.0, float(round(place.latency))), place.transfer)


def exact_place(system: System) -> Place:
    """The same with parts of cycles."""
    return Place(system.memory_cycles, system.line_cycles)


def observations(run: Run, samples: pd.DataFrame, disk: pd.DataFrame | None = None) -> Observations:
    """Medians over the timed batches of each benchmark, of every finished point of `run`.

    `samples` and `disk` are the run's tables of that name. Raises ResultsError where cycles or
    memory's traffic are not known, and for what the formula does not describe: several harts, a
    DRAM model.
    """
    systems = {key: point.record.system for key, point in run.points.items()}
    for key, system in systems.items():
        _check(system, key)
    rows = _per_operation(timed(samples, run), systems)
    known = rows[rows[["busy", "idle_ns", "stall", "moved"]].notna().all(axis=1)]
    if known.empty:
        raise ResultsError(
            f"{run.path}: its engine tells no cycles that idle or wait, or no bytes that memory "
            "moved; allowed:"
            " a run on rvsim, or on gem5 with its timing core"
        )
    at: dict[str, dict[Benchmark, Observed]] = {key: {} for key in systems}
    medians = known.groupby(_ROW, sort=False)[_MEDIANS].median().reset_index()
    least = {} if disk is None else _least_shares(disk)
    scripts = _scripts(run, disk)
    for row in medians.to_dict("records"):
        key, name, fs = str(row["key"]), str(row["benchmark"]), str(row["fs"])
        own = _observed(row, systems[key], least.get((key, name, fs), 0.0))
        at[key][name, fs] = replace(own, script=scripts.get((key, name, fs)))
    first = known.drop_duplicates(_ROW[1:])[[*_ROW[1:], "metric", "bytes"]]
    kinds = {
        (str(name), str(fs)): Kind(str(metric), int(size))
        for name, fs, metric, size in first.itertuples(index=False, name=None)
    }
    return Observations(at, systems, kinds)


def _scripts(run: Run, disk: pd.DataFrame | None) -> dict[tuple[str, str, str], Script]:
    """The requests of each benchmark at each point, where there are any."""
    timed_ns = {} if disk is None else disk.set_index(_ROW)["timed_ms"].mul(1e6).to_dict()
    found = {
        place: script(rows, timed_ns.get(place, 0.0))
        for key, point in run.points.items()
        for (name, fs), rows in point.requests.groupby(["benchmark", "fs"], sort=False)
        if (place := (key, str(name), str(fs)))
    }
    return {place: own for place, own in found.items() if own}


def _least_shares(disk: pd.DataFrame) -> dict[tuple[str, str, str], float]:
    """Transfer and overhead as a part of all that requests took, where there were any."""
    own = disk[disk["wait_ms"] > 0]
    shares = (own["transfer_ms"] + own["overhead_ms"]) / own["wait_ms"]
    names = zip(own["key"], own["benchmark"], own["fs"], strict=True)
    pairs = zip(names, shares, strict=True)
    return {(str(key), str(name), str(fs)): float(share) for (key, name, fs), share in pairs}


def _observed(row: Mapping[Hashable, Any], system: System, least_share: float) -> Observed:
    lines = float(row["moved"]) / system.l1d.line_bytes
    return Observed(
        Seen(place_of(system), float(row["busy"]), float(row["stall"]), lines),
        total_ns=float(row["total_ns"]),
        idle_ns=float(row["idle_ns"]),
        insts=float(row["insts"]),
        rotation_ns=float(system.disk.rotation_ns),
        least_share=least_share,
    )


def _check(system: System, key: str) -> None:
    if system.harts > 1:
        raise ResultsError(f"point {key}: cpu.harts: found {system.harts}; allowed: 1")
    if system.memory.model is not None:
        raise ResultsError(
            f"point {key}: memory.model: found {quoted(system.memory.model)}; allowed: memory of a "
            "latency and a bandwidth"
        )


def _per_operation(samples: pd.DataFrame, systems: dict[str, System]) -> pd.DataFrame:
    """Of each batch. The guest's time, less what the engine counted as idle, is its busy time."""
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
