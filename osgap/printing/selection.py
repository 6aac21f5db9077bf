# SPDX-License-Identifier: BSD-3-Clause
"""Selects rows and columns of any table of a run, by conditions such as benchmark=cswitch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd
from pandas.api.types import is_numeric_dtype

from osgap.analysis.analysed import Tables
from osgap.analysis.table import Column, Table
from osgap.analysis.tables import declared, tables_below
from osgap.base.quoting import quoted
from osgap.base.suggestions import hint
from osgap.printing.formats import VIEWS, printed_tables, table_rows
from osgap.rundir.csvfile import FLOAT_FORMAT, ResultsError, read_table
from osgap.rundir.directory import MANIFEST, is_accepted, run_directories
from osgap.suites import load_runs, suites

POSITION = ("series", "clock_mhz")
"""The columns of the table `points` that every table with keys of points gets."""
_LISTED = 40
"""Values of a column that an error lists."""


@dataclass(frozen=True, eq=False)
class FoundTable:
    """A table's rows, and the columns that are shown by default: conditions may name them all."""

    rows: pd.DataFrame
    columns: tuple[str, ...]


Conditions = Mapping[str, Sequence[object]]
"""Column -> the values of which a row must have one."""


def find_table(run: Path, name: str) -> FoundTable:
    """Returns a table or view of the run in `run`, or of the folder run/tables.

    An accepted run's table is read from its file; those of another run are computed, so that they
    have each point that is finished now. Raises ResultsError.
    """
    files = _files(run)
    is_run = (run / MANIFEST).is_file()
    if name in files and (is_accepted(run) or not is_run):
        return with_positions(_read(files[name], name), _points(files))
    if not is_run:
        _check_folder(run, files)
        _check_name("table", name, list(files))
    tables = _run_tables(run)
    if name in files and name not in tables:
        return with_positions(_read(files[name], name), None)
    declaration = printed_tables().get(name)
    if declaration and declaration.absent and name not in tables:
        raise ResultsError(f"{run}: {declaration.absent}")
    _check_name("table", name, [*VIEWS, *tables, *files])
    return with_positions(table_rows(tables, name), tables["points"])


def table_texts(run: Path) -> dict[str, str]:
    """Returns the names of the tables of a run, or of run/tables, with their meanings."""
    files = _files(run)
    if not (run / MANIFEST).is_file():
        _check_folder(run, files)
    frames = {name: read_table(file) for name, file in files.items()}
    if (run / MANIFEST).is_file():
        frames = {**_run_tables(run), **frames}
    views = VIEWS if "relative" in frames else {}
    texts = {n: [t.text for t in _declared(n, list(f.columns))] for n, f in frames.items()}
    return {**views, **{name: next(iter(sentences), "") for name, sentences in texts.items()}}


def with_positions(frame: pd.DataFrame, points: pd.DataFrame | None) -> FoundTable:
    """Adds the columns of `points` to a table of points without series; POSITION is shown first."""
    names = tuple(map(str, frame.columns))
    if points is None or "key" not in names or "series" in names:
        return FoundTable(frame, names)
    further = [name for name in points.columns if name not in (*POSITION, *names)]
    rows = points[["key", *POSITION, *further]].merge(frame, on="key")
    return FoundTable(rows, (*POSITION, *names))


def select(table: FoundTable, conditions: Conditions, columns: Sequence[str] = ()) -> pd.DataFrame:
    """Returns the rows that meet all conditions, with these columns (the table's if none).

    Numbers are compared as CSV files print them. Raises ResultsError.
    """
    rows = table.rows
    for name in (*conditions, *columns):
        _check_name("column", name, list(dict.fromkeys([*table.columns, *rows.columns])))
    for name, values in conditions.items():
        allowed = {_cell(value, table.rows[name], name) for value in values}
        texts = _texts(table.rows[name])
        for value in sorted(allowed - set(texts)):
            _check_name(name, value, _distinct(table.rows[name]))
        rows = rows[texts.loc[rows.index].isin(allowed)]
    if rows.empty and conditions:
        all_of_them = [f"{n}={','.join(map(str, values))}" for n, values in conditions.items()]
        raise ResultsError(f"no row has {' and '.join(all_of_them)}")
    return rows[list(columns or table.columns)].reset_index(drop=True)


def across(rows: pd.DataFrame, name: str) -> pd.DataFrame:
    """Arranges the last column by the values of the column `name`. Raises ResultsError."""
    *names, value = (column for column in rows.columns if column != name)
    headings = _texts(rows[name])
    if rows.assign(**{name: headings}).duplicated([*names, name]).any():
        raise ResultsError(
            f"--across {name}: found several rows with one {', '.join([*names, name])}; "
            "allowed: one; add a condition, or a column to --columns"
        )
    cells: dict[tuple[object, ...], dict[str, object]] = {}
    for row, heading in zip(rows.to_dict("records"), headings, strict=True):
        cells.setdefault(tuple(row[n] for n in names), {})[heading] = row[value]
    order = [heading for heading in _distinct(rows[name]) if heading]
    frame = pd.DataFrame([[*key, *map(line.get, order)] for key, line in cells.items()])
    return frame.set_axis([*names, *order], axis="columns")


def without_keys(rows: pd.DataFrame) -> pd.DataFrame:
    """Leaves out the points' keys where the series and the clock tell the points apart."""
    if {"key", *POSITION} <= set(rows.columns) and (rows["series"] != "").all():
        return rows.drop(columns="key")
    return rows


def meanings(frame: pd.DataFrame, name: str) -> Iterator[Column]:
    """The declared columns of a table's frame, in the frame's order, with unit and meaning."""
    tables = (*_declared(name), *_declared("points"))
    columns = {column.name: column for table in reversed(tables) for column in table.all_columns}
    yield from (columns[column] for column in frame.columns if column in columns)


@cache
def _all_tables() -> tuple[Table, ...]:
    """Every declared table; those of two suites may share a name."""
    packages = ["osgap.predict", *(f"osgap.suites.{suite.name}" for suite in suites())]
    below = [table for package in packages for table in tables_below(package).values()]
    return tuple(dict.fromkeys([*declared().values(), *below]))


def _declared(name: str, columns: Iterable[str] | None = None) -> list[Table]:
    """The declared tables of a name, whose columns are among `columns`."""
    tables = [table for table in _all_tables() if table.name == name]
    return [t for t in tables if columns is None or set(t.names) <= set(columns)]


def _read(file: Path, name: str) -> pd.DataFrame:
    """A table's file, with the types of the table that declares its columns."""
    frame = read_table(file)
    tables = _declared(name, list(frame.columns))
    return tables[0].typed(frame, file) if tables else frame


def _points(files: Mapping[str, Path]) -> pd.DataFrame | None:
    return _read(files["points"], "points") if "points" in files else None


def _files(run: Path) -> dict[str, Path]:
    return {file.stem: file for file in sorted((run / "tables").glob("*.csv"))}


def _run_tables(run: Path) -> Tables:
    (analysed,) = load_runs([run])
    return analysed.tables


def _check_folder(run: Path, files: Mapping[str, Path]) -> None:
    """Raises ResultsError for a directory that is no run and has no tables."""
    if files:
        return
    runs = run_directories([run])
    listed = ", ".join(str(path.relative_to(run)) for path in runs[:_LISTED])
    count = f"{len(runs)} run{'' if len(runs) == 1 else 's'}"
    raise ResultsError(f"{run}: is a folder of {count}; allowed: one of {listed}")


def _check_name(kind: str, name: str, names: Sequence[str]) -> None:
    """Raises ResultsError, with similar names, for a name that is not in `names`."""
    if name not in names:
        names = list(dict.fromkeys(names))
        listed = ", ".join(names[:_LISTED]) or "none"
        more = ", ..." if len(names) > _LISTED else ""
        problem = f"{kind}: found {quoted(name)}"
        raise ResultsError(f"{problem}; {hint(name, names)}allowed: {listed}{more}")


def _cell(value: object, column: pd.Series, name: str) -> str:
    """A condition's value as the texts of the column have it. Raises ResultsError."""
    text = str(value)
    if not text or not is_numeric_dtype(column):
        return text
    try:
        return FLOAT_FORMAT % float(text)
    except ValueError:
        allowed = ", ".join(_distinct(column)[:_LISTED])
        raise ResultsError(f"{name}: found {quoted(text)}; allowed: {allowed}") from None


def _texts(column: pd.Series) -> pd.Series:
    """The cells as CSV files print them."""
    if not is_numeric_dtype(column):
        return column.fillna("").astype(str)
    return column.map(lambda cell: "" if pd.isna(cell) else FLOAT_FORMAT % cell).astype(str)


def _distinct(column: pd.Series) -> list[str]:
    """The column's values, each once; numbers in order."""
    ordered = column.sort_values() if is_numeric_dtype(column) else column
    return [text for text in _texts(ordered).unique() if text]
