# SPDX-License-Identifier: BSD-3-Clause
"""Turns another program's values into samples of the benchmarks that are the same operations."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from osgap.base.quoting import counted
from osgap.guest import records
from osgap.guest.records import Sample
from osgap.image.benchmarks import metrics
from osgap.imports.matching import Match, Matches
from osgap.imports.program_text import ProgramText, Reading
from osgap.suites.boards.units import time_ns, unit_of

_FS = "none"
_BYTES = 10**6
"""Bytes of one operation of a rate in MB/s."""
_DIGITS = 10
"""Digits of a sample's time, which is in whole ns."""
_MOST_ZEROS = 9
_TOO_MANY = f"more than {counted(records.MOST_BATCHES, 'value')} of one metric"


@dataclass(frozen=True)
class MatchedReading:
    """A value of the text, and the benchmark of ours that has it as a sample, or why none has."""

    reading: Reading
    match: Match


def matched_readings(
    content: ProgramText, matches: Matches, *, is_one_core: bool
) -> list[MatchedReading]:
    """Each value of a text with its match; a benchmark has the values of one metric alone."""
    owners: dict[str, str] = {}
    counts: dict[str, int] = {}
    rows = []
    for reading in content.readings:
        match = matches.of(reading.metric, is_one_core=is_one_core)
        if match.benchmark:
            owner = owners.setdefault(match.benchmark, reading.metric)
            counts[owner] = counts.get(owner, 0) + 1
            if owner != reading.metric:
                match = Match("", f"{match.benchmark} has the values of {owner}")
            elif counts[owner] > records.MOST_BATCHES:
                match = Match("", _TOO_MANY)
            elif not 1e-3 < _moved(reading) * _operation_ns(reading, match) < records.LARGEST:
                match = Match("", "a time that no sample can have")
        rows.append(MatchedReading(reading, match))
    return rows


def samples_of(rows: Sequence[MatchedReading]) -> Iterator[Sample]:
    """A sample for each matched value; repeats of a metric are batches of its benchmark."""
    by_benchmark: dict[str, list[MatchedReading]] = {}
    for row in rows:
        if row.match.benchmark:
            by_benchmark.setdefault(row.match.benchmark, []).append(row)
    units = metrics({name.partition("/")[0] for name in by_benchmark})
    region = 0
    for benchmark, values in by_benchmark.items():
        for batch, row in enumerate(values):
            yield _sample(row, units[benchmark], region, batch)
            region += 1


def _sample(row: MatchedReading, metric: str, region: int, batch: int) -> Sample:
    """A sample of so many operations that its time in whole ns has _DIGITS digits."""
    moved = _moved(row.reading)
    ns = _operation_ns(row.reading, row.match) * moved
    count = 10 ** min(max(_DIGITS - math.ceil(math.log10(ns)), 0), _MOST_ZEROS)
    return Sample(
        region=region,
        benchmark=row.match.benchmark.partition("/")[2],
        fs=_FS,
        batch=batch,
        count=count,
        bytes=moved if moved > 1 else 0,
        metric=metric,
        guest_ns=round(ns * count),
        timer_irqs=0,
    )


def _moved(reading: Reading) -> int:
    """The bytes of one operation of a rate of bytes; 1 for other values."""
    return _BYTES if unit_of(reading.unit).is_of_bytes else 1


def _operation_ns(reading: Reading, match: Match) -> float:
    """The ns of one operation of the benchmark, or of one byte."""
    return time_ns(reading.value, reading.unit) / match.operations
