# SPDX-License-Identifier: BSD-3-Clause
"""Declares a table once: its name, its rows and its columns.

From a declaration come the columns of the written CSV file, the types on reading, the sentence for
a run that lacks the table, the list of tables and docs/reference/tables.md. A module of
osgap/analysis with a Table that has `make` adds a table to every run (osgap.analysis.tables).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from osgap.base.quoting import quoted
from osgap.rundir.csvfile import ResultsError

if TYPE_CHECKING:
    import pandas as pd

    from osgap.analysis.inputs import Inputs

Kind = Literal["number", "count", "text", "flag"]
"""A number, a whole number, a text, or "yes", "no" and "" (not known)."""
_LARGEST = 1e150


@dataclass(frozen=True)
class Column:
    """A column: its name in the CSV file, its meaning, unit and kind.

    The unit "metric" means the unit that the row's column `metric` names.
    """

    name: str
    text: str
    unit: str = ""
    kind: Kind = "number"


@dataclass(frozen=True)
class Table:
    """A table: its name (of its CSV file and for --table), what it holds, and its columns.

    `optional` columns are there only in some runs. `absent` is printed of a run that lacks the
    table; a table with `absent` is left out where it has no rows. `make` gives a run's rows.
    `order` is the position in lists of tables.
    """

    name: str
    text: str
    columns: tuple[Column, ...]
    optional: tuple[Column, ...] = ()
    absent: str = ""
    make: Callable[[Inputs], pd.DataFrame] | None = None
    order: int = 100

    @property
    def all_columns(self) -> tuple[Column, ...]:
        """The columns of every run, and the optional ones."""
        return (*self.columns, *self.optional)

    @property
    def names(self) -> list[str]:
        """The columns' names, in order, without the optional ones."""
        return [column.name for column in self.columns]

    def frame(self, rows: Iterable[object], optional: Collection[str] = ()) -> pd.DataFrame:
        """The rows (tuples in the columns' order, or mappings), with the named optional columns."""
        import pandas as pd

        more = [column.name for column in self.optional if column.name in optional]
        return pd.DataFrame(list(rows), columns=[*self.names, *more])

    def typed(self, frame: pd.DataFrame, file: Path) -> pd.DataFrame:
        """The frame that was read from `file`, with numbers as numbers. Raises ResultsError."""
        for name in self.names:
            if name not in frame:
                raise ResultsError(f"{file}: has no column {name}; osgap analyze writes it again")
        for column in self.all_columns:
            if column.kind in ("number", "count") and column.name in frame:
                frame[column.name] = _numbers(frame[column.name], file)
        return frame


def by_name(tables: Iterable[Table]) -> Mapping[str, Table]:
    """The tables by name, in their order."""
    return {table.name: table for table in tables}


def _numbers(cells: pd.Series, file: Path) -> pd.Series:
    """The cells as numbers; pandas reads integers beyond 64 bits, and their column, as text."""
    import pandas as pd
    from pandas.api.types import is_numeric_dtype

    numbers = pd.to_numeric(cells, errors="coerce")
    strange = cells[cells.notna() & (cells != "") & ~(numbers.abs() <= _LARGEST)]
    if len(strange):
        where = f"{file}:{strange.index[0] + 2}: {cells.name}"
        raise ResultsError(f"{where}: found {quoted(strange.iloc[0])}; allowed: a number")
    return numbers if is_numeric_dtype(cells) else numbers.astype(float)
