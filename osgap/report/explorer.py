# SPDX-License-Identifier: BSD-3-Clause
"""The formula of `osgap predict` as numbers for the page, and machines at its sliders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

from osgap.analysis.analysed import AnalysedRun, Tables
from osgap.analysis.constants import UNIT_NS
from osgap.analysis.layouts.values import MEAN, SPEED
from osgap.analysis.suite import Suite, composites, sets_for, subtracted
from osgap.base.errors import OsgapError
from osgap.machines.machine import fitted, load_machine
from osgap.machines.system import System, system
from osgap.predict.busy_time import SHARPNESS
from osgap.predict.disk_wait import Logged
from osgap.predict.prediction import Explored, explored
from osgap.predict.tables import Known, Machine, tables
from osgap.report.marks import native_marks, simulated_marks

ASKED = "asked"
_WIDER = 4.0
"""The sliders go so far beyond what was simulated, to either side."""
_MOST_DISK = 64.0


@dataclass(frozen=True)
class Setting:
    """Where the sliders stand: MHz, ns, MB/s, and how many times faster the disk is."""

    clock_mhz: float
    latency_ns: float
    bandwidth_mb_s: float
    disk_speed: float


def system_at(base: System, at: Setting) -> System:
    """The machine `base` with other speeds; its disk's times are whole ns."""
    own = base.disk.model_dump()
    times = {name: round(own[name] / at.disk_speed) for name in own if name.endswith("_ns")}
    memory = {"latency_ns": at.latency_ns, "bandwidth_mb_s": at.bandwidth_mb_s}
    return base.model_copy(
        update={
            "clock_mhz": at.clock_mhz,
            "memory": base.memory.model_copy(update=memory),
            "disk": base.disk.model_copy(update=times),
        }
    )


def predicted_at(made: Explored, at: Setting, suites: Sequence[Suite]) -> Tables:
    """The tables of two machines, the reference and, in the series ASKED, the one at `at`."""
    one = made.reference
    place = system_at(one.system, at)
    asked = Machine(ASKED, one.name, ASKED, at.clock_mhz, one.memory, one.disk, place)
    return tables(made.model, [one, asked], suites, "")


def simulated_ranges(run: AnalysedRun, reference: Machine) -> dict[str, tuple[float, float]]:
    """Of each slider the least and the largest value that the run simulated, on simulated time."""
    systems = [point.record.system for point in run.run.points.values()]
    own = {
        "clock_mhz": [one.clock_mhz for one in systems],
        "latency_ns": [one.memory.latency_ns for one in systems],
        "bandwidth_mb_s": [one.memory.bandwidth_mb_s for one in systems],
        "disk_speed": [reference.system.disk.rotation_ns / one.disk.rotation_ns for one in systems],
    }
    return {name: (min(values), max(values)) for name, values in own.items()}


def ranges(run: AnalysedRun, reference: Machine) -> dict[str, tuple[float, float]]:
    """Of each slider its least and largest value: what was simulated, and beyond."""
    own = simulated_ranges(run, reference)
    wide = {name: (low / _WIDER, high * _WIDER) for name, (low, high) in own.items()}
    slowest, fastest = own["clock_mhz"]
    disk_low, disk_high = wide["disk_speed"]
    return {
        **wide,
        # R is relative to the slowest clock.
        "clock_mhz": (slowest, 2 * fastest),
        "disk_speed": (disk_low, max(_MOST_DISK, disk_high)),
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
        corners = product(*ranges(run, reference).values())
        return [system_at(reference.system, Setting(*corner)) for corner in corners]

    made = explored(run, ends, lender)
    reference, base = made.reference, made.reference.system
    return {
        "reference": {
            "key": reference.key,
            "time_scale": run.run.points[reference.key].record.time_scale,
            # On simulated time, as its memory is.
            "clock_mhz": base.clock_mhz,
            "latency_ns": base.memory.latency_ns,
            "bandwidth_mb_s": base.memory.bandwidth_mb_s,
            "line_bytes": base.l1d.line_bytes,
            "disk": base.disk.model_dump(),
        },
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
        "machines": list(_machines(machines, run.engine)),
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


def _machines(folder: Path, engine: str) -> list[dict[str, object]]:
    """The machines with a rating, as fitted for the engine: the first file of each title."""
    found: dict[str, dict[str, object]] = {}
    for file in sorted(folder.rglob("*.toml")):
        try:
            machine = load_machine(file)
        except OsgapError:
            continue
        title = machine.description.partition(":")[0]
        if machine.mips is None or title in found:
            continue
        # On its own time, whatever it is simulated at.
        own = system(fitted(machine, engine).model_copy(update={"time_scale": 1}))
        found[title] = {
            "title": title,
            "name": file.relative_to(folder).with_suffix("").as_posix(),
            "clock_mhz": own.clock_mhz,
            "latency_ns": own.memory.latency_ns,
            "bandwidth_mb_s": own.memory.bandwidth_mb_s,
            "rotation_ns": own.disk.rotation_ns,
        }
    return list(found.values())
