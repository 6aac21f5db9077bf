# SPDX-License-Identifier: BSD-3-Clause
"""CSV files whose columns are declared: read strictly, written the same way every time."""

import csv
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from pandas.api.types import is_numeric_dtype

from osgap.errors import OsgapError

Column = tuple[str, type[int] | type[float] | type[str]]
FLOAT_FORMAT = "%.6g"


class ResultsError(OsgapError):
    """A file of results that is missing, malformed, truncated or contradicts another."""


def read_csv(file: Path, columns: Sequence[Column]) -> pd.DataFrame:
    """Read a CSV file with exactly these columns; every cell must be of its column's type.

    Raises ResultsError, naming file and line, for a missing file, another header, a row of
    another length, a cell of another type, and a last line without its newline (a cut file).
    """
    lines = _lines(file)
    names = [name for name, _ in columns]
    rows = list(csv.reader(lines))
    if not rows or rows[0] != names:
        found = ",".join(rows[0]) if rows else "nothing"
        raise ResultsError(f"{file}:1: expected the header {','.join(names)}, found {found}")
    cells = [_convert(row, columns, file, number) for number, row in enumerate(rows[1:], 2)]
    frame = pd.DataFrame(cells, columns=names)
    return frame.astype({name: object if kind is str else kind for name, kind in columns})


def read_table(file: Path) -> pd.DataFrame:
    """Read a CSV file whose columns its header declares (a table or a reference).

    Empty cells are NaN in numeric columns and "" in others.  Raises ResultsError for a missing
    or malformed file.
    """
    _lines(file)
    try:
        frame = pd.read_csv(file, keep_default_na=False, na_values=[""], encoding="utf-8")
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise ResultsError(f"{file}: is no table: {str(error).strip()}") from error
    text = [name for name in frame.columns if not is_numeric_dtype(frame[name])]
    return frame.fillna(dict.fromkeys(text, ""))


def sum_defined(frame: pd.DataFrame, by: list[str], columns: list[str]) -> pd.DataFrame:
    """Sums of `columns` over groups, in order of appearance; one undefined value leaves NaN.

    (The sum of pandas' groupby would skip it and come out short.)
    """
    groups = frame.groupby(by, sort=False)
    sums = groups[columns].sum()
    whole = frame[columns].notna().groupby([frame[name] for name in by], sort=False).all()
    return sums.where(whole).reset_index()


def write_table(frame: pd.DataFrame, file: Path) -> None:
    """Write a frame without its index; floats as %.6g, undefined ones empty; newlines are \\n."""
    text = frame.to_csv(index=False, float_format=FLOAT_FORMAT, lineterminator="\n")
    file.write_text(text, encoding="utf-8", newline="\n")


def _lines(file: Path) -> list[str]:
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise ResultsError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ResultsError(f"{file}: is not text: {error}") from error
    if not text.endswith("\n"):
        raise ResultsError(f"{file}: is cut short: it does not end with a newline")
    return text.splitlines()


def _convert(row: list[str], columns: Sequence[Column], file: Path, number: int) -> list[object]:
    if len(row) != len(columns):
        raise ResultsError(f"{file}:{number}: has {len(row)} cells, not {len(columns)}")
    cells: list[object] = []
    for text, (name, kind) in zip(row, columns, strict=True):
        try:
            cells.append(kind(text))
        except ValueError as error:
            problem = f"{name} is {text!r}, not {kind.__name__}"
            raise ResultsError(f"{file}:{number}: {problem}") from error
    return cells
