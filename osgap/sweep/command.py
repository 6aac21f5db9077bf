# SPDX-License-Identifier: BSD-3-Clause
"""What scripts/sweep.py does, once its arguments are a `Sweep`."""

from __future__ import annotations

import json
import platform
from importlib.metadata import version
from pathlib import Path

from rich.console import Console

from osgap import engines
from osgap.engines.base import Engine, Failed, Image, image_for
from osgap.machine import fitted, load_machine
from osgap.sweep.drive import Host, SweepError, drive
from osgap.sweep.plan import Plan, make_plan, write_plan
from osgap.sweep.spec import Sweep, each_machine

_PACKAGES = ("rvsim", "snakemake", "pandas", "numpy", "scipy", "matplotlib")


def run_sweeps(sweep: Sweep, run: Path, machines: Path, host: Host, console: Console) -> None:
    """Runs a sweep into `run`, one of several machines into RUN/MACHINE. Raises OsgapError."""
    parts = each_machine(sweep)
    for name, part in parts.items():
        run_sweep(part, run if len(parts) == 1 else run / name, machines, host, console)


def run_sweep(sweep: Sweep, run: Path, machines: Path, host: Host, console: Console) -> Plan:
    """Plans, boots once and runs a sweep of one machine into `run`. Raises OsgapError."""
    engine = engines.load(sweep.engine)
    machine = load_machine(machines / f"{sweep.machine[0]}.toml")
    reference = machine.reference and load_machine(machines / f"{machine.reference}.toml")
    image = image_for(engine.name, host.image)
    plan = make_plan(
        sweep,
        fitted(machine, engine.name),
        engine,
        image,
        fitted(reference, engine.name) if reference else None,
    )
    run.mkdir(parents=True, exist_ok=True)
    write_plan(run, sweep, plan, provenance(engine, image, host.image))
    try:
        engine.prepare(image, plan.specs[0].resolved, host.cache, console.print)
    except Failed as failure:
        raise SweepError(f"the guest did not get ready: {failure.reason}") from None
    drive(run, [spec.key for spec in plan.specs], host, console)
    return plan


def provenance(engine: Engine, image: Image, directory: Path) -> dict[str, object]:
    """What produced a run: digests and versions."""
    described = directory / "image.json"
    contents = json.loads(described.read_text(encoding="utf-8")) if described.is_file() else {}
    packages = {name: version(name) for name in _PACKAGES}
    return {
        "image": {"digest": image.digest, **contents},
        "versions": {
            "engine": f"{engine.name} {engine.version()}",
            "python": platform.python_version(),
            **packages,
        },
    }
