# SPDX-License-Identifier: BSD-3-Clause
"""A run's tables for each of its starts; its series have the first start's points only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from osgap.analysis.analysed import AnalysedRun, Tables
from osgap.analysis.speed import elasticity_table, with_speeds
from osgap.analysis.suite import Suite
from osgap.base.digest import record_digest


def by_start(run: AnalysedRun, suites: Sequence[Suite]) -> Iterator[tuple[int, Tables]]:
    """(start, tables): the run's tables for its first start, then those of each other start.

    A point of another start has the position of the first start's point of the same system.
    """
    points, times = run.tables["points"], run.tables["times"]
    finished = points[points["finished"] == "yes"]
    in_series = finished[finished["series"] != ""]
    if in_series.empty:
        return
    yield int(in_series["seed"].iloc[0]), run.tables
    positions = _positions(run, in_series)
    for start, points_of_start in finished[finished["series"] == ""].groupby("seed"):
        rows = [
            {**row, "series": series, "clock_mhz": clock}
            for row in points_of_start.to_dict("records")
            for series, clock in positions.get(system_of(run, str(row["key"])), ())
        ]
        if rows:
            yield int(str(start)), _tables(pd.DataFrame(rows), times, suites)


def system_of(run: AnalysedRun, key: str) -> str:
    """A digest of the system that a finished point simulates."""
    return record_digest(run.run.points[key].record.resolved.model_dump(mode="json"))


def _positions(run: AnalysedRun, points: pd.DataFrame) -> dict[str, list[tuple[str, float]]]:
    positions: dict[str, list[tuple[str, float]]] = {}
    rows = points[["series", "clock_mhz", "key"]].itertuples(index=False, name=None)
    for series, clock, key in rows:
        positions.setdefault(system_of(run, str(key)), []).append((str(series), float(clock)))
    return positions


def _tables(points: pd.DataFrame, times: pd.DataFrame, suites: Sequence[Suite]) -> Tables:
    times = times[times["key"].isin(points["key"])]
    elasticities = elasticity_table(points, times)
    return {**with_speeds(points, times, suites), "elasticity": elasticities}
