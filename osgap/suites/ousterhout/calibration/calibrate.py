# SPDX-License-Identifier: BSD-3-Clause
"""What scripts/calibrate.py does: simulate, improve, again; then write the machine files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from rich.console import Console

from osgap import engines
from osgap.base import durable, inputs
from osgap.base.frozen import Frozen
from osgap.base.quoting import quoted
from osgap.engines.contract import Engine
from osgap.image.files import Image
from osgap.machines.machine import Figure, Fit, Machine, fitted
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
    CalibrationError,
    Rates,
    close,
    distance,
    first_guess,
    improved,
    to_fit,
)
from osgap.sweep.host import Host, SweepContext
from osgap.sweep.plan import Plan
from osgap.sweep.run import PlannedRun, run_plan
from osgap.sweep.snakemake import locked

RUN = (
    "checks/empty_loop",
    "checks/integer_mix",
    "ousterhout/bcopy_cached",
    "ousterhout/bcopy_uncached",
)
ROUNDS = 6
_TIMEOUT_S = 1800.0


class CalibrationRequest(Frozen):
    """The part `sweep` of the run.json of a round."""

    description: str
    engine: str
    round: int
    machines: tuple[str, ...]


@dataclass(frozen=True)
class Calibrated:
    """One machine's result: the fit, what was wanted and what it does."""

    machine: str
    fit: Fit
    wanted: Rates
    found: Rates


@dataclass(frozen=True)
class Bench:
    """Where candidates are simulated: the engine, its image and the host."""

    engine: Engine
    image: Image
    host: Host


def calibrate(
    machines: Mapping[str, Machine],
    wanted: Mapping[str, Rates],
    engine: str,
    run: Path,
    host: Host,
    console: Console,
    *,
    pipelined: bool = False,
) -> list[Calibrated]:
    """Fits each machine on `engine`; rounds are runs below `run`. Raises OsgapError.

    `pipelined`: with a pipelined core in place of each machine's own.

    A machine is done when MIPS and uncached copying are within 1 %, or after ROUNDS rounds.
    """
    shapes = PIPELINED if pipelined else SHAPES
    if engine not in shapes:
        raise CalibrationError(
            f"engine: found {quoted(engine)}; allowed: {', '.join(sorted(shapes))}"
        )
    shape = shapes[engine]
    loaded = engines.load(engine)
    bench = Bench(loaded, loaded.image(host.image), host)
    run = claim(run)
    guesses = {name: first_guess(machines[name], wanted[name], shape) for name in machines}
    best: dict[str, Calibrated] = {}
    todo = list(machines)
    for number in range(1, ROUNDS + 1):
        fits = {
            name: to_fit(guesses[name], machines[name], shape, _refill(machines[name], engine))
            for name in todo
        }
        rates = _simulate(machines, fits, bench, run / f"round-{number}", number, console)
        for name in todo:
            result = Calibrated(name, fits[name], wanted[name], rates[name])
            kept = best.setdefault(name, result)
            if distance(result.wanted, result.found) < distance(kept.wanted, kept.found):
                best[name] = result
            guesses[name] = improved(guesses[name], result.wanted, result.found, shape)
        todo = [name for name in todo if not close(best[name].wanted, best[name].found)]
        if not todo:
            break
    return [best[name] for name in machines]


def _refill(machine: Machine, engine: str) -> int | None:
    """What a fit before this one says of taken branches, which nothing is fitted to."""
    before = machine.fit.get(engine)
    return before.refill_cycles if before else None


def _simulate(
    machines: Mapping[str, Machine],
    fits: Mapping[str, Fit],
    bench: Bench,
    run: Path,
    number: int,
    console: Console,
) -> dict[str, Rates]:
    """What each candidate does, on the machine's own time."""
    specs = {name: _spec(name, machines[name], fit, bench) for name, fit in fits.items()}
    request = CalibrationRequest(
        description="candidates of a calibration",
        engine=bench.engine.name,
        round=number,
        machines=tuple(specs),
    )
    plan = Plan(tuple(specs.values()), {})
    with locked(claim(run)):
        context = SweepContext(run, bench.host, console)
        run_plan(context, PlannedRun(request, plan, bench.engine, bench.image))
    tables = analyze(load_run(run))
    return {name: _rates(tables, spec) for name, spec in specs.items()}


def _spec(name: str, machine: Machine, fit: Fit, bench: Bench) -> Spec:
    candidate = fitted(
        machine.model_copy(update={"fit": {bench.engine.name: fit}}), bench.engine.name
    )
    resolved = system(candidate)
    bench.engine.check(resolved)
    axes = Axes(clock_mhz=round(fit.clock_mhz.value, 4), memory="fixed", disk="fixed", seed=0)
    orders = OrdersRecord(run=RUN, fs=("unix",), seed=0)
    return make_spec(
        bench.engine, bench.image, name, axes, resolved, orders, _TIMEOUT_S, fit.time_scale
    )


def _rates(tables: Mapping[str, pd.DataFrame], spec: Spec) -> Rates:
    points, times = tables["points"], tables["times"]
    own = times[times["key"] == spec.key].set_index("benchmark")["median"]
    mips = points[points["key"] == spec.key]["mips"].iloc[0]
    simulated = (float(mips), float(own["bcopy_cached"]), float(own["bcopy_uncached"]))
    return Rates(*(value / spec.time_scale for value in simulated))


def write_fit(path: Path, engine: str, fit: Fit) -> None:
    """Puts the section [fit.ENGINE] into the machine file at `path`, in place of an older one.

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
    """One row a machine: wanted and found, their ratios, and whether all are within 5 %."""
    rows: list[dict[str, object]] = []
    for result in results:
        row: dict[str, object] = {"machine": result.machine}
        beyond = []
        for name in ("mips", "cached", "uncached"):
            want, got = getattr(result.wanted, name), getattr(result.found, name)
            row.update({f"{name}_paper": want, name: got, f"{name}_ratio": got / want})
            if abs(got / want - 1) > LIMIT:
                beyond.append(name)
        rows.append({**row, "beyond_5_percent": " ".join(beyond) or "none"})
    return rows
