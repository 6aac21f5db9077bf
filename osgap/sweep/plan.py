# SPDX-License-Identifier: BSD-3-Clause
"""Plans a run: makes its points from its axes, and writes them to its directory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from osgap.base import durable
from osgap.base.config import ConfigError
from osgap.base.frozen import Frozen
from osgap.engines.contract import Engine
from osgap.guest.working_sets import uncached_order
from osgap.image.files import Image
from osgap.machines.axes import IN_PLAN, START
from osgap.machines.axis_values import choices
from osgap.machines.machine import Machine
from osgap.machines.system import System, system
from osgap.points.planned import make_spec
from osgap.rundir import manifest
from osgap.rundir.directory import POINTS
from osgap.rundir.jsonfile import FORMAT
from osgap.rundir.manifest import Manifest
from osgap.rundir.point import Axes, OrdersRecord, Spec
from osgap.sweep.spec import HARTS, RunSpec


@dataclass(frozen=True)
class Plan:
    """A run's points, each once, and series -> clock -> key (of the first start)."""

    specs: tuple[Spec, ...]
    series: Mapping[str, Mapping[str, str]]


def make_plan(
    run_spec: RunSpec,
    machine: Machine,
    engine: Engine,
    image: Image,
    reference: Machine | None = None,
) -> Plan:
    """All points, slowest clock first.

    Raises EngineError for a system that the engine refuses, ConfigError for one whose last cache
    is too large for the guest's working sets.
    """
    specs: dict[str, Spec] = {}
    series: dict[str, dict[str, str]] = {}
    (first_start, *_) = run_spec.values(START) or (0,)
    for axes, resolved in systems(run_spec, machine, reference):
        engine.check(resolved)
        run = _benchmarks(run_spec.run, resolved)
        orders = OrdersRecord(
            run=run,
            fs=run_spec.fs,
            seed=axes.seed,
            sets=run_spec.sets,
            calls=run_spec.calls,
            uncached=_uncached(run_spec.machine, run, resolved),
        )
        new = make_spec(
            engine,
            image,
            run_spec.machine,
            axes,
            resolved,
            orders,
            run_spec.timeout_s,
            machine.time_scale,
            run_spec.memory_limit_mib,
        )
        # Equal systems are one point, even if they come from different axes.
        spec = specs.setdefault(_content(new), new)
        if axes.seed == first_start:
            series.setdefault(axes.series, {})[f"{axes.clock_mhz:g}"] = spec.key
    return Plan(tuple(specs.values()), series)


def systems(
    run_spec: RunSpec, machine: Machine, reference: Machine | None = None
) -> Iterator[tuple[Axes, System]]:
    """Every combination of the axes, slowest clock first, with its system. Raises ConfigError."""
    values = [choices(axis, run_spec.values(axis), machine) for axis in IN_PLAN]
    for combination in product(*values):
        pairs = list(zip(IN_PLAN, combination, strict=True))
        recorded = {axis.record_key: choice.recorded for axis, choice in pairs}
        axes = Axes.model_validate(
            {key: value for key, value in recorded.items() if value is not None}
        )
        settings: dict[str, Any] = {
            axis.key: choice.setting for axis, choice in pairs if axis is not START
        }
        resolved = system(
            machine,
            reference=reference,
            entry=run_spec.entry == "machine",
            remote=bool(run_spec.remote),
            **settings,
        )
        yield axes, resolved


def _uncached(machine: str, run: Sequence[str], system: System) -> int:
    """The order for working sets. Raises ConfigError, naming the machine."""
    try:
        return uncached_order(run, system.last_cache_bytes, system.memory.size_mib)
    except ConfigError as error:
        raise ConfigError(f"machine {machine}: {error}") from None


def _content(spec: Spec) -> str:
    """The clock and the digest in a point's key, without the values of memory between them."""
    return f"{spec.axes.clock_mhz:g}mhz-{spec.key.rpartition('-')[2]}"


def _benchmarks(run: Sequence[str], system: System) -> tuple[str, ...]:
    """The benchmarks' names, with the number of harts; a name that results twice is listed once."""
    return tuple(dict.fromkeys(name.replace(HARTS, str(system.harts)) for name in run))


def write_plan(run: Path, sweep: Frozen, plan: Plan, provenance: Mapping[str, object]) -> None:
    """Writes RUN/run.json, with the request `sweep` and further keys, and RUN/plan/KEY.json.

    Files whose content is the same are not written.
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
