# SPDX-License-Identifier: BSD-3-Clause
"""Writes a measurement as a run directory of one point, which all commands can read."""

from __future__ import annotations

import re
from pathlib import Path

from osgap.base.frozen import Frozen
from osgap.engines.contract import Outcome
from osgap.machines.host import NATIVE, HostMachine, HostMix
from osgap.native.facts import machine_of
from osgap.native.merge import MergedRounds, merge
from osgap.native.onepoint import native_spec, rounded_clock, write_run
from osgap.native.output import MeasureOutput
from osgap.rundir.manifest import Start
from osgap.rundir.point import OrdersRecord, Spec


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
    outcome = Outcome(output.text, merged.transcript, "", 0.0)
    write_run(run, spec, outcome, _sweep(spec, merged), started)
    return machine, merged


def machine_name(machine: HostMachine) -> str:
    """A short name for the machine, from its processor's: amd-epyc, cortex-a76."""
    words = re.sub(r"\((r|tm)\)|@.*|\b(cpu|processor|with)\b", " ", machine.processor.lower())
    name = "-".join(re.findall(r"[a-z0-9.]+", words))[:40].strip("-.")
    return name or machine.architecture


def _spec(name: str, machine: HostMachine, merged: MergedRounds, program: str) -> Spec:
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
    clock_mhz = rounded_clock(machine.clock_mhz)
    return native_spec(name, program or "unknown", machine, clock_mhz, orders)


def _sweep(spec: Spec, merged: MergedRounds) -> NativeSweep:
    return NativeSweep(
        description="a real machine, measured by osgap native",
        machine=spec.machine,
        engine=NATIVE,
        run=spec.orders.run,
        left_out=dict(sorted(merged.left_out.items())),
    )
