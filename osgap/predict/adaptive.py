# SPDX-License-Identifier: BSD-3-Clause
"""A sweep of which only those points are simulated that the others are predicted from.

Its run.json names the points that were simulated, and beside what was asked for the `Aim`; the grid
of what was asked for is predicted wherever the run is read.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.base.config import ConfigError
from osgap.machines.axes import START
from osgap.machines.system import System
from osgap.predict.points_to_simulate import farthest, first_keys
from osgap.predict.prediction import Prediction, only_run, predict_run
from osgap.rundir.files import is_done
from osgap.rundir.manifest import Aim
from osgap.rundir.output import claim
from osgap.sweep.host import SweepContext, workers
from osgap.sweep.locking import locked
from osgap.sweep.plan import Plan
from osgap.sweep.run import PlannedRun, for_each_run, plan_for, run_plan
from osgap.sweep.spec import RunSpec, SweepFile


@dataclass(frozen=True)
class Folders:
    """Where machine files are, and the runs whose errors count where there are no others."""

    machines: Path
    prior: Path


def run_predicted(sweep: SweepFile, folders: Folders, aim: Aim, context: SweepContext) -> None:
    """Simulates what `aim` needs of each run of the sweep, as osgap.sweep.run.run_sweeps.

    Raises OsgapError, for several starts, of which all but one would be left out.
    """
    starts = sweep.values(START) or ()
    if len(starts) > 1:
        raise ConfigError(f"--predict: found {len(starts)} starts (seeds); allowed: one")

    def work(run_spec: RunSpec, run_context: SweepContext) -> None:
        _Adaptive(run_spec, folders, aim, run_context).run()

    for_each_run(sweep, context, work)


def predicted_grid(
    analysed: AnalysedRun, folders: Folders, lenders: Sequence[Path] = ()
) -> Prediction:
    """The grid that the run was asked for: what was simulated, and what follows from it."""
    return predict_run(
        analysed, {}, (), folders.machines, lenders, prior=folders.prior, settle=True
    )


def first_points(plan: Plan) -> Plan:
    """What is simulated of a plan before anything is known."""
    return only(plan, first_keys({spec.key: spec.system for spec in plan.specs}))


def only(plan: Plan, keys: Sequence[str]) -> Plan:
    """The points of a plan with these keys, in its order."""
    wanted = set(keys)
    series = {
        name: {clock: key for clock, key in own.items() if key in wanted}
        for name, own in plan.series.items()
    }
    kept = {name: own for name, own in series.items() if own}
    return Plan(tuple(spec for spec in plan.specs if spec.key in wanted), kept)


@dataclass(frozen=True, eq=False)
class _Adaptive:
    """One run: points are simulated in rounds until the aim is reached."""

    run_spec: RunSpec
    folders: Folders
    aim: Aim
    context: SweepContext

    def run(self) -> None:
        """Raises OsgapError."""
        run, began = claim(self.context.run), time.monotonic()
        with locked(run):
            planned = plan_for(self.run_spec, self.folders.machines, self.context.host)
            systems = {spec.key: spec.system for spec in planned.plan.specs}
            keys = first_keys(systems)
            keys += [key for key in systems if key not in keys and is_done(run, key)]
            while True:
                started = time.monotonic()
                self._simulate(run, planned, keys)
                made = predicted_grid(only_run(run), self.folders)
                now = time.monotonic()
                out_of_time = (
                    self.aim.budget_s is not None
                    and now - began + (now - started) > self.aim.budget_s
                )
                more = [] if out_of_time else self._next(planned.plan, made, systems, keys)
                if not more:
                    break
                keys += more
        self.context.console.print(_summary(len(keys), len(systems), made.means), soft_wrap=True)

    def _simulate(self, run: Path, planned: PlannedRun, keys: Sequence[str]) -> None:
        chosen = replace(planned, plan=only(planned.plan, keys))
        run_plan(replace(self.context, run=run), chosen, {"predict": self.aim})

    def _next(
        self,
        plan: Plan,
        made: Prediction,
        systems: Mapping[str, System],
        keys: Sequence[str],
    ) -> list[str]:
        """The points to simulate now, as many as run at once; none where all are known enough."""
        if self.aim.tolerance is None:
            return []
        wide = made.means[widths(made.means) > self.aim.tolerance]
        places = wide[["series", "clock_mhz"]].drop_duplicates().itertuples(index=False, name=None)
        found = [plan.series[str(series)][f"{clock:g}"] for series, clock in places]
        left = [key for key in dict.fromkeys(found) if key not in keys]
        slots = self.context.host.jobs or workers(self.run_spec.memory_limit_mib)
        return farthest(left, keys, systems, slots)


def widths(means: pd.DataFrame) -> pd.Series:
    """By what part of a mean it may be off, with 95 %; infinite where that is not known."""
    wide: pd.Series = (means["high"] / means["geomean"] - 1).astype(float)
    return wide.fillna(np.inf)


def _summary(simulated: int, points: int, means: pd.DataFrame) -> str:
    off = float(widths(means).max())
    told = f"means of R within {off:.1%} with 95 %" if np.isfinite(off) else "no interval is known"
    return f"{simulated} of {points} points simulated, the others predicted: {told}"
