# SPDX-License-Identifier: BSD-3-Clause
"""The formula that predicts the time of a run's benchmarks, fitted to some of its points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from osgap.analysis.analysed import AnalysedRun
from osgap.machines.network import NetworkSystem
from osgap.machines.system import DiskSystem, System
from osgap.predict.busy_time import BusyTime, MemoryPosition, fit
from osgap.predict.disk_wait import DiskWait, OperationTime, disk_wait
from osgap.predict.grid import GridMachine, finished_keys
from osgap.predict.observations import (
    Benchmark,
    Kind,
    Observations,
    memory_position,
    observations,
)
from osgap.predict.wire_wait import WireWait, wire_wait

Times = Mapping[Benchmark, OperationTime]
"""The time of one operation of each benchmark, with the loop around it."""


@dataclass(frozen=True)
class Operands:
    """The formula's operands: the clock, memory in cycles, the disk, and the network if any."""

    clock_mhz: float
    position: MemoryPosition
    disk: DiskSystem
    network: NetworkSystem | None = None

    @classmethod
    def of(cls, system: System) -> Operands:
        """The operands of a simulated system."""
        return cls(system.clock_mhz, memory_position(system), system.disk, system.network)


@dataclass(frozen=True)
class BenchmarkModel:
    """A benchmark's formula: its busy time, waits for disk and wire, and fewest instructions."""

    busy_time: BusyTime
    disk_wait: DiskWait
    insts: float
    wire_wait: WireWait | None = None

    def time(self, operands: Operands) -> OperationTime:
        """The time of one operation, with the loop around it.

        The wait for the wire comes between the disk's requests, as the busy time does.
        """
        busy_ns = self.busy_time.cycles(operands.position) / operands.clock_mhz * 1e3
        return self.disk_wait.operation_time(
            busy_ns + self.wire_ns(busy_ns, operands.network), operands.disk
        )

    def wire_ns(self, busy_ns: float, network: NetworkSystem | None) -> float:
        """The wait for the wire of an operation that is busy for `busy_ns`."""
        return self.wire_wait.ns(busy_ns, network) if self.wire_wait and network else 0.0


@dataclass(frozen=True, eq=False)
class Model:
    """The formulas of a run's benchmarks; `kinds` has their metrics."""

    kinds: Mapping[Benchmark, Kind]
    benchmarks: Mapping[Benchmark, BenchmarkModel]

    def times(self, operands: Operands) -> dict[Benchmark, OperationTime]:
        """The time of one operation of each benchmark, with the loop around it."""
        return {name: benchmark.time(operands) for name, benchmark in self.benchmarks.items()}

    def machine_times(self, machines: Sequence[GridMachine]) -> dict[str, Times]:
        """The times of each machine, by its key."""
        return {machine.key: self.times(Operands.of(machine.system)) for machine in machines}


def model(observations: Observations, used: Sequence[str]) -> Model:
    """Fits the formulas to the points `used`, for every benchmark that one of them has."""
    measurements = {name: observations.measurements(name, used) for name in observations.kinds}
    models = {
        name: BenchmarkModel(
            fit([point.counts for point in points]),
            disk_wait(points),
            min(point.insts for point in points),
            wire_wait([point.wire for point in points if point.wire]),
        )
        for name, points in measurements.items()
        if points
    }
    return Model(observations.kinds, models)


@dataclass(frozen=True, eq=False)
class FittedRun:
    """A run, its measurements, and the model that is fitted to its points `used` (their keys)."""

    analysed: AnalysedRun
    observations: Observations
    used: tuple[str, ...]
    model: Model

    @property
    def used_systems(self) -> list[System]:
        """The systems of the points used."""
        return [self.observations.systems[key] for key in self.used]


def fitted_run(analysed: AnalysedRun, use: Sequence[str]) -> FittedRun:
    """Fits the model to the run's points that begin with one of `use`. Raises OsgapError."""
    run, tables = analysed.run, analysed.tables
    measurements = observations(run, tables["samples"], tables["disk"])
    used = tuple(finished_keys(run, use))
    return FittedRun(analysed, measurements, used, model(measurements, used))
