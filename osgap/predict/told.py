# SPDX-License-Identifier: BSD-3-Clause
"""Which errors count for the machines that are asked for: a run's own, or another run's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.machines.system import System
from osgap.predict import grid
from osgap.predict.borrowed_errors import is_apart, is_beyond, load_prior, prior_errors
from osgap.predict.errors import ERROR_COLUMNS, errors
from osgap.predict.observations import Observations
from osgap.suites import load_runs, suites

_ENOUGH = 4
"""Points with errors of their own, from which another run's no longer count."""


@dataclass(frozen=True, eq=False)
class Told:
    """`apart` are the run's own errors, `elsewhere` another's, `counted` those that count."""

    apart: pd.DataFrame
    elsewhere: pd.DataFrame
    counted: pd.DataFrame


def lender(prior: Path | None, engine: str) -> AnalysedRun | None:
    """The run whose errors are lent to runs on `engine`: that of `prior`, a folder with a run of
    each engine. Raises OsgapError."""
    path = load_prior(prior, engine)
    return next(iter(load_runs([path]))) if path else None


def told(
    analysed: AnalysedRun,
    seen: Observations,
    used: Sequence[str],
    wanted: Sequence[System],
    other: AnalysedRun | None,
    *,
    only_counted: bool = False,
) -> Told:
    """The errors for machines `wanted`, predicted from the run's points `used`.

    `other` is another run on its engine (`lender`), whose errors count where the run has few of its
    own, and alone where memories are asked for that differ as none of the run's do. With
    `only_counted` its own, which take time, are left out where they do not count.
    """
    systems = [analysed.run.points[key].record.system for key in used]
    alone = other is not None and is_apart(wanted, systems)
    none = pd.DataFrame(columns=ERROR_COLUMNS)
    apart = none if alone and only_counted else _own(analysed, seen, used, wanted)
    if other is None or not (alone or apart["key"].nunique() < _ENOUGH):
        return Told(apart, none, apart)
    lent = prior_errors(systems, other, suites())
    if alone:
        return Told(apart, lent, lent)
    both = [frame for frame in (apart, lent) if len(frame)] or [apart]
    return Told(apart, lent, pd.concat(both))


def _own(
    analysed: AnalysedRun, seen: Observations, used: Sequence[str], wanted: Sequence[System]
) -> pd.DataFrame:
    beyond = is_beyond(wanted, [analysed.run.points[key].record.system for key in used])
    points = grid.simulated(analysed.run)
    return errors(seen, used, points, analysed.tables, suites(), beyond=beyond)
