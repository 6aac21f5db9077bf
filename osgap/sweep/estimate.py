# SPDX-License-Identifier: BSD-3-Clause
"""Shows the points that a sweep would run, with an estimate of the time (`--dry-run`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from rich.table import Table

from osgap import engines
from osgap.base.errors import OsgapError
from osgap.base.quoting import counted
from osgap.base.terminal import columns
from osgap.machines.axes import AXES
from osgap.points import record
from osgap.points.planned import read_plan
from osgap.points.record import State
from osgap.rundir.directory import runs_below
from osgap.rundir.files import is_done
from osgap.rundir.point import Spec
from osgap.sweep.host import SweepContext
from osgap.sweep.jobs import advice
from osgap.sweep.plan import Plan
from osgap.sweep.run import sweep_runs
from osgap.sweep.spec import SweepFile
from osgap.sweep.status import duration

Key = TypeVar("Key")


@dataclass(frozen=True)
class MeanCosts:
    """Mean seconds of finished points on this host, by engine and benchmarks, and by engine."""

    alike: Mapping[tuple[str, tuple[str, ...]], float]
    engine: Mapping[str, float]

    def cost(self, spec: Spec) -> float | None:
        """The mean of points with the same benchmarks, else of the engine's; None without any."""
        seconds = self.alike.get((spec.engine, spec.orders.run))
        return seconds if seconds is not None else self.engine.get(spec.engine)


def mean_costs(*directories: Path) -> MeanCosts:
    """Mean costs of the finished points of all runs in or below `directories`."""
    alike: dict[tuple[str, tuple[str, ...]], list[float]] = {}
    engine: dict[str, list[float]] = {}
    for run in {run for directory in directories for run in runs_below(directory)}:
        for file in (run / "records").glob("*.json"):
            point = record.read(run, file.stem)
            if point.state is not State.DONE or point.total_s is None:
                continue
            try:
                spec = read_plan(run, file.stem)
            except OsgapError:
                continue
            alike.setdefault((spec.engine, spec.orders.run), []).append(point.total_s)
            engine.setdefault(spec.engine, []).append(point.total_s)
    return MeanCosts(_means(alike), _means(engine))


def _means(costs: Mapping[Key, Sequence[float]]) -> dict[Key, float]:
    return {key: sum(values) / len(values) for key, values in costs.items()}


def show_plan(
    sweep: SweepFile,
    machines: Path,
    runs: Path,
    context: SweepContext,
    reduce: Callable[[Plan], Plan] | None = None,
) -> None:
    """Prints a row for each point that the sweep would run, and the estimated time of all.

    The estimate comes from the finished points of the context's directory and of all runs below
    `runs`. `reduce` leaves out points of a plan that would not be simulated. Raises OsgapError as
    the sweep itself would before it starts.
    """
    finished, console = mean_costs(runs, context.run), context.console
    costs: list[float | None] = []
    for planned_run in sweep_runs(sweep, machines, context):
        run, spec, plan = planned_run.context.run, planned_run.spec, planned_run.planned.plan
        specs = (reduce(plan) if reduce else plan).specs
        left = {s.key: finished.cost(s) for s in specs if not is_done(run, s.key)}
        system = f"machine {spec.machine}, variant {spec.variant}, calls {spec.calls}"
        console.print(f"{run}: {system}")
        console.print(_table(specs, left))
        costs += left.values()
    slots = context.host.points_at_once(sweep.memory_limit_mib)
    console.print(_summary(costs, slots))
    if hint := advice(engines.load(sweep.engine), len(costs), slots, _mean(costs)):
        console.print(f"over an hour: {hint}")


def _table(specs: Sequence[Spec], left: Mapping[str, float | None]) -> Table:
    """A row for each point; without the axes of a part that no system has."""
    cells = [[axis.printed(spec.axes, spec.system) for spec in specs] for axis in AXES]
    headings = [axis.heading for axis, values in zip(AXES, cells, strict=True) if any(values)]
    table = columns("point", *headings, "state", "estimated")
    for spec, *values in zip(specs, *filter(any, cells), strict=True):
        state = ("to run", duration(left[spec.key])) if spec.key in left else ("finished", "")
        table.add_row(spec.key, *values, *state)
    return table


def _mean(costs: Sequence[float | None]) -> float | None:
    estimates = [cost for cost in costs if cost is not None]
    return sum(estimates) / len(estimates) if estimates else None


def _summary(costs: Sequence[float | None], slots: int) -> str:
    """The number of points to run and their time; `costs` are seconds, None for unknown ones."""
    estimates = [cost for cost in costs if cost is not None]
    if not costs:
        return "nothing to run: all points are finished"
    todo = f"{counted(len(costs), 'point')} to run, {slots} at a time"
    if len(estimates) < len(costs):
        return f"{todo}; no finished point tells how long they take"
    return (
        f"{todo}: about {duration(sum(estimates) / min(slots, len(costs)))}, if they take what "
        "finished points with the same benchmarks took (else the engine's mean)"
    )
