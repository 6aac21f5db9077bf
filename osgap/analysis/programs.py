# SPDX-License-Identifier: BSD-3-Clause
"""The table of numbers that patterns match in the output of the user's programs."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from osgap.analysis.columns import CLOCK_MHZ, KEY, SERIES, count, text
from osgap.analysis.relative import NAN
from osgap.analysis.table import Column, Table
from osgap.base.patterns import Pattern, numbers, parse_pattern
from osgap.rundir.load import Point, Run

PROGRAM_NUMBERS = Table(
    "program_numbers",
    "what --pattern found in the output of programs (sweep --program)",
    (
        KEY,
        SERIES,
        CLOCK_MHZ,
        text("program", "the program's name"),
        text("name", "the pattern's name of the number"),
        text("unit", "the pattern's unit"),
        count("line", "the number's line in the output, from 1; 0 where nothing matched"),
        Column("value", "the number", "unit"),
    ),
    absent="no point of this run has output of a program and a --pattern for it",
    make=lambda data: program_numbers_table(data.run, data.points),
    order=130,
)


def program_numbers_table(run: Run, points: pd.DataFrame) -> pd.DataFrame:
    """One row for each match of a pattern of the run (PROGRAM_NUMBERS). Raises OsgapError."""
    patterns = [parse_pattern(text) for text in run.patterns]
    matches = {key: list(_matches(point, patterns)) for key, point in run.points.items()}
    places = points[points["finished"] == "yes"][["key", "series", "clock_mhz"]]
    rows = [
        (key, series, clock_mhz, *row)
        for key, series, clock_mhz in places.itertuples(index=False, name=None)
        for row in matches[str(key)]
    ]
    return PROGRAM_NUMBERS.frame(rows)


def _matches(point: Point, patterns: list[Pattern]) -> Iterator[tuple[object, ...]]:
    for program, output in point.printed.items():
        for pattern in patterns:
            values = numbers(pattern, output, f"what {program} printed at {point.record.key}")
            for number in values:
                yield program, pattern.name, pattern.unit, number.line, number.value
            if not values:
                yield program, pattern.name, pattern.unit, 0, NAN
