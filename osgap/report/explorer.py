# SPDX-License-Identifier: BSD-3-Clause
"""The formula of `osgap predict` as numbers for the page, and machines at its sliders."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import product
from operator import attrgetter
from pathlib import Path

from osgap.analysis.analysed import AnalysedRun, Tables
from osgap.analysis.constants import UNIT_NS
from osgap.analysis.layouts.values import MEAN, SPEED
from osgap.analysis.suite import Suite, composites, sets_for, subtracted
from osgap.base.errors import OsgapError
from osgap.machines.axes import CLOCK, DISK_SPEED, Quantity
from osgap.machines.machine import fitted, load_machine
from osgap.machines.system import System, system
from osgap.predict.axes import QUANTITIES
from osgap.predict.busy_time import SHARPNESS
from osgap.predict.disk_wait import Logged
from osgap.predict.prediction import Explored, explored
from osgap.predict.tables import Known, Machine, tables
from osgap.report.marks import native_marks, simulated_marks

ASKED = "asked"
_WIDER = 4.0
"""The sliders go so far beyond what was simulated, to either side."""
_MOST_DISK = 64.0
_KEYS = [quantity.key for quantity in QUANTITIES]


Setting = Mapping[str, float]
"""The values of the sliders, by the key of the quantity."""


def system_at(reference: System, setting: Setting) -> System:
    """The machine `reference` with other speeds; its disk's times are whole ns."""
    system = reference
    for quantity in QUANTITIES:
        system = quantity.applied(system, setting[quantity.key], reference)
    return system


def predicted_at(model: Explored, setting: Setting, suites: Sequence[Suite]) -> Tables:
    """The tables of two machines: the reference and, in the series ASKED, that of the sliders."""
    reference = model.reference
    system = system_at(reference.system, setting)
    policies = reference.memory, reference.disk
    machine = Machine(ASKED, reference.name, ASKED, system.clock_mhz, *policies, system)
    return tables(model.model, [reference, machine], suites, "")


def simulated_ranges(run: AnalysedRun, reference: Machine) -> dict[str, tuple[float, float]]:
    """The least and the largest value of each slider that the run simulated, on simulated time."""
    systems = [point.record.system for point in run.run.points.values()]
    values = {
        quantity.key: [quantity.of(system, reference.system) for system in systems]
        for quantity in QUANTITIES
    }
    return {key: (min(numbers), max(numbers)) for key, numbers in values.items()}


def ranges(run: AnalysedRun, reference: Machine) -> dict[str, tuple[float, float]]:
    """The least and the largest value of each slider: those simulated, and beyond."""
    simulated = simulated_ranges(run, reference)
    wide = {key: (low / _WIDER, high * _WIDER) for key, (low, high) in simulated.items()}
    slowest, fastest = simulated[CLOCK.key]
    disk_low, disk_high = wide[DISK_SPEED.key]
    return {
        **wide,
        # R is relative to the slowest clock.
        CLOCK.key: (slowest, 2 * fastest),
        DISK_SPEED.key: (disk_low, max(_MOST_DISK, disk_high)),
    }


def explorer(
    run: AnalysedRun,
    suites: Sequence[Suite],
    machines: Path,
    lender: AnalysedRun | None,
    native: Sequence[AnalysedRun] = (),
) -> dict[str, object]:
    """What the page's sliders compute with (assets/formula.js), as plain values.

    `machines` is the folder of machine files, of which the nearest one is named; `lender` is a run
    whose errors are lent. Raises OsgapError where the formula does not describe the run.
    """

    def ends(reference: Machine) -> list[System]:
        limits = ranges(run, reference)
        corners = product(*(limits[key] for key in _KEYS))
        settings = [dict(zip(_KEYS, corner, strict=True)) for corner in corners]
        return [system_at(reference.system, setting) for setting in settings]

    made = explored(run, ends, lender)
    reference, base = made.reference, made.reference.system
    return {
        "reference": {
            "key": reference.key,
            "time_scale": run.run.points[reference.key].record.time_scale,
            # On simulated time.
            "system": base.model_dump(mode="json"),
            "values": {quantity.key: quantity.of(base, base) for quantity in QUANTITIES},
        },
        "axes": [_described(quantity, base) for quantity in QUANTITIES],
        "ranges": {name: list(ends) for name, ends in ranges(run, reference).items()},
        "simulated": {name: list(ends) for name, ends in simulated_ranges(run, reference).items()},
        "sharpness": SHARPNESS,
        "unit_ns": UNIT_NS,
        "benchmarks": [
            {
                "name": name,
                "fs": fs,
                "metric": made.model.kinds[name, fs].metric,
                "bytes": made.model.kinds[name, fs].bytes,
                **_known(known),
                "factor": _factor(made, (SPEED, "", name, fs)),
            }
            for (name, fs), known in made.model.known.items()
        ],
        "composite_factors": {
            f"{name} {fs}": _factor(made, (SPEED, "", name, fs))
            for name in composites(suites)
            for fs in dict.fromkeys(fs for _, fs in made.model.known)
        },
        "subtracted": subtracted(suites),
        "composites": composites(suites),
        "sets": [
            {"name": name, "benchmarks": list(own), "factor": _factor(made, (MEAN, name, "", ""))}
            for name, own in sets_for(suites, {name for name, _ in made.model.known})
        ],
        "machines": list(_machines(machines, run, reference)),
        "marks": simulated_marks(run, reference.key, suites),
        "native": [
            mark for one in native for mark in native_marks(one, run, reference.key, suites)
        ],
        "used": list(made.used),
    }


def _factor(made: Explored, name: tuple[str, str, str, str]) -> float | None:
    """By how much a number may be off, with 95 %; None where it is not known."""
    factor = made.spreads[name].factor if name in made.spreads else math.nan
    return factor if math.isfinite(factor) else None


def _known(known: Known) -> dict[str, object]:
    waits = known.waiting
    return {
        **asdict(known.surface),
        "insts": known.insts,
        "turns": waits.turns,
        "whole": waits.whole,
        "least": waits.least,
        "busiest": waits.busiest if math.isfinite(waits.busiest) else None,
        "logged": [_logged(one) for one in waits.logged],
    }


def _logged(one: Logged) -> dict[str, object]:
    steps = one.script.steps
    return {
        "total_ns": one.total_ns,
        "busy_ns": one.busy_ns,
        "turns": one.turns,
        "waited_ns": one.script.waited_ns,
        "worked_ns": one.script.worked_ns,
        "steps": [
            [step.follows, step.think_ns, step.sector, step.sectors, int(step.is_write)]
            for step in steps
        ],
    }


def _described(quantity: Quantity, reference: System) -> dict[str, object]:
    """A quantity as formula.js applies it: the system's fields, and whether they are integers."""
    return {
        "key": quantity.key,
        "dimension": quantity.dimension,
        "falls": quantity.falls,
        "fields": [
            {"path": path.split("."), "integer": isinstance(attrgetter(path)(reference), int)}
            for path in quantity.fields
        ],
    }


def _machines(folder: Path, run: AnalysedRun, reference: Machine) -> list[dict[str, object]]:
    """The machines with a rating, as fitted for the engine: the first file of each title."""
    machines: dict[str, dict[str, object]] = {}
    time_scale = run.run.points[reference.key].record.time_scale
    for file in sorted(folder.rglob("*.toml")):
        try:
            machine = load_machine(file)
        except OsgapError:
            continue
        title = machine.description.partition(":")[0]
        if machine.mips is None or title in machines:
            continue
        # On its own time, whatever it is simulated at.
        resolved = system(fitted(machine, run.engine).model_copy(update={"time_scale": 1}))
        machines[title] = {
            "title": title,
            "name": file.relative_to(folder).with_suffix("").as_posix(),
            **{
                quantity.key: quantity.of(resolved, reference.system)
                * (time_scale if quantity.is_relative else 1)
                for quantity in QUANTITIES
            },
        }
    return list(machines.values())
