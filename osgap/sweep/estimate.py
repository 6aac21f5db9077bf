# SPDX-License-Identifier: BSD-3-Clause
"""What a sweep would run, and how long that would take, without running it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.table import Table

from osgap import engines
from osgap.base.errors import OsgapError
from osgap.base.terminal import columns
from osgap.machines.axes import AXES
from osgap.points import record
from osgap.points.planned import read_plan
from osgap.points.record import State
from osgap.rundir import pointfiles
from osgap.rundir.directory import runs_below
from osgap.rundir.point import Spec
from osgap.sweep.host import Host, workers
from osgap.sweep.plan import Plan
from osgap.sweep.run import plan_for
from osgap.sweep.spec import RunSpec, SweepFile, each_run
from osgap.sweep.status import duration

Key = TypeVar("Key")


@dataclass(frozen=True)
class Past:
    """What finished points took on this host, s: by engine and benchmarks, and by engine."""

    alike: Mapping[tuple[str, tuple[str, ...]], float]
    engine: Mapping[str, float]

    def cost(self, spec: Spec) -> float | None:
        """The mean of points with the same benchmarks, else of the engine's; None without any."""
        own = self.alike.get((spec.engine, spec.orders.run))
        return own if own is not None else self.engine.get(spec.engine)


def past(*directories: Path) -> Past:
    """The records of every finished point of the runs in or below `directories`."""
    alike: dict[tuple[str, tuple[str, ...]], list[float]] = {}
    engine: dict[str, list[float]] = {}
    for run in {run for directory in directories for run in runs_below(directory)}:
        for file in (run / "records").glob("*.json"):
            one = record.read(run, file.stem)
            if one.state is not State.DONE or one.total_s is None:
                continue
            try:
                spec = read_plan(run, file.stem)
            except OsgapError:
                continue
            alike.setdefault((spec.engine, spec.orders.run), []).append(one.total_s)
            engine.setdefault(spec.engine, []).append(one.total_s)
    return Past(_means(alike), _means(engine))


def _means(costs: Mapping[Key, Sequence[float]]) -> dict[Key, float]:
    return {key: sum(values) / len(values) for key, values in costs.items()}


def show_plan(
    sweep: SweepFile,
    run: Path,
    machines: Path,
    host: Host,
    runs: Path,
    console: Console,
    chosen: Callable[[Plan], Plan] | None = None,
) -> None:
    """Prints the points that the sweep would run into `run`, a row each, and the time they take.

    With `chosen` only those that it leaves of a plan.

    The time is estimated from the finished points of `run` and of those below `runs`. Raises
    OsgapError as the sweep itself would before it starts.
    """
    known, engine = past(runs, run), engines.load(sweep.engine)
    costs: list[float | None] = []
    for name, asked in each_run(sweep).items():
        plan = plan_for(asked, machines, host.with_variant(engine, asked.variant)).plan
        specs = (chosen(plan) if chosen else plan).specs
        left = {s.key: known.cost(s) for s in specs if not pointfiles.is_done(run / name, s.key)}
        console.print(_title(asked, run / name), soft_wrap=True, highlight=False)
        console.print(_table(specs, left))
        costs += left.values()
    console.print(_summary(costs, host.jobs or workers(sweep.memory_limit_mib)))


def _title(asked: RunSpec, run: Path) -> str:
    return f"{run}: machine {asked.machine}, variant {asked.variant}, calls {asked.calls}"


def _table(specs: Sequence[Spec], left: Mapping[str, float | None]) -> Table:
    table = columns("point", *(axis.heading for axis in AXES), "state", "estimated")
    for spec in specs:
        values = [axis.printed(spec.axes, spec.system) for axis in AXES]
        state = ("to run", duration(left[spec.key])) if spec.key in left else ("finished", "")
        table.add_row(spec.key, *values, *state)
    return table


def _summary(costs: Sequence[float | None], slots: int) -> str:
    """`costs` are those of the points to run, s; None where none is known."""
    known = [cost for cost in costs if cost is not None]
    if not costs:
        return "nothing to run: all points are finished"
    todo = f"{len(costs)} points to run, {slots} at a time"
    if len(known) < len(costs):
        return f"{todo}; no finished point tells how long they take"
    return (
        f"{todo}: about {duration(sum(known) / min(slots, len(costs)))}, if they take what "
        "finished points with the same benchmarks took (else the engine's mean)"
    )
