# SPDX-License-Identifier: BSD-3-Clause
"""Converts the guest's records (guest/records.py) to a point's CSV files, and these to frames."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import astuple
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from osgap.guest import records
from osgap.guest.records import GuestRecord, RegionRecord
from osgap.rundir.csvfile import Column, ResultsError, parse_csv
from osgap.rundir.files import PointFiles

if TYPE_CHECKING:
    import pandas as pd

_REGION = ["region", "benchmark", "fs", "batch"]


def csv_columns(record: type[GuestRecord]) -> tuple[Column, ...]:
    """Names and types of the record's columns."""
    return tuple((column.name, column.kind) for column in records.columns(record))


def csv_text(names: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """The rows as CSV text with a header; equal rows give equal bytes."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return stream.getvalue()


def record_text(record: type[GuestRecord], rows: Iterable[GuestRecord]) -> str:
    """The text of the record's CSV file."""
    names = [column.name for column in records.columns(record)]
    return csv_text(names, (astuple(cast(Any, row)) for row in rows))


def read_record(files: PointFiles, record: type[GuestRecord]) -> pd.DataFrame:
    """The record's rows with typed columns; none without an optional file. Raises ResultsError."""
    name, columns = records.file_name(record), csv_columns(record)
    if record.always or name in files:
        return parse_csv(files.read(name), columns, files.path / name)
    return _empty(columns).copy()


@cache
def _empty(columns: tuple[Column, ...]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame({column: pd.Series(dtype=kind) for column, kind in columns})


def read_records(files: PointFiles) -> dict[str, pd.DataFrame]:
    """Every record's rows, by the record's name. Raises ResultsError."""
    frames = {record.name: read_record(files, record) for record in records.RECORDS}
    sampled = _regions(frames[records.Sample.name])
    for record in records.RECORDS:
        if issubclass(record, RegionRecord) and len(frames[record.name]):
            _check_regions(frames[record.name], record, sampled, files)
    return frames


_Regions = set[tuple[object, ...]]


def _regions(rows: pd.DataFrame) -> _Regions:
    return set(zip(*(rows[name].tolist() for name in _REGION), strict=True))


def _check_regions(
    rows: pd.DataFrame, record: type[RegionRecord], sampled: _Regions, files: PointFiles
) -> None:
    regions = _regions(rows)
    if rows.duplicated([*_REGION, *record.unique]).any() or not regions <= sampled:
        file = files.path / records.file_name(record)
        raise ResultsError(f"{file}: has regions that are not in samples.csv, or repeated rows")
