# SPDX-License-Identifier: BSD-3-Clause
"""CSV files with declared columns: strict reading, and writing with reproducible bytes.

pandas is imported inside functions, because workers only write files and start faster without it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

from osgap.base import durable, inputs
from osgap.base.errors import OsgapError
from osgap.base.quoting import counted, quoted, reason

Column = tuple[str, type[int] | type[float] | type[str]]
FLOAT_FORMAT = "%.6g"
_LARGEST = (1 << 63) - 1
_ALLOWED = {int: "a whole number from 0 to 2^63 - 1", float: "a number", str: "a text"}


class ResultsError(OsgapError):
    """A file of results that is missing, malformed, truncated or contradicts another file."""


def parse_csv(content: bytes, columns: Sequence[Column], where: Path) -> pd.DataFrame:
    """The rows of a CSV text with exactly these columns, each cell of its column's type.

    Raises ResultsError, naming the file `where` and the line, also for a file that was cut.
    """
    import pandas as pd

    names = [name for name, _ in columns]
    try:
        rows = list(csv.reader(_lines(content, where)))
    except csv.Error as error:
        raise ResultsError(f"{where}: is not a table: {error}") from error
    if not rows or rows[0] != names:
        header = quoted(",".join(rows[0])) if rows else "nothing"
        raise ResultsError(f"{where}:1: expected the header {','.join(names)}, found {header}")
    cells = [_convert(row, columns, where, number) for number, row in enumerate(rows[1:], 2)]
    # A column at a time: to convert a whole frame takes several times as long.
    by_column = zip(*cells, strict=True) if cells else ((),) * len(columns)
    return pd.DataFrame(
        {
            name: pd.Series(values, dtype=object if kind is str else kind)
            for (name, kind), values in zip(columns, by_column, strict=True)
        }
    )


def read_table(file: Path) -> pd.DataFrame:
    """Reads a table or a reference; undefined numbers are NaN, texts "". Raises ResultsError."""
    import pandas as pd
    from pandas.api.types import is_numeric_dtype

    try:
        content = inputs.read_bytes(file)
        _lines(content, file)
        frame = pd.read_csv(io.BytesIO(content), keep_default_na=False, na_values=[""])
    except OSError as error:
        raise ResultsError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, OverflowError) as error:  # pandas' parser errors are ValueErrors
        raise ResultsError(f"{file}: is not a table: {reason(error)}") from error
    text = [name for name in frame.columns if not is_numeric_dtype(frame[name])]
    return frame.fillna(dict.fromkeys(text, ""))


def sum_defined(frame: pd.DataFrame, by: list[str], columns: list[str]) -> pd.DataFrame:
    """Sums of `columns` over groups, in order; NaN, unlike pandas', if any value is undefined."""
    groups = frame.groupby(by, sort=False)
    sums = groups[columns].sum()
    defined = frame[columns].notna().groupby([frame[name] for name in by], sort=False).all()
    return sums.where(defined).reset_index()


def table_text(frame: pd.DataFrame) -> str:
    """A frame as CSV without its index; floats as %.6g, undefined values empty, newlines \\n."""
    return frame.to_csv(index=False, float_format=FLOAT_FORMAT, lineterminator="\n")


def write_table(frame: pd.DataFrame, file: Path) -> None:
    """Writes a frame in the format of `table_text`, in one step. Raises OSError."""
    durable.write_text(file, table_text(frame))


def _lines(content: bytes, file: Path) -> list[str]:
    try:
        # Python's text files do the same: \r\n and \r end a line.
        text = inputs.decoded(content).replace("\r\n", "\n").replace("\r", "\n")
    except inputs.TextError as error:
        raise ResultsError(f"{file}: is not text: {error}") from error
    if not text.endswith("\n"):
        raise ResultsError(f"{file}: is cut short: it does not end with a newline")
    return text.splitlines()


def _cell(text: str, kind: type[int] | type[float] | type[str]) -> object:
    """A cell's value. Refuses spaces, signs and underscores, which Python's int allows."""
    if kind is int and not (text.isascii() and text.isdigit() and int(text) <= _LARGEST):
        raise ValueError(text)
    return kind(text)


def _convert(row: list[str], columns: Sequence[Column], file: Path, number: int) -> list[object]:
    if len(row) != len(columns):
        raise ResultsError(f"{file}:{number}: has {counted(len(row), 'cell')}, not {len(columns)}")
    cells: list[object] = []
    for text, (name, kind) in zip(row, columns, strict=True):
        try:
            cells.append(_cell(text, kind))
        except ValueError as error:
            problem = f"{name} is {quoted(text)}, not {_ALLOWED[kind]}"
            raise ResultsError(f"{file}:{number}: {problem}") from error
    return cells
