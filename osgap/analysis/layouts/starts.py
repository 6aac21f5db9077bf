# SPDX-License-Identifier: BSD-3-Clause
"""A run's tables for each of its starts: series name the first one's points alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from osgap.analysis.analysed import AnalysedRun, Tables
from osgap.analysis.speed import elasticity_table, geomean_table, relative_table
from osgap.analysis.suite import Suite
from osgap.base.digest import record_digest


def by_start(run: AnalysedRun, suites: Sequence[Suite]) -> Iterator[tuple[int, Tables]]:
    """(start, tables): the run's own for its first start, of another those that vary with it.

    The tables are "points", "times", "relative", "geomean" and "elasticity".  A point of another
    start stands where the first start's point of the same system does; each start has its own
    reference and rating.
    """
    points, times = run.tables["points"], run.tables["times"]
    finished = points[points["finished"] == "yes"]
    placed = finished[finished["series"] != ""]
    if placed.empty:
        return
    yield int(placed["seed"].iloc[0]), run.tables
    places = _places(run, placed)
    for start, own in finished[finished["series"] == ""].groupby("seed"):
        rows = [
            {**row, "series": series, "clock_mhz": clock}
            for row in own.to_dict("records")
            for series, clock in places.get(system_of(run, str(row["key"])), ())
        ]
        if rows:
            yield int(str(start)), _tables(pd.DataFrame(rows), times, suites)


def system_of(run: AnalysedRun, key: str) -> str:
    """A digest of the system that a finished point simulates."""
    return record_digest(run.run.points[key].record.resolved.model_dump(mode="json"))


def _places(run: AnalysedRun, placed: pd.DataFrame) -> dict[str, list[tuple[str, float]]]:
    places: dict[str, list[tuple[str, float]]] = {}
    rows = placed[["series", "clock_mhz", "key"]].itertuples(index=False, name=None)
    for series, clock, key in rows:
        places.setdefault(system_of(run, str(key)), []).append((str(series), float(clock)))
    return places


def _tables(points: pd.DataFrame, times: pd.DataFrame, suites: Sequence[Suite]) -> Tables:
    own = times[times["key"].isin(points["key"])]
    relatives = relative_table(points, own)
    return {
        "points": points,
        "times": own,
        "relative": relatives,
        "geomean": geomean_table(relatives, suites),
        "elasticity": elasticity_table(points, own),
    }
