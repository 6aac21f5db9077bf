# SPDX-License-Identifier: BSD-3-Clause
"""Runs a sweep of which some points are simulated and the others predicted (sweep --predict).

Its run.json names the simulated points and the `Aim`. The grid that the sweep asks for is predicted
wherever the run is read.
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
from osgap.base.quoting import counted
from osgap.machines.axes import START
from osgap.machines.system import System
from osgap.predict.points_to_simulate import farthest, first_keys
from osgap.predict.prediction import Prediction, only_run, predict_run
from osgap.rundir.files import is_done
from osgap.rundir.manifest import Aim
from osgap.rundir.output import claim
from osgap.sweep.host import SweepContext
from osgap.sweep.locking import locked
from osgap.sweep.plan import Plan
from osgap.sweep.run import SweepRun, for_each_run, run_plan
from osgap.sweep.spec import SweepFile


@dataclass(frozen=True)
class Folders:
    """The folders of machine files, and of the runs that lend their errors."""

    machines: Path
    prior: Path


def run_predicted(sweep: SweepFile, folders: Folders, aim: Aim, context: SweepContext) -> None:
    """Simulates the points that `aim` needs, in each run of the sweep. Raises OsgapError."""
    if sweep.remote:
        raise _of_server(sweep.fs)
    starts = sweep.values(START) or ()
    if len(starts) > 1:
        raise ConfigError(f"--predict: found {len(starts)} starts (seeds); allowed: one")

    def work(run: SweepRun) -> None:
        _AdaptiveRun(run, folders, aim).run()

    for_each_run(sweep, folders.machines, context, work)


def predicted_grid(
    analysed: AnalysedRun, folders: Folders, layout_runs: Sequence[Path] = ()
) -> Prediction:
    """Predicts the grid of the run's own sweep; simulated points keep their values."""
    return predict_run(
        analysed, {}, (), folders.machines, layout_runs, prior=folders.prior, settle=True
    )


def first_points(plan: Plan) -> Plan:
    """The points of a plan that are simulated first. Raises ConfigError."""
    for spec in plan.specs:
        if spec.system.network is not None:
            raise _of_server(spec.orders.fs)
    return only(plan, first_keys({spec.key: spec.system for spec in plan.specs}))


def _of_server(file_systems: Sequence[str]) -> ConfigError:
    """The error for files on a server: the choice of points does not look at their network."""
    names = ", ".join(file_systems)
    return ConfigError(f"--predict: found with fs {names}; allowed: files on the machine's disk")


def only(plan: Plan, keys: Sequence[str]) -> Plan:
    """The points of a plan with these keys, in its order."""
    series = {
        name: clocks
        for name, by_clock in plan.series.items()
        if (clocks := {clock: key for clock, key in by_clock.items() if key in keys})
    }
    return Plan(tuple(spec for spec in plan.specs if spec.key in keys), series)


@dataclass(frozen=True, eq=False)
class _AdaptiveRun:
    """A run whose points are simulated in rounds until the aim is reached."""

    sweep_run: SweepRun
    folders: Folders
    aim: Aim

    def run(self) -> None:
        """Raises OsgapError."""
        planned, context = self.sweep_run.planned, self.sweep_run.context
        run, began = claim(context.run), time.monotonic()
        with locked(run):
            systems = {spec.key: spec.system for spec in planned.plan.specs}
            keys = first_keys(systems)
            keys += [key for key in systems if key not in keys and is_done(run, key)]
            while True:
                started = time.monotonic()
                chosen = replace(planned, plan=only(planned.plan, keys))
                run_plan(replace(context, run=run), chosen, {"predict": self.aim})
                prediction = predicted_grid(only_run(run), self.folders)
                now = time.monotonic()
                out_of_time = (
                    self.aim.budget_s is not None
                    and now - began + (now - started) > self.aim.budget_s
                )
                more = [] if out_of_time else self._next(planned.plan, prediction, systems, keys)
                if not more:
                    break
                keys += more
        context.console.print(_summary(len(keys), len(systems), prediction.means))

    def _next(
        self,
        plan: Plan,
        prediction: Prediction,
        systems: Mapping[str, System],
        keys: Sequence[str],
    ) -> list[str]:
        """Keys of the points to simulate next, as many as run at once; none if precise enough."""
        if self.aim.tolerance is None:
            return []
        wide = prediction.means[widths(prediction.means) > self.aim.tolerance]
        positions = wide[["series", "clock_mhz"]].drop_duplicates()
        wide_keys = [
            plan.series[str(series)][f"{clock:g}"]
            for series, clock in positions.itertuples(index=False, name=None)
        ]
        left = [key for key in dict.fromkeys(wide_keys) if key not in keys]
        slots = self.sweep_run.context.host.points_at_once(self.sweep_run.spec.memory_limit_mib)
        return farthest(left, keys, systems, slots)


def widths(means: pd.DataFrame) -> pd.Series:
    """The part of each mean by which it may be off, with 95 %; infinite without an interval."""
    wide: pd.Series = (means["high"] / means["geomean"] - 1).astype(float)
    return wide.fillna(np.inf)


def _summary(simulated: int, points: int, means: pd.DataFrame) -> str:
    off = float(widths(means).max())
    interval = f"means of R within {off:.1%} with 95 %"
    if not np.isfinite(off):
        interval = "no interval is known"
    return f"{simulated} of {counted(points, 'point')} simulated, the others predicted: {interval}"
