# SPDX-License-Identifier: BSD-3-Clause
"""Fits machines by simulating candidates in rounds, and writes the fits into machine files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from osgap import engines
from osgap.base import durable, inputs
from osgap.base.errors import OsgapError
from osgap.base.frozen import Frozen
from osgap.base.quoting import quoted
from osgap.engines.contract import Engine
from osgap.guest.working_sets import uncached_order
from osgap.image.files import Image
from osgap.machines.figure import Figure
from osgap.machines.machine import Fit, Machine, fitted
from osgap.machines.system import system
from osgap.points.planned import make_spec
from osgap.rundir.load import load_run
from osgap.rundir.output import claim
from osgap.rundir.point import Axes, OrdersRecord, Spec
from osgap.suites import analyze
from osgap.suites.ousterhout.calibration.fit import (
    LIMIT,
    PIPELINED,
    SHAPES,
    Rates,
    close,
    distance,
    first_guess,
    improved,
    to_fit,
)
from osgap.sweep.host import SweepContext
from osgap.sweep.locking import locked
from osgap.sweep.plan import Plan
from osgap.sweep.run import PlannedRun, run_plan

RUN = (
    "checks/empty_loop",
    "checks/integer_mix",
    "ousterhout/bcopy_cached",
    "ousterhout/bcopy_uncached",
)
ROUNDS = 6
_TIMEOUT_S = 1800.0


class CalibrationRequest(Frozen):
    """The part `sweep` of a round's run.json."""

    description: str
    engine: str
    round: int
    machines: tuple[str, ...]


@dataclass(frozen=True)
class Calibrated:
    """The result for one machine: its fit, the paper's rates and the simulated ones."""

    machine: str
    fit: Fit
    goal: Rates
    measured: Rates


@dataclass(frozen=True)
class Simulator:
    """Simulates candidate machines on one engine; each round is a run below the context's."""

    engine: Engine
    image: Image
    context: SweepContext

    def rates(
        self, machines: Mapping[str, Machine], fits: Mapping[str, Fit], number: int
    ) -> dict[str, Rates]:
        """Simulates each machine with its fit; rates are in the machine's own time."""
        specs = {name: self._spec(name, machines[name], fit) for name, fit in fits.items()}
        request = CalibrationRequest(
            description="candidates of a calibration",
            engine=self.engine.name,
            round=number,
            machines=tuple(specs),
        )
        plan = Plan(tuple(specs.values()), {})
        context = replace(self.context, run=self.context.run / f"round-{number}")
        with locked(claim(context.run)):
            run_plan(context, PlannedRun(request, plan, self.engine, self.image))
        tables = analyze(load_run(context.run))
        return {name: _rates(tables, spec) for name, spec in specs.items()}

    def _spec(self, name: str, machine: Machine, fit: Fit) -> Spec:
        engine = self.engine
        resolved = system(
            fitted(machine.model_copy(update={"fit": {engine.name: fit}}), engine.name)
        )
        engine.check(resolved)
        axes = Axes(clock_mhz=round(fit.clock_mhz.value, 4), memory="fixed", disk="fixed", seed=0)
        size = uncached_order(RUN, resolved.last_cache_bytes, resolved.memory.size_mib)
        orders = OrdersRecord(run=RUN, fs=("unix",), seed=0, uncached=size)
        return make_spec(
            engine, self.image, name, axes, resolved, orders, _TIMEOUT_S, fit.time_scale
        )


def calibrate(
    machines: Mapping[str, Machine],
    goals: Mapping[str, Rates],
    engine: str,
    context: SweepContext,
    *,
    pipelined: bool = False,
) -> list[Calibrated]:
    """Fits each machine on `engine`; rounds are runs below the context's. Raises OsgapError.

    A machine is done when MIPS and uncached copying are within 1 %, or after ROUNDS rounds.
    """
    shapes = PIPELINED if pipelined else SHAPES
    if engine not in shapes:
        raise OsgapError(f"engine: found {quoted(engine)}; allowed: {', '.join(sorted(shapes))}")
    shape, loaded = shapes[engine], engines.load(engine)
    image = loaded.image(context.host.image)
    simulator = Simulator(loaded, image, replace(context, run=claim(context.run)))
    guesses = {name: first_guess(machines[name], goals[name], shape) for name in machines}
    best: dict[str, Calibrated] = {}
    todo = list(machines)
    for number in range(1, ROUNDS + 1):
        fits = {
            name: to_fit(guesses[name], machines[name], shape, _refill(machines[name], engine))
            for name in todo
        }
        rates = simulator.rates(machines, fits, number)
        for name in todo:
            result = Calibrated(name, fits[name], goals[name], rates[name])
            closest = best.setdefault(name, result)
            if distance(result.goal, result.measured) < distance(closest.goal, closest.measured):
                best[name] = result
            guesses[name] = improved(guesses[name], result.goal, result.measured, shape)
        todo = [name for name in todo if not close(best[name].goal, best[name].measured)]
        if not todo:
            break
    return [best[name] for name in machines]


def _refill(machine: Machine, engine: str) -> int | None:
    """Returns the refill cycles of the machine's older fit: nothing is fitted to them."""
    older = machine.fit.get(engine)
    return older.refill_cycles if older else None


def _rates(tables: Mapping[str, pd.DataFrame], spec: Spec) -> Rates:
    points, times = tables["points"], tables["times"]
    medians = times[times["key"] == spec.key].set_index("benchmark")["median"]
    mips = points[points["key"] == spec.key]["mips"].iloc[0]
    simulated = (float(mips), float(medians["bcopy_cached"]), float(medians["bcopy_uncached"]))
    return Rates(*(value / spec.time_scale for value in simulated))


def write_fit(path: Path, engine: str, fit: Fit) -> None:
    """Replaces or adds the section [fit.ENGINE] of the machine file at `path`.

    Such sections come last and in order, so that an equal fit leaves the file as it is.
    """
    sections: dict[str, list[str]] = {"": []}
    name = ""
    for line in inputs.read_text(path).splitlines():
        if line.startswith("["):
            name = line.strip() if line.startswith("[fit.") else ""
        sections.setdefault(name, []).append(line)
    sections[f"[fit.{engine}]"] = [f"[fit.{engine}]", *_toml(fit).splitlines()]
    texts = ["\n".join(sections[name]).strip("\n") for name in sorted(sections)]
    durable.write_text(path, "\n\n".join(texts) + "\n")


def _toml(fit: Fit) -> str:
    rows = [f"time_scale = {fit.time_scale!r}", f"line_bytes = {fit.line_bytes}"]
    if fit.core:
        rows.insert(1, f'core = "{fit.core}"')
    if fit.refill_cycles:
        rows.insert(2, f"refill_cycles = {fit.refill_cycles}")
    for name, figure in fit:
        if isinstance(figure, Figure):
            rows.append(f'{name} = {{ value = {figure.value!r}, source = "{figure.source}" }}')
    return "\n".join(rows) + "\n"


def table_rows(results: Sequence[Calibrated]) -> list[dict[str, object]]:
    """One row for each machine: both rates, their ratios, and the rates over 5 % apart."""
    rows: list[dict[str, object]] = []
    for result in results:
        row: dict[str, object] = {"machine": result.machine}
        beyond = []
        for name in ("mips", "cached", "uncached"):
            goal, rate = getattr(result.goal, name), getattr(result.measured, name)
            row.update({f"{name}_paper": goal, name: rate, f"{name}_ratio": rate / goal})
            if abs(rate / goal - 1) > LIMIT:
                beyond.append(name)
        rows.append({**row, "beyond_5_percent": " ".join(beyond) or "none"})
    return rows
