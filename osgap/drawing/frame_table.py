# SPDX-License-Identifier: BSD-3-Clause
"""A frame as a text table: display names, units in the headings, intervals behind their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import pandas as pd

from osgap.analysis.table import Column
from osgap.analysis.tables import declared_columns
from osgap.drawing import display_names as names
from osgap.drawing.table_fit import Heading
from osgap.drawing.text import measured, ratio
from osgap.drawing.text_table import TextTable

_BENCHMARK, _FS = "benchmark", "fs"
_LIST = "not_run"
_LONGEST_LIST = 30
"""Characters of a cell that is a list of names."""
_RAW = {**names.RAW, _BENCHMARK: names.benchmark_name}
"""Columns whose cells are raw names."""
_NO_COLUMNS: Mapping[str, Column] = {}


@dataclass(frozen=True)
class _Printed:
    """A printed column: its heading and its cells."""

    heading: Heading
    cells: list[str]


def frame_table(frame: pd.DataFrame, title: str, columns: Iterable[Column] = ()) -> TextTable:
    """A text table of all columns of `frame`, declared in `columns` or by tables of runs.

    A file system stands behind its benchmark, an interval of NAME_low and NAME_high behind NAME.
    """
    printed = list(_columns(frame, {column.name: column for column in columns}))
    table = TextTable(title, [column.heading for column in printed])
    for row in zip(*(column.cells for column in printed), strict=True):
        table.add_row(*row)
    return table


def raw_table(
    frame: pd.DataFrame, title: str, columns: Mapping[str, Column] = _NO_COLUMNS
) -> TextTable:
    """A text table of all columns of `frame` with raw names, as options take them."""
    names = list(map(str, frame.columns))
    table = TextTable(title, [Heading(n, right=_is_numeric(frame[n])) for n in names])
    declarations = {**declared_columns(), **columns}
    cells = (_numbers(frame[name], declarations.get(name)) for name in names)
    for row in zip(*cells, strict=True):
        table.add_row(*row)
    return table


def _is_numeric(values: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(values.infer_objects())


def _columns(frame: pd.DataFrame, columns: Mapping[str, Column]) -> Iterator[_Printed]:
    listed = list(map(str, frame.columns))
    intervals, declarations = _intervals(listed), {**declared_columns(), **columns}
    hidden = {name for ends in intervals.values() for name in ends} - intervals.keys()
    if _BENCHMARK in listed:
        hidden.add(_FS)
    for name in listed:
        if name in hidden:
            continue
        column = declarations.get(name)
        cells = _texts(frame[name], column)
        text = names.column_heading(column) if column else names.column_name(name)
        heading = Heading(text, pd.api.types.is_numeric_dtype(frame[name]))
        if name in intervals and name in intervals[name]:
            heading = Heading(heading.text.removesuffix(", low"), right=True)
        if name == _BENCHMARK and _FS in listed:
            cells = [
                names.benchmark_name(*pair)
                for pair in zip(frame[name], frame[_FS].astype(str), strict=True)
            ]
        if name in intervals:
            ends = (_texts(frame[end], column) for end in intervals[name])
            before = [""] * len(cells) if name in intervals[name] else cells
            cells = [
                f"{cell} [{low}, {high}]".strip() if low and high else cell
                for cell, low, high in zip(before, *ends, strict=True)
            ]
        yield _Printed(heading, cells)


def _intervals(listed: list[str]) -> dict[str, tuple[str, str]]:
    """Column -> the columns of its interval's ends; the lower end itself where nothing precedes."""
    intervals: dict[str, tuple[str, str]] = {}
    for position, name in enumerate(listed):
        prefix = name.removesuffix("low")
        if prefix == name or (high := f"{prefix}high") not in listed:
            continue
        base = prefix.rstrip("_") if prefix else listed[max(position - 1, 0)]
        intervals[base if base in listed else name] = (name, high)
    return intervals


def _texts(values: pd.Series, column: Column | None) -> list[str]:
    """The cells of a column, in one format."""
    if column and column.name in _RAW:
        return [_RAW[column.name](value) if isinstance(value, str) else "" for value in values]
    if column and column.name == _LIST:
        # Of a long list the number of names: the CSV file has them all.
        texts = (value if isinstance(value, str) else "" for value in values)
        return [t if len(t) <= _LONGEST_LIST else f"{len(t.split())} benchmarks" for t in texts]
    return _numbers(values, column)


def _numbers(values: pd.Series, column: Column | None) -> list[str]:
    if not pd.api.types.is_float_dtype(values):
        return ["" if value is None or value != value else str(value) for value in values]
    if column and column.kind == "number" and not column.unit:
        return list(map(ratio, values))
    if (values.dropna() % 1 == 0).all():
        return ["" if pd.isna(value) else f"{value:.0f}" for value in values]
    return measured(list(values))
