# SPDX-License-Identifier: BSD-3-Clause
"""Numbers in what programs of the user's printed."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from osgap.analysis.relative import NAN
from osgap.base.patterns import Pattern, numbers, parse_pattern
from osgap.rundir.load import Point, Run

PROGRAM_NUMBERS_COLUMNS = [
    "key",
    "series",
    "clock_mhz",
    "program",
    "name",
    "unit",
    "line",
    "value",
]


def program_numbers_table(run: Run, points: pd.DataFrame) -> pd.DataFrame:
    """A row a number that a pattern of the run found (columns PROGRAM_NUMBERS_COLUMNS).

    `line` is its line in the output, from 1. Where a pattern found none there is one row, without
    `value` and of line 0. `points` is the run's table of points. Raises PatternError.
    """
    patterns = [parse_pattern(text) for text in run.patterns]
    found = {key: list(_of_point(point, patterns)) for key, point in run.points.items()}
    places = points[points["finished"] == "yes"][["key", "series", "clock_mhz"]]
    rows = [
        (key, series, clock_mhz, *row)
        for key, series, clock_mhz in places.itertuples(index=False, name=None)
        for row in found[str(key)]
    ]
    return pd.DataFrame(rows, columns=PROGRAM_NUMBERS_COLUMNS)


def _of_point(point: Point, patterns: list[Pattern]) -> Iterator[tuple[object, ...]]:
    for program, text in point.printed.items():
        for pattern in patterns:
            told = numbers(pattern, text, f"what {program} printed at {point.record.key}")
            for number in told:
                yield program, pattern.name, pattern.unit, number.line, number.value
            if not told:
                yield program, pattern.name, pattern.unit, 0, NAN
