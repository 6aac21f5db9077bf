# SPDX-License-Identifier: BSD-3-Clause
"""Errors of the formula on another run, for predictions that have none of their own to go by.

The run varies clock, latency and bandwidth apart. Predicted from those of its points that stand
where the used ones do, its other points say how far off machines of other memories are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.suite import Suite
from osgap.base.paths import project_root
from osgap.machines.system import System
from osgap.predict import grid
from osgap.predict.errors import ERROR_COLUMNS, errors
from osgap.predict.observations import exact_place, observations, place_of
from osgap.predict.tables import Machine
from osgap.rundir.directory import MANIFEST

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
