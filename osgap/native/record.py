# SPDX-License-Identifier: BSD-3-Clause
"""Writes a measurement as a run directory of one point, which all commands can read."""

from __future__ import annotations

import re
from pathlib import Path

from osgap.base.frozen import Frozen
from osgap.engines.contract import Outcome
from osgap.machines.host import NATIVE, HostMachine, HostMix
from osgap.machines.series import series_of
from osgap.native.facts import machine_of
from osgap.native.merge import MergedRounds, merge
from osgap.native.output import MeasureOutput
from osgap.rundir import manifest
from osgap.rundir.directory import POINTS
from osgap.rundir.jsonfile import FORMAT
from osgap.rundir.manifest import Manifest, Start
from osgap.rundir.point import Axes, OrdersRecord, Spec, key_of
from osgap.rundir.pointfiles import publish, write_done, write_point

CLOCK_STEP_MHZ = 50
"""The recorded clock axis is rounded to this, so that repeated measurements have equal clocks."""
_TIMEOUT_S = 3600.0


class NativeSweep(Frozen):
    """The entry `sweep` in run.json of a measured machine."""

    description: str
    machine: str
    engine: str
    run: tuple[str, ...]
    left_out: dict[str, str]


def write(
    run: Path, output: MeasureOutput, where: str, name: str | None, mix: HostMix, started: Start
) -> tuple[HostMachine, MergedRounds]:
    """Writes the measurement into the empty directory `run`. Raises NativeError or OSError."""
    merged = merge(output, where, mix.instructions)
    machine = machine_of(output, mix, where)
    program = re.sub(r"[^0-9a-f]", "", output.facts.get("program", ""))[:16]
    spec = _spec(name or machine_name(machine), machine, merged, program)
    pending = run / POINTS / f".{spec.key}.out.partial"
    pending.mkdir(parents=True)
    write_point(pending, spec, Outcome(output.text, merged.transcript, "", 0.0))
    write_done(pending)
    publish(pending, run / POINTS / spec.key)
    manifest.write(run, _manifest(run, spec, merged, started))
    return machine, merged


def machine_name(machine: HostMachine) -> str:
    """A short name for the machine, from its processor's: amd-epyc, cortex-a76."""
    words = re.sub(r"\((r|tm)\)|@.*|\b(cpu|processor|with)\b", " ", machine.processor.lower())
    name = "-".join(re.findall(r"[a-z0-9.]+", words))[:40].strip("-.")
    return name or machine.architecture


def _spec(name: str, machine: HostMachine, merged: MergedRounds, program: str) -> Spec:
    clock = max(1, round(machine.clock_mhz / CLOCK_STEP_MHZ)) * CLOCK_STEP_MHZ
    axes = Axes(clock_mhz=float(clock), memory="fixed", disk="fixed")
    keys = list(merged.shapes)
    sets = {
        f"{name}.{fs}.{parameter}": value
        for (name, fs), shape in merged.shapes.items()
        for parameter, value in (("count", shape.count), ("batches", shape.batches))
    }
    orders = OrdersRecord(
        run=tuple(dict.fromkeys(benchmark for benchmark, _ in keys)),
        fs=tuple(dict.fromkeys(fs for _, fs in keys if fs != "none")) or ("sprite",),
        seed=0,
        sets=sets,
        rounds=merged.rounds,
    )
    version = program or "unknown"
    return Spec(
        key=key_of(NATIVE, version, "none", axes, machine, orders),
        engine=NATIVE,
        engine_version=version,
        machine=name,
        image_digest="none",
        axes=axes,
        resolved=machine,
        orders=orders,
        timeout_s=_TIMEOUT_S,
    )


def _manifest(run: Path, spec: Spec, merged: MergedRounds, started: Start) -> Manifest:
    sweep = NativeSweep(
        description="a real machine, measured by osgap native",
        machine=spec.machine,
        engine=NATIVE,
        run=spec.orders.run,
        left_out=dict(sorted(merged.left_out.items())),
    )
    series = series_of({}).name
    record = {
        "format": FORMAT,
        "name": run.name,
        "sweep": sweep.model_dump(mode="json"),
        "points": (spec.key,),
        "series": {series: {f"{spec.axes.clock_mhz:g}": spec.key}},
        "versions": {"program": spec.engine_version},
        "starts": (started.model_dump(mode="json"),),
    }
    return Manifest.model_validate(record)
