# SPDX-License-Identifier: BSD-3-Clause
"""Turns a sweep into points, and writes them into a run directory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from osgap import durable
from osgap.engines.base import Engine, Image
from osgap.machine import Frozen, Machine, System, system
from osgap.points.spec import Axes, OrdersRecord, Spec, make_spec
from osgap.sweep.spec import HARTS, Sweep, series_name


@dataclass(frozen=True)
class Plan:
    """A sweep's points, each once, and series -> clock -> key (for the first seed)."""

    specs: tuple[Spec, ...]
    series: Mapping[str, Mapping[str, str]]


def make_plan(
    sweep: Sweep,
    machine: Machine,
    engine: Engine,
    image: Image,
    reference: Machine | None = None,
) -> Plan:
    """All points, slowest clock first. Raises EngineError for a system the engine refuses."""
    specs: dict[str, Spec] = {}
    series: dict[str, dict[str, str]] = {}
    clocks = sorted(sweep.clock_mhz or [machine.cpu.clock_mhz.value])
    axes = product(clocks, sweep.memory, sweep.disk, sweep.seeds)
    (name,), (calls,) = sweep.machine, sweep.calls
    for clock, memory, disk, seed in axes:
        resolved = system(machine, clock, memory, disk, reference)
        engine.check(resolved)
        run = _named(sweep.run, resolved)
        orders = OrdersRecord(run=run, fs=sweep.fs, seed=seed, sets=sweep.sets, calls=calls)
        at = Axes(clock_mhz=clock, memory=memory, disk=disk, seed=seed)
        spec = make_spec(
            engine, image, name, at, resolved, orders, sweep.timeout_s, machine.time_scale,
            sweep.memory_limit_mib,
        )  # fmt: skip
        specs.setdefault(spec.key, spec)
        if seed == sweep.seeds[0]:
            series.setdefault(series_name(memory, disk), {})[f"{clock:g}"] = spec.key
    return Plan(tuple(specs.values()), series)


def _named(run: Sequence[str], system: System) -> tuple[str, ...]:
    """The benchmarks' names for this system; two that become one are run once."""
    return tuple(dict.fromkeys(name.replace(HARTS, str(system.harts)) for name in run))


def write_plan(run: Path, sweep: Frozen, plan: Plan, provenance: Mapping[str, object]) -> None:
    """Writes RUN/run.json with what was asked (`sweep`), and RUN/plan/KEY.json.

    Files that would not change are left alone.
    """
    (run / "plan").mkdir(parents=True, exist_ok=True)
    (run / "points").mkdir(exist_ok=True)
    for spec in plan.specs:
        durable.write_json(run / "plan" / f"{spec.key}.json", spec.model_dump(mode="json"))
    record = {
        "format": 1,
        "name": run.name,
        "sweep": sweep.model_dump(mode="json"),
        "points": [spec.key for spec in plan.specs],
        "series": plan.series,
        **provenance,
    }
    durable.write_json(run / "run.json", record)
