# SPDX-License-Identifier: BSD-3-Clause
"""The parameters of `osgap predict` for the page's sliders, as assets/formula.js reads them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache
from operator import attrgetter
from pathlib import Path

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.constants import CHECKS, UNIT_NS, series_rank
from osgap.analysis.layouts.values import MEAN, SPEED
from osgap.analysis.suite import Suite, composites, sets_for, subtracted
from osgap.base.errors import OsgapError
from osgap.drawing.display_names import benchmark_name
from osgap.machines.axes import Quantity
from osgap.machines.machine import Machine, fitted, load_machine, machine_files
from osgap.machines.system import System, system
from osgap.predict.borrowed_errors import Lender
from osgap.predict.busy_time import SHARPNESS
from osgap.predict.disk_wait import LoggedRequests
from osgap.predict.grid import GridMachine, simulated
from osgap.predict.model import BenchmarkModel
from osgap.predict.prediction import Explored, explored
from osgap.report.marks import Origin, native_marks, simulated_marks
from osgap.report.sliders import corner_systems, ranges, simulated_ranges, slider_quantities

Json = dict[str, object]


def explorer(
    run: AnalysedRun,
    suites: Sequence[Suite],
    machines: Path,
    lender: Lender | None,
    native: Sequence[AnalysedRun] = (),
    origin: Origin | None = None,
) -> Json:
    """Returns the parameters of the sliders as plain values.

    R of the marks is relative to `origin`, by default to the run's own reference.

    `machines` is the folder of machine files, `lender` a run that lends its prediction errors,
    `native` are measured machines to mark. Raises OsgapError if the run cannot be predicted.
    """
    model = explored(run, lambda reference: corner_systems(run, reference), lender)
    reference = model.reference
    quantities = slider_quantities(run, reference.system)
    return {
        "reference": _reference(run, reference, quantities),
        "axes": [_axis(quantity, reference.system) for quantity in quantities],
        "ranges": {name: list(ends) for name, ends in ranges(run, reference).items()},
        "simulated": {name: list(ends) for name, ends in simulated_ranges(run, reference).items()},
        "sharpness": SHARPNESS,
        "unit_ns": UNIT_NS,
        "benchmarks": list(_benchmarks(model)),
        **_aggregates(model, suites),
        "machines": _machines(machines, run, reference, quantities),
        "marks": simulated_marks(run, origin or (run, reference.key), suites),
        "own": _own_values(run, reference, quantities),
        "native": [
            mark for machine in native for mark in native_marks(machine, run, reference.key, suites)
        ],
        "used": list(model.used),
    }


def _reference(run: AnalysedRun, reference: GridMachine, quantities: Sequence[Quantity]) -> Json:
    """The system that the sliders change, on simulated time."""
    system = reference.system
    return {
        "key": reference.key,
        "time_scale": run.run.points[reference.key].record.time_scale,
        "system": system.model_dump(mode="json"),
        "values": {quantity.key: quantity.of(system, system) for quantity in quantities},
    }


def _own_values(run: AnalysedRun, reference: GridMachine, quantities: Sequence[Quantity]) -> Json:
    """The machine's own values at its fastest clock, in the first series: nothing scaled."""
    points = {point.key: point for point in simulated(run.run)}.values()
    fastest = min(points, key=lambda point: (series_rank(point.series), -point.clock_mhz))
    return {q.key: q.of(fastest.system, reference.system) for q in quantities}


def _aggregates(model: Explored, suites: Sequence[Suite]) -> Json:
    """The composites and means that are computed from benchmarks, with their error factors."""
    names = {name for name, _ in model.model.benchmarks}
    names |= {name for name, parts in composites(suites).items() if set(parts) <= names}
    file_systems = dict.fromkeys(fs for _, fs in model.model.benchmarks)
    return {
        "composite_factors": {
            f"{name} {fs}": _factor(model, (SPEED, "", name, fs))
            for name in composites(suites)
            for fs in file_systems
        },
        "subtracted": subtracted(suites),
        "composites": composites(suites),
        "sets": [
            {
                "name": name,
                "benchmarks": list(benchmarks),
                "factor": _factor(model, (MEAN, name, "", "")),
            }
            for name, benchmarks in sets_for(suites, names)
            if names.intersection(benchmarks)
        ],
    }


def _factor(model: Explored, name: tuple[str, str, str, str]) -> float | None:
    """The factor of the 95 % interval of a predicted number; None if unknown."""
    factor = model.spreads[name].factor if name in model.spreads else math.nan
    return factor if math.isfinite(factor) else None


def _benchmarks(model: Explored) -> Iterator[Json]:
    """The benchmarks in the order in which the page offers them: checks last."""
    benchmarks = model.model.benchmarks
    for name, fs in sorted(benchmarks, key=lambda each: each[0] in CHECKS):
        benchmark = benchmarks[name, fs]
        kind = model.model.kinds[name, fs]
        yield {
            "name": name,
            "fs": fs,
            "label": benchmark_name(name, fs),
            "metric": kind.metric,
            "bytes": kind.bytes,
            **_parameters(benchmark),
            "factor": _factor(model, (SPEED, "", name, fs)),
        }


def _parameters(benchmark: BenchmarkModel) -> Json:
    wait = benchmark.disk_wait
    return {
        **asdict(benchmark.busy_time),
        "insts": benchmark.insts,
        "turns": wait.turns,
        "whole": wait.takes_whole_turns,
        "least": wait.least_turns,
        "busiest": wait.most_busy_turns if math.isfinite(wait.most_busy_turns) else None,
        "logged": [_logged(requests) for requests in wait.logged],
        **_wire(benchmark),
    }


def _wire(benchmark: BenchmarkModel) -> Json:
    """The parameters of the wait for the wire, where the benchmark's files are on a server."""
    wait = benchmark.wire_wait
    return {"wire": {**asdict(wait.use), "hidden": wait.hidden}} if wait else {}


def _logged(requests: LoggedRequests) -> Json:
    script = requests.script
    return {
        "total_ns": requests.total_ns,
        "busy_ns": requests.busy_ns,
        "turns": requests.turns,
        "waited_ns": script.waited_ns,
        "worked_ns": script.worked_ns,
        "steps": [
            [step.follows, step.think_ns, step.sector, step.sectors, int(step.is_write)]
            for step in script.steps
        ],
    }


def _axis(quantity: Quantity, reference: System) -> Json:
    """A quantity as formula.js applies it, with the system's fields that it scales."""
    return {
        "key": quantity.key,
        "dimension": quantity.dimension,
        "falls": quantity.falls,
        "fields": [
            {"path": path.split("."), "integer": isinstance(attrgetter(path)(reference), int)}
            for path in quantity.fields
        ],
    }


def _machines(
    folder: Path, run: AnalysedRun, reference: GridMachine, quantities: Sequence[Quantity]
) -> list[Json]:
    """The machines with a rating, as fitted for the engine: the first file of each title.

    Those without a network are left out where files are on a server.
    """
    has_network = reference.system.network is not None
    time_scale = run.run.points[reference.key].record.time_scale
    machines: list[Json] = []
    for title, (name, machine) in _rated_machines(folder).items():
        if has_network and machine.network is None:
            continue
        # On the machine's own time.
        engines = fitted(machine, run.engine).model_copy(update={"time_scale": 1})
        resolved = system(engines, remote=has_network)
        machines.append(
            {
                "title": title,
                "name": name,
                **{
                    quantity.key: quantity.of(resolved, reference.system)
                    * (time_scale if quantity.is_relative else 1)
                    for quantity in quantities
                },
            }
        )
    return machines


def _files_read(file: Path) -> int:
    """The number of files that make up a machine; 0 where that fails."""
    try:
        return len(machine_files(file))
    except OsgapError:
        return 0


@cache
def _rated_machines(folder: Path) -> dict[str, tuple[str, Machine]]:
    """Title -> name and machine of the files with a rating, read once for all runs.

    Of a title's files the one that extends no other is taken.
    """
    machines: dict[str, tuple[str, Machine]] = {}
    for file in sorted(folder.rglob("*.toml"), key=lambda path: (_files_read(path), path)):
        try:
            machine = load_machine(file)
        except OsgapError:
            continue
        title = machine.description.partition(":")[0]
        if machine.mips is not None:
            name = file.relative_to(folder).with_suffix("").as_posix()
            machines.setdefault(title, (name, machine))
    return machines
