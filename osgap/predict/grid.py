# SPDX-License-Identifier: BSD-3-Clause
"""Machines to predict: a run's machine over the axes of a sweep, or other machine files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from osgap.base.config import ConfigError, validate
from osgap.base.digest import record_digest
from osgap.base.quoting import quoted
from osgap.guest.protocol import REMOTE
from osgap.machines.axes import CLOCK
from osgap.machines.machine import Machine, load_fitted
from osgap.machines.system import System
from osgap.predict.axes import AXES, NETWORK_AXES, fixed_parts
from osgap.predict.observations import exact_memory_position, memory_position
from osgap.rundir import manifest
from osgap.rundir.load import Run
from osgap.rundir.point import Axes, Spec
from osgap.sweep.plan import systems
from osgap.sweep.spec import RunSpec

_ONE_MACHINE = {"description": "a grid", "machine": "base"}
_SAME_RATIO = 1.05
"""Memories vary apart if their ratios of latency to transfer differ by more than this factor."""
_FARTHER = 1.1
"""Systems up to 10 % beyond the simulated range count as within it."""


@dataclass(frozen=True)
class GridMachine:
    """A machine of a grid: its key, its file's name, its position in a series, and its system."""

    key: str
    name: str
    series: str
    clock_mhz: float
    memory: str
    disk: str
    system: System


@dataclass(frozen=True)
class Extrapolation:
    """Differences between the memories of a grid and those of the points that it follows from: its
    latency and bandwidth vary apart, or a machine of it waits more or fewer cycles than all points.
    """

    varies_apart: bool
    is_beyond: bool


def extrapolation(systems: Sequence[System], used: Sequence[System]) -> Extrapolation:
    """Compares the systems of a grid with those of the points used."""
    varies_apart = _ratio_spread([*systems, *used]) > _SAME_RATIO > _ratio_spread(used)
    positions = [memory_position(system) for system in systems]
    used_positions = [memory_position(system) for system in used]
    is_beyond = any(
        max(cycles) > _FARTHER * max(used_cycles) or min(cycles) < min(used_cycles) / _FARTHER
        for cycles, used_cycles in (
            ([p.latency for p in positions], [p.latency for p in used_positions]),
            ([p.transfer for p in positions], [p.transfer for p in used_positions]),
        )
    )
    return Extrapolation(varies_apart, is_beyond)


def _ratio_spread(systems: Sequence[System]) -> float:
    """The largest ratio of latency to transfer, divided by the least."""
    positions = [exact_memory_position(system) for system in systems]
    ratios = [position.latency / position.transfer for position in positions]
    return max(ratios) / min(ratios)


def simulated(run: Run) -> list[GridMachine]:
    """The run's finished points of the first start, at each of their positions in its series."""
    points = []
    for series, keys in run.series.items():
        for clock, key in keys.items():
            if key in run.points:
                record = run.points[key].record
                policies = record.axes.memory, record.axes.disk
                points.append(
                    GridMachine(key, record.machine, series, clock, *policies, record.system)
                )
    return points


def grid_machines(
    run: Run, axes: Mapping[str, Any], names: Sequence[str], folder: Path
) -> list[GridMachine]:
    """The machines `names`, or the run's over `axes` or its own sweep's. Raises ConfigError."""
    if names:
        return _named_machines(run, names, folder)
    return _over_axes(run, axes or axes_of(manifest.read(run.path).sweep), folder)


def _over_axes(run: Run, axes: Mapping[str, Any], folder: Path) -> list[GridMachine]:
    """The run's machine over `axes` (of AXES), at the slowest clock of the run too.

    Raises ConfigError for a file that no longer describes the simulated machine.
    """
    record = next(iter(run.points.values())).record
    names = {"machine": record.machine, "engine": record.engine}
    varied = {key: values for key, values in axes.items() if key in _axes_of_run(run)}
    run_spec = validate({**_one_machine(record), **names, **varied}, RunSpec, "command line")
    file = _File.read(record.machine, record, folder)
    file.check(run)
    clock_mhz = run_spec.values(CLOCK) or [file.machine.cpu.clock_mhz.value]
    clocks = tuple(sorted({_slowest(run), *clock_mhz}))
    return [
        GridMachine(
            f"predicted-{number}",
            record.machine,
            point.series,
            point.clock_mhz,
            point.memory,
            point.disk,
            system,
        )
        for number, (point, system) in enumerate(
            file.systems(run_spec.model_copy(update={"clock_mhz": clocks}))
        )
    ]


def _named_machines(run: Run, names: Sequence[str], folder: Path) -> list[GridMachine]:
    """Machines of `folder`, each a series, after the run's machine at its slowest clock.

    Raises ConfigError for one with other caches or another core, or with a slower clock.
    """
    record = next(iter(run.points.values())).record
    slowest = _slowest(run)
    reference = _over_axes(run, {}, folder)
    machines = [machine for machine in reference if machine.clock_mhz == slowest]
    for name in names:
        file = _File.read(name, record, folder)
        file.check(run)
        point, system = file.first()
        if not point.clock_mhz > slowest:
            raise ConfigError(
                f"{file.path}: cpu.clock_mhz: found {point.clock_mhz:g}; allowed: over "
                f"{slowest:g}, the slowest of the run"
            )
        series, policies = name.rpartition("/")[2], (point.memory, point.disk)
        machines.append(
            GridMachine(f"machine-{name}", name, series, point.clock_mhz, *policies, system)
        )
    return machines


def geometry(run: Run, name: str, folder: Path) -> tuple[System, str, list[str]]:
    """A machine's system, a digest of its caches, TLB and core, and those that the run lacks."""
    record = next(iter(run.points.values())).record
    _, system = _File.read(name, record, folder).first()
    parts, simulated_parts = fixed_parts(system), fixed_parts(record.system)
    differing = [part for part, value in parts.items() if value != simulated_parts.get(part)]
    return system, _digest(system), differing


@dataclass(frozen=True)
class _File:
    """A machine file and the one that it is scaled by, as fitted for an engine.

    `spec` has the keys of a sweep of one machine, with the file systems of the run.
    """

    path: Path
    machine: Machine
    reference: Machine | None
    spec: Mapping[str, Any]

    @classmethod
    def read(cls, name: str, record: Spec, folder: Path) -> _File:
        path = folder / f"{name}.toml"
        machine, reference = load_fitted(path, record.engine, folder)
        return cls(path, machine, reference, _one_machine(record))

    def systems(self, run_spec: RunSpec) -> list[tuple[Axes, System]]:
        """The points of the spec on this machine, as axes and system."""
        return list(systems(run_spec, self.machine, self.reference))

    def first(self) -> tuple[Axes, System]:
        """The machine at the clock of its file."""
        return self.systems(RunSpec.model_validate(self.spec))[0]

    def check(self, run: Run) -> None:
        """Raises ConfigError unless the file has the caches and the core of the run's points."""
        _, system = self.first()
        simulated_parts = fixed_parts(next(iter(run.points.values())).record.system)
        for name, value in fixed_parts(system).items():
            simulated_value = simulated_parts.get(name)
            if value != simulated_value:
                raise ConfigError(
                    f"{self.path}: {name}: found {quoted(value)}; allowed: "
                    f"{quoted(simulated_value)}, as in the run; simulate one point of this machine"
                )


def _digest(system: System) -> str:
    return record_digest(fixed_parts(system, "json"))


def _one_machine(record: Spec) -> dict[str, Any]:
    """The keys of a sweep of one machine, with the run's file systems if a server has any."""
    served = {"fs": list(record.orders.fs)} if record.system.network else {}
    return {**_ONE_MACHINE, **served}


def _axes_of_run(run: Run) -> tuple[str, ...]:
    """The axes of the run's formula, by their keys in a sweep file."""
    return (*AXES, *(NETWORK_AXES if has_network(run) else ()))


def has_network(run: Run) -> bool:
    """Returns whether files of the run's points are on a server."""
    return any(point.record.system.network for point in run.points.values())


def check_network(axes: Mapping[str, Any], run: Run) -> None:
    """Raises ConfigError for axes of the network, and a run without files on a server."""
    if not has_network(run) and (idle := [key for key in axes if key in NETWORK_AXES]):
        raise ConfigError(
            f"command line: {idle[0]}: found with {run.path}, whose files no network moves; "
            f"allowed: for runs with fs {', '.join(REMOTE)}"
        )


def _slowest(run: Run) -> float:
    return min(point.record.axes.clock_mhz for point in run.points.values())


def check(axes: Mapping[str, Any]) -> None:
    """Raises ConfigError for axes that no sweep could have, and for those not in the formula."""
    validate({**_ONE_MACHINE, **axes}, RunSpec, "command line")
    allowed = (*AXES, *NETWORK_AXES)
    if unknown := [key for key in axes if key not in allowed]:
        raise ConfigError(f"{unknown[0]}: found in a grid; allowed: {', '.join(allowed)}")


def axes_of(sweep: Mapping[str, Any]) -> dict[str, Any]:
    """The axes of a grid in a sweep, which is given by the keys of its file."""
    allowed = (*AXES, *NETWORK_AXES)
    return {axis: sweep[axis] for axis in allowed if sweep.get(axis) is not None}


def finished_keys(run: Run, prefixes: Sequence[str]) -> list[str]:
    """Keys of the first start's finished points with one of `prefixes`. Raises ConfigError."""
    keys = list(dict.fromkeys(machine.key for machine in simulated(run)))
    if not prefixes:
        return keys
    chosen = {prefix: [key for key in keys if key.startswith(prefix)] for prefix in prefixes}
    for prefix, matches in chosen.items():
        if not matches:
            raise ConfigError(
                f"{run.path}: has no finished point that begins with {quoted(prefix)}; finished: "
                f"{', '.join(keys) or 'none'}"
            )
    return list(dict.fromkeys(key for matches in chosen.values() for key in matches))
