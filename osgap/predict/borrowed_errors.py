# SPDX-License-Identifier: BSD-3-Clause
"""Errors of the formula on another run, for predictions that have none of their own to go by.

The run varies clock, latency and bandwidth apart. Predicted from those of its points that stand
where the used ones do, its other points say how far off machines of other memories are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.suite import Suite
from osgap.base.paths import project_root
from osgap.machines.system import System
from osgap.predict import grid
from osgap.predict.errors import ERROR_COLUMNS, errors
from osgap.predict.observations import Observations, exact_place, observations, place_of
from osgap.predict.tables import Machine
from osgap.rundir.directory import MANIFEST
from osgap.suites import load_runs, suites

_SAME_RATIO = 1.05
"""Latencies and transfers whose ratios are nearer are not varied apart."""

_FARTHER = 1.1
"""What is no more than this outside is as if inside."""


def committed_prior() -> Path:
    """The folder of the committed runs whose errors are lent, one of each engine."""
    return project_root() / "results" / "locked" / "memory-apart"


def load_prior(folder: Path | None, engine: str) -> Path | None:
    """The run of `engine` in `folder`, if there is one."""
    run = folder / engine if folder else None
    return run if run is not None and (run / MANIFEST).is_file() else None


def prior_errors(
    used: Sequence[System], other: AnalysedRun, suites: Sequence[Suite]
) -> pd.DataFrame:
    """A row a number at each of the other run's points that stands for none of `used`."""
    seen = observations(other.run, other.tables["samples"])
    points = grid.simulated(other.run)
    train = list(dict.fromkeys(_nearest(system, points) for system in used))
    if len({point.key for point in points}) == len(train):
        return pd.DataFrame(columns=ERROR_COLUMNS)
    return errors(seen, train, points, other.tables, suites)


def is_apart(asked: Sequence[System], used: Sequence[System]) -> bool:
    """Whether what is asked for varies latency and bandwidth apart, and what is used does not."""
    return _spread([*asked, *used]) > _SAME_RATIO > _spread(used)


def is_beyond(asked: Sequence[System], used: Sequence[System]) -> bool:
    """Whether what is asked for waits more or less cycles for memory than all that is used."""
    here, there = ([place_of(one) for one in systems] for systems in (asked, used))
    return any(
        max(own) > _FARTHER * max(known) or min(own) < min(known) / _FARTHER
        for own, known in (
            ([p.latency for p in here], [p.latency for p in there]),
            ([p.transfer for p in here], [p.transfer for p in there]),
        )
    )


def _spread(systems: Sequence[System]) -> float:
    """The largest ratio of latency to transfer, by the least."""
    places = [exact_place(system) for system in systems]
    ratios = [place.latency / place.transfer for place in places]
    return max(ratios) / min(ratios)


def _nearest(system: System, points: Sequence[Machine]) -> str:
    return min(points, key=lambda point: _distance(point.system, system)).key


def _distance(one: System, other: System) -> float:
    a, b = place_of(one), place_of(other)
    return math.hypot(math.log(a.latency / b.latency), math.log(a.transfer / b.transfer))


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
