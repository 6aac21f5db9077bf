# SPDX-License-Identifier: BSD-3-Clause
"""Writes a run of one point of a real machine, measured here or imported."""

from __future__ import annotations

from pathlib import Path

from osgap.base.frozen import Frozen
from osgap.engines.contract import Outcome
from osgap.machines.host import NATIVE, HostMachine
from osgap.machines.reported import ReportedMachine
from osgap.machines.series import series_of
from osgap.rundir import manifest
from osgap.rundir.directory import POINTS
from osgap.rundir.jsonfile import FORMAT
from osgap.rundir.manifest import Manifest, Start
from osgap.rundir.point import Axes, OrdersRecord, Spec, key_of
from osgap.rundir.pointfiles import publish, write_done, write_point

_CLOCK_STEP_MHZ = 50
_TIMEOUT_S = 3600.0


def rounded_clock(clock_mhz: float) -> float:
    """The clock in MHz as recorded, in steps of 50, so that repeated measurements have one."""
    return float(max(1, round(clock_mhz / _CLOCK_STEP_MHZ)) * _CLOCK_STEP_MHZ)


def native_spec(
    name: str,
    version: str,
    machine: HostMachine | ReportedMachine,
    clock_mhz: float,
    orders: OrdersRecord,
) -> Spec:
    """Describes the point of the machine `name`; `version` is that of the measuring program."""
    axes = Axes(clock_mhz=clock_mhz, memory="fixed", disk="fixed")
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


def write_run(run: Path, spec: Spec, outcome: Outcome, sweep: Frozen, started: Start) -> None:
    """Writes the run into the empty directory `run`, with `sweep` in run.json. Raises OSError."""
    pending = run / POINTS / f".{spec.key}.out.partial"
    pending.mkdir(parents=True)
    write_point(pending, spec, outcome)
    write_done(pending)
    publish(pending, run / POINTS / spec.key)
    manifest.write(run, _manifest(run, spec, sweep, started))


def _manifest(run: Path, spec: Spec, sweep: Frozen, started: Start) -> Manifest:
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
