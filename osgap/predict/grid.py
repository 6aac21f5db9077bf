# SPDX-License-Identifier: BSD-3-Clause
"""The machines that are asked for: a run's own machine over any axes of a sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from osgap.base.config import ConfigError, validate
from osgap.base.digest import record_digest
from osgap.base.quoting import quoted
from osgap.machines.axes import CLOCK
from osgap.machines.machine import Machine as MachineFile
from osgap.machines.machine import load_fitted
from osgap.machines.system import System
from osgap.predict.axes import AXES, PARTS
from osgap.predict.tables import Machine
from osgap.rundir import manifest
from osgap.rundir.load import Run
from osgap.rundir.point import Axes
from osgap.sweep.plan import systems
from osgap.sweep.spec import RunSpec

_ALONE = {"description": "a grid", "machine": "base"}


def simulated(run: Run) -> list[Machine]:
    """The run's own finished points of the first seed, where they stand in its series."""
    placed = []
    for series, keys in run.series.items():
        for clock, key in keys.items():
            if key in run.points:
                record = run.points[key].record
                policies = record.axes.memory, record.axes.disk
                placed.append(Machine(key, record.machine, series, clock, *policies, record.system))
    return placed


def machines(run: Run, axes: Mapping[str, Any], folder: Path) -> list[Machine]:
    """`axes` (of AXES, as a sweep file has them) of the run's machine, a file of `folder`.

    The slowest clock that the run simulated is among them: R is relative to it. Raises ConfigError
    for axes that are none, and where the file no longer describes what was simulated.
    """
    record = next(iter(run.points.values())).record
    spec = {**_ALONE, "machine": record.machine, "engine": record.engine, **axes}
    asked = validate(spec, RunSpec, "command line")
    file = _File.read(record.machine, record.engine, folder)
    file.check(run)
    clocks = sorted({_slowest(run), *(asked.values(CLOCK) or [file.machine.cpu.clock_mhz.value])})
    whole = asked.model_copy(update={"clock_mhz": tuple(clocks)})
    return [
        Machine(
            f"predicted-{number}",
            record.machine,
            at.series,
            at.clock_mhz,
            at.memory,
            at.disk,
            resolved,
        )
        for number, (at, resolved) in enumerate(file.systems(whole))
    ]


def others(run: Run, names: Sequence[str], folder: Path) -> list[Machine]:
    """Other machines of `folder`, each a series of its own, before them the run's slowest.

    Raises ConfigError for one that has other caches or another core than the run's points, and for
    one with a slower clock than theirs, to which R is relative.
    """
    record = next(iter(run.points.values())).record
    slowest = _slowest(run)
    found = [one for one in machines(run, {}, folder) if one.clock_mhz == slowest]
    for name in names:
        file = _File.read(name, record.engine, folder)
        file.check(run)
        (at, resolved), *_ = file.systems(RunSpec(description="one machine", machine=name))
        if not at.clock_mhz > slowest:
            raise ConfigError(
                f"{file.path}: cpu.clock_mhz: found {at.clock_mhz:g}; allowed: over {slowest:g}, "
                "the slowest of the run"
            )
        series = name.rpartition("/")[2]
        found.append(
            Machine(f"machine-{name}", name, series, at.clock_mhz, at.memory, at.disk, resolved)
        )
    return found


def geometry(run: Run, name: str, folder: Path) -> tuple[System, str, list[str]]:
    """A machine's system, a digest of its caches, TLB and core, and which are not the run's.

    Raises ConfigError.
    """
    record = next(iter(run.points.values())).record
    file = _File.read(name, record.engine, folder)
    (_, resolved), *_ = file.systems(RunSpec(description="one machine", machine=name))
    own, was = _fixed_part(resolved), _fixed_part(record.system)
    return (
        resolved,
        _digest(resolved),
        [part for part, value in own.items() if value != was.get(part)],
    )


@dataclass(frozen=True)
class _File:
    """A machine file and the one that it is scaled by, as fitted for an engine."""

    path: Path
    machine: MachineFile
    reference: MachineFile | None

    @classmethod
    def read(cls, name: str, engine: str, folder: Path) -> _File:
        path = folder / f"{name}.toml"
        return cls(path, *load_fitted(path, engine, folder))

    def systems(self, asked: RunSpec) -> list[tuple[Axes, System]]:
        """What the axes asked for simulate."""
        return list(systems(asked, self.machine, self.reference))

    def check(self, run: Run) -> None:
        """Raises ConfigError unless the file has the caches and the core that were simulated."""
        (_, made), *_ = self.systems(RunSpec.model_validate(_ALONE))
        simulated_here = _fixed_part(next(iter(run.points.values())).record.system)
        for name, value in _fixed_part(made).items():
            was = simulated_here.get(name)
            if value != was:
                raise ConfigError(
                    f"{self.path}: {name}: found {quoted(value)}; allowed: {quoted(was)}, "
                    "as in the run; simulate one point of this machine"
                )


def _digest(system: System) -> str:
    return record_digest(system.model_dump(mode="json", exclude=set(PARTS)))


def _slowest(run: Run) -> float:
    return min(point.record.axes.clock_mhz for point in run.points.values())


def check(axes: Mapping[str, Any]) -> None:
    """Raises ConfigError for axes that no sweep could have, and for those not in the formula."""
    validate({**_ALONE, **axes}, RunSpec, "command line")
    if others := [key for key in axes if key not in AXES]:
        raise ConfigError(f"{others[0]}: found in a grid; allowed: {', '.join(AXES)}")


def own_axes(run: Run) -> dict[str, Any]:
    """The axes of the run's own sweep."""
    return axes_of(manifest.read(run.path).sweep)


def axes_of(sweep: Mapping[str, Any]) -> dict[str, Any]:
    """The axes of a grid that a sweep, as its file has it, gives."""
    return {axis: sweep[axis] for axis in AXES if sweep.get(axis) is not None}


def _fixed_part(system: System) -> dict[str, Any]:
    return {name: value for name, value in system.model_dump().items() if name not in PARTS}


def finished_keys(run: Run, asked: Sequence[str]) -> list[str]:
    """The keys of the finished points of the first seed, or those that begin as `asked`.

    Raises ConfigError for one that begins no key.
    """
    keys = list(dict.fromkeys(machine.key for machine in simulated(run)))
    if not asked:
        return keys
    chosen = {start: [key for key in keys if key.startswith(start)] for start in asked}
    for start, own in chosen.items():
        if not own:
            raise ConfigError(
                f"{run.path}: has no finished point that begins with {quoted(start)}; finished: "
                f"{', '.join(keys) or 'none'}"
            )
    return list(dict.fromkeys(key for own in chosen.values() for key in own))
