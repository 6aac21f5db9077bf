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
    """Errors (rows of ERRORS) of the predicted run, and those that count."""

    run: pd.DataFrame
    counted: pd.DataFrame


@dataclass(frozen=True, eq=False)
class Lender:
    """A run that lends its errors; `computed` has them by the points that predict them."""

    analysed: AnalysedRun
    computed: dict[tuple[str, ...], pd.DataFrame] = field(default_factory=dict)

    @cached_property
    def observations(self) -> Observations:
        """The measurements of the run."""
        return observations(self.analysed.run, self.analysed.tables["samples"])

    def errors(self, used: Sequence[System]) -> pd.DataFrame:
        """The run's errors, predicted from its points that are nearest to the systems `used`."""
        points = grid.simulated(self.analysed.run)
        nearest = (
            min(points, key=lambda point: _distance(point.system, system)).key for system in used
        )
        train = tuple(dict.fromkeys(nearest))
        if len({point.key for point in points}) == len(train):
            return ERRORS.frame([])
        if train not in self.computed:
            self.computed[train] = errors(self.analysed, self.observations, train, suites())
        return self.computed[train]


def committed_prior() -> Path:
    """The folder of the committed runs that lend their errors, one for each engine."""
    return project_root() / "results" / "locked" / "prediction" / "latency-bandwidth"


def load_prior(folder: Path | None, engine: str) -> Path | None:
    """The run of `engine` in `folder`; None without."""
    run = folder / engine if folder else None
    return run if run is not None and (run / MANIFEST).is_file() else None


def lender(prior: Path | None, engine: str) -> Lender | None:
    """The lender of errors to runs on `engine` in the folder `prior`. Raises OsgapError."""
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

    Errors of `lender` are added where the run has few, and replace them where latency and bandwidth
    vary apart in `systems`, but not in the points used. With `only_counted`, errors that do not
    count are not computed, to save time. Runs with files on a server borrow none: no committed run
    has such files.
    """
    if any(system.network for system in fitted.used_systems):
        lender = None
    extrapolation = grid.extrapolation(systems, fitted.used_systems)
    borrows_alone = lender is not None and extrapolation.varies_apart
    run_errors = ERRORS.frame([])
    if not (borrows_alone and only_counted):
        measured, beyond = fitted.observations, extrapolation.is_beyond
        run_errors = errors(fitted.analysed, measured, fitted.used, suites(), beyond=beyond)
    if lender is None or not (borrows_alone or run_errors["key"].nunique() < _ENOUGH):
        return ErrorSource(run_errors, run_errors)
    borrowed = lender.errors(fitted.used_systems)
    if borrows_alone:
        return ErrorSource(run_errors, borrowed)
    frames = [frame for frame in (run_errors, borrowed) if len(frame)] or [run_errors]
    return ErrorSource(run_errors, pd.concat(frames))


def _distance(system: System, other: System) -> float:
    a, b = memory_position(system), memory_position(other)
    return math.hypot(math.log(a.latency / b.latency), math.log(a.transfer / b.transfer))
