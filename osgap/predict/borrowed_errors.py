# SPDX-License-Identifier: BSD-3-Clause
"""Chooses the errors that a prediction's intervals rest on: the run's, or those of a committed run.

A run with few unused points borrows errors. The committed run varies clock, latency and bandwidth
apart. It is predicted from those of its points that are most like the points used; errors at its
other points tell how well machines with other memories are predicted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.base.paths import project_root
from osgap.machines.system import System
from osgap.predict import grid
from osgap.predict.errors import ERRORS, errors
from osgap.predict.model import FittedRun
from osgap.predict.observations import Observations, memory_position, observations
from osgap.rundir.directory import MANIFEST
from osgap.suites import load_runs, suites

_ENOUGH = 4
"""From this number of points with errors, a run borrows none."""


@dataclass(frozen=True, eq=False)
class ErrorSource:
    """Errors (rows of ERRORS) of the predicted run and of the lender, and those that count."""

    run: pd.DataFrame
    borrowed: pd.DataFrame
    counted: pd.DataFrame


@dataclass(frozen=True, eq=False)
class Lender:
    """A run that lends its errors.

    `computed` has those that were asked for, by the points that they are predicted from.
    """

    analysed: AnalysedRun
    computed: dict[tuple[str, ...], pd.DataFrame] = field(default_factory=dict)

    @cached_property
    def observations(self) -> Observations:
        """The measurements of the run."""
        return observations(self.analysed.run, self.analysed.tables["samples"])

    def errors(self, used: Sequence[System]) -> pd.DataFrame:
        """The run's errors, predicted from its points that are nearest to the systems `used`."""
        points = grid.simulated(self.analysed.run)
        train = tuple(dict.fromkeys(_nearest_key(system, points) for system in used))
        if len({point.key for point in points}) == len(train):
            return ERRORS.frame([])
        if train not in self.computed:
            self.computed[train] = errors(self.analysed, self.observations, train, suites())
        return self.computed[train]


def committed_prior() -> Path:
    """The folder of the committed runs that lend their errors, one for each engine."""
    return project_root() / "results" / "locked" / "memory-apart"


def load_prior(folder: Path | None, engine: str) -> Path | None:
    """The run of `engine` in `folder`; None without."""
    run = folder / engine if folder else None
    return run if run is not None and (run / MANIFEST).is_file() else None


def lender(prior: Path | None, engine: str) -> Lender | None:
    """The lender of errors to runs on `engine`: the run in the folder `prior`.

    Raises OsgapError.
    """
    path = load_prior(prior, engine)
    return Lender(next(iter(load_runs([path])))) if path else None


def error_source(
    fitted: FittedRun,
    systems: Sequence[System],
    lender: Lender | None,
    *,
    only_counted: bool = False,
) -> ErrorSource:
    """The errors that count for the predicted `systems`.

    Errors of `lender` are added where the run has few. They replace the run's where latency
    and bandwidth vary apart in `systems`, but not in the points used. With `only_counted`, errors
    of the run that do not count are not computed, to save time.
    """
    extrapolation = grid.extrapolation(systems, fitted.used_systems)
    none = ERRORS.frame([])
    borrows_alone = lender is not None and extrapolation.varies_apart
    run_errors = none
    if not (borrows_alone and only_counted):
        run_errors = errors(
            fitted.analysed,
            fitted.observations,
            fitted.used,
            suites(),
            beyond=extrapolation.is_beyond,
        )
    if lender is None or not (borrows_alone or run_errors["key"].nunique() < _ENOUGH):
        return ErrorSource(run_errors, none, run_errors)
    borrowed = lender.errors(fitted.used_systems)
    if borrows_alone:
        return ErrorSource(run_errors, borrowed, borrowed)
    frames = [frame for frame in (run_errors, borrowed) if len(frame)] or [run_errors]
    return ErrorSource(run_errors, borrowed, pd.concat(frames))


def _nearest_key(system: System, points: Sequence[grid.GridMachine]) -> str:
    return min(points, key=lambda point: _distance(point.system, system)).key


def _distance(system: System, other: System) -> float:
    a, b = memory_position(system), memory_position(other)
    return math.hypot(math.log(a.latency / b.latency), math.log(a.transfer / b.transfer))
