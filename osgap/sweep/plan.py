# SPDX-License-Identifier: BSD-3-Clause
"""Turns a run of a sweep into points, and writes them into its directory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from osgap.base import durable
from osgap.base.config import ConfigError
from osgap.base.frozen import Frozen
from osgap.engines.contract import Engine
from osgap.image.files import Image
from osgap.machines.axes import BANDWIDTH, LATENCY, Value, amount
from osgap.machines.machine import Machine, Memory
from osgap.machines.system import System, system
from osgap.points.planned import make_spec
from osgap.rundir import manifest
from osgap.rundir.directory import POINTS
from osgap.rundir.jsonfile import FORMAT
from osgap.rundir.manifest import Manifest
from osgap.rundir.point import Axes, OrdersRecord, Spec
from osgap.rundir.series import series_of
from osgap.sweep.spec import HARTS, RunSpec


@dataclass(frozen=True)
class Plan:
    """A run's points, each once, and series -> clock -> key (for the first seed)."""

    specs: tuple[Spec, ...]
    series: Mapping[str, Mapping[str, str]]


def make_plan(
    asked: RunSpec,
    machine: Machine,
    engine: Engine,
    image: Image,
    reference: Machine | None = None,
) -> Plan:
    """All points, slowest clock first. Raises EngineError for a system the engine refuses."""
    specs: dict[str, Spec] = {}
    series: dict[str, dict[str, str]] = {}
    for at, resolved in systems(asked, machine, reference):
        engine.check(resolved)
        run = _named(asked.run, resolved)
        orders = OrdersRecord(
            run=run, fs=asked.fs, seed=at.seed, sets=asked.sets, calls=asked.calls
        )
        made = make_spec(
            engine,
            image,
            asked.machine,
            at,
            resolved,
            orders,
            asked.timeout_s,
            machine.time_scale,
            asked.memory_limit_mib,
        )
        # Equal systems are one point, though axes of other names lead there.
        spec = specs.setdefault(_content(made), made)
        if at.seed == asked.seeds[0]:
            name = series_of(at.memory, at.disk, at.latency_ns, at.bandwidth_mb_s).name
            series.setdefault(name, {})[f"{at.clock_mhz:g}"] = spec.key
    return Plan(tuple(specs.values()), series)


def systems(
    asked: RunSpec, machine: Machine, reference: Machine | None = None
) -> Iterator[tuple[Axes, System]]:
    """Every combination of the axes, slowest clock first, and what it simulates.

    Raises ConfigError.
    """
    for place in _places(asked, machine):
        at = place.axes
        yield (
            at,
            system(
                machine,
                at.clock_mhz,
                at.memory,
                at.disk,
                reference,
                latency_ns=place.latency,
                bandwidth_mb_s=place.bandwidth,
                entry=asked.entry == "machine",
            ),
        )


def _content(spec: Spec) -> str:
    """The clock and the digest in a point's key, without what is said of its axes between them."""
    return f"{spec.axes.clock_mhz:g}mhz-{spec.key.rpartition('-')[2]}"


@dataclass(frozen=True)
class _Place:
    """A combination of the axes, and what of memory was asked for there."""

    axes: Axes
    latency: Value | None
    bandwidth: Value | None


def _places(asked: RunSpec, machine: Machine) -> Iterator[_Place]:
    """Every combination, slowest clock first. Raises ConfigError."""
    clocks = sorted(asked.clock_mhz or [machine.cpu.clock_mhz.value])
    latencies = _changes(LATENCY, asked.latency_ns, machine.memory)
    bandwidths = _changes(BANDWIDTH, asked.bandwidth_mb_s, machine.memory)
    for clock, latency, bandwidth, memory, disk, seed in product(
        clocks, latencies, bandwidths, asked.memory, asked.disk, asked.seeds
    ):
        axes = Axes(
            clock_mhz=clock,
            memory=memory,
            disk=disk,
            seed=seed,
            latency_ns=latencies[latency],
            bandwidth_mb_s=bandwidths[bandwidth],
        )
        yield _Place(axes, latency, bandwidth)


def _changes(
    axis: str, values: Sequence[Value] | None, memory: Memory
) -> dict[Value | None, float | None]:
    """Each of an axis's values, with what it comes to; None where that is the machine's own.

    Raises ConfigError for two values that come to the same, or would be called the same.
    """
    if values is None:
        return {None: None}
    amounts = {value: amount(axis, value, memory) for value in values}
    names = [f"{one:g}" for one in amounts.values()]
    if len(set(names)) != len(names):
        told = ", ".join(map(str, values))
        raise ConfigError(f"{axis}: found {told}; allowed: values that differ on this machine")
    own = amount(axis, "x1", memory)
    return {value: None if one == own else one for value, one in amounts.items()}


def _named(run: Sequence[str], system: System) -> tuple[str, ...]:
    """The benchmarks' names for this system; two that become one are run once."""
    return tuple(dict.fromkeys(name.replace(HARTS, str(system.harts)) for name in run))


def write_plan(run: Path, sweep: Frozen, plan: Plan, provenance: Mapping[str, object]) -> None:
    """Writes RUN/run.json with what was asked (`sweep`), and RUN/plan/KEY.json.

    Files that would not change are left alone.
    """
    (run / "plan").mkdir(parents=True, exist_ok=True)
    (run / POINTS).mkdir(exist_ok=True)
    for spec in plan.specs:
        durable.write_json(run / "plan" / f"{spec.key}.json", spec.model_dump(mode="json"))
    record = {
        "format": FORMAT,
        "name": run.name,
        "sweep": sweep.model_dump(mode="json"),
        "points": tuple(spec.key for spec in plan.specs),
        "series": plan.series,
        **provenance,
    }
    manifest.write(run, Manifest.model_validate(record))
