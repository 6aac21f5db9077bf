# SPDX-License-Identifier: BSD-3-Clause
"""Predicted tables in which the points that were simulated are as simulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.suite import Suite
from osgap.predict.tables import Machine, with_speeds

_PLACE = ("series", "clock_mhz", "memory", "disk")


def simulated_keys(asked: Sequence[Machine], points: Sequence[Machine]) -> dict[str, str]:
    """The key of the point that was simulated, for each machine of a grid that was."""
    known = {(one.name, one.series, one.clock_mhz): one.key for one in points}
    places = {one.key: (one.name, one.series, one.clock_mhz) for one in asked}
    return {key: known[place] for key, place in places.items() if place in known}


def settled(
    made: Tables, simulated: Tables, keys: Mapping[str, str], suites: Sequence[Suite]
) -> Tables:
    """The tables `made`, in which the points `keys` (predicted -> simulated) are as simulated.

    R and its means follow anew, so that all are relative to what was simulated.
    """
    points = pd.concat(
        [_row(made["points"], simulated["points"], key, keys.get(key)) for key in _keys(made)],
        ignore_index=True,
    )
    times = pd.concat(
        [_rows(made["times"], simulated["times"], key, keys.get(key)) for key in _keys(made)],
        ignore_index=True,
    )
    return with_speeds(points, times, suites)


def _keys(made: Tables) -> list[str]:
    return [str(key) for key in made["points"]["key"]]


def _row(made: pd.DataFrame, simulated: pd.DataFrame, key: str, own: str | None) -> pd.DataFrame:
    """A point, where it stands in the grid: one point may stand in several series."""
    place = made[made["key"] == key]
    if own is None:
        return place
    row = simulated[simulated["key"] == own].head(1)
    # A run that does not vary memory's latency and bandwidth apart has no columns of them.
    own_columns = {*_PLACE, *(set(made.columns) - set(row.columns))}
    where = {name: place[name].iloc[0] for name in own_columns}
    return row.assign(key=key, **where)[list(made.columns)]


def _rows(made: pd.DataFrame, simulated: pd.DataFrame, key: str, own: str | None) -> pd.DataFrame:
    if own is None:
        return made[made["key"] == key]
    return simulated[simulated["key"] == own].assign(key=key)[list(made.columns)]
