# SPDX-License-Identifier: BSD-3-Clause
"""Parses and writes gem5's stats.txt.

The format is that of gem5's printer (src/base/stats/text.cc, `ScalarPrint`): the name padded to 40
columns, the value to 12, two columns of per cent to 10 each, then ` # description (Unit)`. A file
holds any number of dumps, each between a begin and an end line.
"""

import io
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from osgap.base import packed
from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.gem5stats.textrow import Number, RowError, StatCell, StatLine, parse_row

BEGIN = "---------- Begin Simulation Statistics ----------"
END = "---------- End Simulation Statistics   ----------"

LONGEST_LINE = 1 << 17
"""Most characters of a line. The longest line of a committed run has 6,093."""
_CACHED_ROWS = 50_000
"""Most rows that a parse remembers: about 30 MB."""
_NAME_WIDTH, _VALUE_WIDTH, _PERCENT_WIDTH = 40, 12, 10


class StatsFormatError(OsgapError):
    """A statistics file is cut short or holds a line that is not gem5's."""

    def __init__(self, file: str, line: int, expected: str, actual: str) -> None:
        super().__init__(f"{file}:{line}: expected {expected}, found {actual}")
        self.file, self.line = file, line


@dataclass(frozen=True)
class Dump:
    """One dump: its rows in file order, its first line, from 1, and the text in its begin line."""

    rows: tuple[StatLine, ...]
    line: int = 1
    message: str = ""

    def scalars(self) -> dict[str, Number]:
        """Returns the values of all rows with one cell, by name; buckets are such rows too."""
        return {row.name: row.cells[0].value for row in self.rows if len(row.cells) == 1}

    def vector(self, name: str) -> dict[str, Number]:
        """Returns the values, by sub-name, of the rows `name::sub`; empty if there are none."""
        prefix = name + "::"
        return {
            key.removeprefix(prefix): value
            for key, value in self.scalars().items()
            if key.startswith(prefix)
        }


def read_dumps(path: Path) -> Iterator[Dump]:
    """Yields the dumps of a stats.txt, plain or .xz by its suffix, in file order.

    Raises StatsFormatError, with file, line and text, for a dump without an end line, a cut or
    foreign line, a name repeated in a dump, and a damaged .xz.
    """
    try:
        with packed.open_text(path) as stream:
            yield from parse(stream, str(path))
    except OSError as error:
        raise OsgapError(f"{path}: cannot be read: {error.strerror}") from error


def parse(stream: TextIO | Iterable[str], file: str) -> Iterator[Dump]:
    """Yields the dumps of an open text, which errors call `file`.

    Raises StatsFormatError as `read_dumps` does.
    """
    begun = 0
    rows: dict[str, StatLine] = {}
    # Most rows are equal to those of the dump before.
    cache: dict[str, StatLine] = {}
    number, last = 0, ""
    for number, last in _numbered(stream, file):
        text = last.rstrip()
        if text == BEGIN and not begun:
            begun, rows = number, {}
        elif text == END and begun:
            yield Dump(tuple(rows.values()), begun)
            begun = 0
        elif text and not begun:
            raise StatsFormatError(file, number, "a begin line", quoted(text))
        elif text:
            try:
                row = cache.get(text) or parse_row(text)
            except RowError as error:
                raise StatsFormatError(file, number, *error.sides) from None
            if len(cache) < _CACHED_ROWS:
                cache[text] = row
            if row.name in rows:
                raise StatsFormatError(file, number, "each name once in a dump", quoted(row.name))
            rows[row.name] = row
    if begun:
        expected = f"the end line of the dump begun on line {begun}"
        raise StatsFormatError(file, number, expected, f"the end of the file after {quoted(last)}")


def write_dumps(stream: TextIO, dumps: Iterable[Dump]) -> None:
    """Writes dumps in gem5's format; equal dumps give equal bytes."""
    for dump in dumps:
        stream.write(f"\n{BEGIN}\n")
        for row in dump.rows:
            stream.write(format_row(row) + "\n")
        stream.write(f"\n{END}\n")


def format_row(row: StatLine) -> str:
    """Returns a row as gem5 prints it, without the newline.

    Raises ValueError for a name, description or cells that could not be parsed again.
    """
    if not row.name or row.name.startswith("-----") or any(c.isspace() for c in row.name):
        raise ValueError(f"not a statistic's name: {quoted(row.name)}")
    if row.description != row.description.strip() or not row.description.isprintable():
        raise ValueError(f"not a one-line description: {quoted(row.description)}")
    if not row.cells:
        raise ValueError(f"{row.name} has no value")
    if any(cell.pdf is None and cell.cdf is not None for cell in row.cells):
        raise ValueError(f"{row.name} has a cumulative share without a share")
    joint = " |" if len(row.cells) > 1 else " "
    cells = "".join(joint + _format_cell(cell) for cell in row.cells)
    comment = f" # {row.description}" if row.description else ""
    return f"{row.name:<{_NAME_WIDTH}}{cells}{comment}".rstrip()


def format_number(value: Number) -> str:
    """Returns a number as text: six digits after the point as gem5, or more if needed; an integer
    without a point."""
    if not math.isfinite(value):
        return str(float(value))
    if value == int(value):
        return str(int(value))
    fixed = f"{value:.6f}"
    return fixed if float(fixed) == value else repr(float(value))


def _format_cell(cell: StatCell) -> str:
    shares = ("" if share is None else f"{share:.2f}%" for share in (cell.pdf, cell.cdf))
    padded = " ".join(f"{share:>{_PERCENT_WIDTH}}" for share in shares)
    return f"{format_number(cell.value):>{_VALUE_WIDTH}} {padded}"


def _numbered(stream: TextIO | Iterable[str], file: str) -> Iterator[tuple[int, str]]:
    """Yields lines with numbers from 1. Raises StatsFormatError for damaged or long lines."""
    number = 0
    try:
        for number, line in enumerate(_lines(stream), 1):
            if len(line) > LONGEST_LINE:
                expected = f"a line of {LONGEST_LINE} characters at most"
                raise StatsFormatError(file, number, expected, f"{quoted(line)}, which goes on")
            yield number, line
    except (*packed.DAMAGE, UnicodeDecodeError) as error:
        raise StatsFormatError(file, number + 1, "more text", f"damage ({error})") from error


def _lines(stream: TextIO | Iterable[str]) -> Iterator[str]:
    """Returns the lines; cuts one that is too long after LONGEST_LINE + 1 characters."""
    if isinstance(stream, io.TextIOBase):
        return iter(lambda: stream.readline(LONGEST_LINE + 1), "")
    return iter(stream)
