# SPDX-License-Identifier: BSD-3-Clause
"""Reads a stats.txt of any gem5, whole, cut or damaged, and loses no row but those it names.

A file may be cut at either end, have text around its dumps (`--stats-file=cout`), or rows that
another program garbled. `gem5text.parse` refuses all that: it reads the runs of osgap's own.

Before 2009 a distribution stood between the lines NAME.start_dist and NAME.end_dist, its buckets
indented by their lower bounds; they are read as NAME::BOUND.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from osgap.base.quoting import counted, shortened
from osgap.gem5stats import opening
from osgap.gem5stats.gem5text import Dump
from osgap.gem5stats.opening import DumpSource
from osgap.gem5stats.textrow import RowError, StatLine, parse_row

LONGEST_LINE = 1 << 22
"""Most characters of a row; one row can have all buckets of a histogram."""
_CACHED_ROWS = 50_000
_MOST_OUTSIDE = 1_000_000
"""Most rows before an end line without a begin line."""
_NAMED = 3
"""Rows that a sentence names; it counts the others."""
_BEGIN = re.compile(r"-{3,} *Begin Simulation Statistics\b *:? *(.*?) *-*$")
_END = re.compile(r"-{3,} *End Simulation Statistics\b.*$")
_NUMBER = r"(?:[+-]?[0-9]{1,300}(?:\.[0-9]{1,300})?|nan|inf)"
_USUAL = re.compile(
    rf"(?!-----)([!-~]+) +{_NUMBER}(?: +[0-9]+\.[0-9]+%){{0,2}} *(?: #(?: .*)?| \(.*\))?"
)
"""A row that `parse_row` accepts; most are so, and few of them are wanted."""
_TIMES = frozenset(("simTicks", "simSeconds", "sim_ticks", "sim_seconds"))
_START, _STOP = ".start_dist", ".end_dist"
Select = Callable[[str], object]


def read(path: Path, select: Select = bool) -> DumpSource:
    """Returns the dumps of a file, with the rows whose names `select` returns true for."""
    scanner = _Scanner(str(path), select)
    return DumpSource(scanner.opened(path), scanner.faults, scanner.notes)


def parse(stream: TextIO, file: str, select: Select = bool) -> DumpSource:
    """Returns the dumps of a text, which sentences call `file`."""
    scanner = _Scanner(file, select)
    return DumpSource(scanner.dumps(stream), scanner.faults, scanner.notes)


class _Scanner:
    """Collects the dumps of one file, and sentences about the file."""

    def __init__(self, file: str, select: Select) -> None:
        self._file, self._select = file, select
        self.faults: list[str] = []
        self.notes: list[str] = []
        self._rows: list[StatLine] = []
        self._begun = 0  # the line of the begin line; 0 outside of a dump
        self._message = ""
        self._distribution = ""
        self._dumps = 0
        self._unread: list[str] = []
        self._unreadable = self._outside = 0
        # Most rows are equal to those of the dump before.
        self._cache: dict[str, StatLine] = {}

    def opened(self, path: Path) -> Iterator[Dump]:
        """Yields the dumps of the file at `path`."""
        try:
            with opening.unpacked(path) as content:
                yield from self.dumps(opening.text(content))
        except opening.DAMAGE as error:
            self.faults.append(f"{self._file}: cannot be read: {opening.reason(error)}")

    def dumps(self, stream: TextIO) -> Iterator[Dump]:
        """Yields the dumps; completes the sentences at the end."""
        number = 0
        try:
            for number, (line, cut) in enumerate(opening.lines(stream, LONGEST_LINE), 1):
                text = line.rstrip()
                if not text:
                    continue
                if text.startswith("---") and (dump := self._marked(text, number)) is not False:
                    if isinstance(dump, Dump):
                        yield dump
                else:
                    self._line(text, line, number, cut)
        except opening.DAMAGE as error:
            words = opening.reason(error)
            self.faults.append(f"{self._file}: cannot be read behind line {number}: {words}")
        if (dump := self._rest(number)) is not None:
            yield dump
        self._conclude(number)

    def _marked(self, text: str, number: int) -> Dump | bool | None:
        """Returns the dump that a begin or end line ends, if any; False for another line."""
        dump = None
        if begin := _BEGIN.match(text):
            if self._begun:
                self._fault(f"the dump begun on line {self._begun} has no end line")
                dump = self._dump()
            self._outside += len(self._rows)
            self._rows, self._begun, self._message = [], number, begin[1]
        elif _END.match(text):
            if not self._begun:
                self._fault(f"the dump that ends on line {number} has no begin line")
            dump = self._dump()
        else:
            return False
        return dump

    def _dump(self) -> Dump:
        dump = Dump(tuple(self._rows), self._begun or 1, self._message)
        self._rows, self._begun, self._message, self._distribution = [], 0, "", ""
        self._dumps += 1
        return dump

    def _line(self, text: str, line: str, number: int, cut: bool) -> None:
        try:
            row = self._row(text, line if cut else "")
        except RowError as error:
            if not self._begun:
                self._outside += 1
                return
            self._unreadable += 1
            if len(self._unread) < _NAMED:
                name = shortened(text.split(None, 1)[0])
                words = shortened(error.sides[1])
                self._unread.append(f"{name} on line {number}: {words}")
            return
        if row and (self._begun or len(self._rows) < _MOST_OUTSIDE):
            self._rows.append(row)

    def _row(self, text: str, cut: str) -> StatLine | None:
        """Returns the row in a line, None if it is not wanted. Raises RowError.

        `cut` is the line with which the file breaks off, else "".
        """
        if len(text) > LONGEST_LINE:
            raise RowError("a shorter line", f"more than {LONGEST_LINE} characters")
        # A number may lack digits, and a row of several values some of them.
        if cut and (cut[-1] not in " )%" or "|" in text) and "#" not in text:
            raise RowError("a whole line", "a line that is cut")
        if (usual := _USUAL.fullmatch(text)) and self._begun and not self._select(usual[1]):
            return None
        if row := self._cache.get(text):
            return row
        first = text.split(None, 1)[0]
        if first.endswith((_START, _STOP)):
            self._distribution = first.removesuffix(_START) if first.endswith(_START) else ""
            return None
        if self._distribution and text[0].isspace():
            bucket = parse_row(text.lstrip())
            row = StatLine(f"{self._distribution}::{bucket.name}", bucket.cells)
            return row if self._select(row.name) else None
        row = parse_row(text)
        if self._begun and not self._select(row.name):
            return None
        if len(self._cache) < _CACHED_ROWS:
            self._cache[text] = row
        return row

    def _rest(self, number: int) -> Dump | None:
        """Returns the dump that the file breaks off in, or that has neither begin nor end line."""
        if self._begun:
            self._fault(f"the dump begun on line {self._begun} has no end line: the file is cut")
            return self._dump()
        if not self._dumps and any(row.name in _TIMES for row in self._rows):
            self._fault(f"{counted(number, 'line')} with neither a begin line nor an end line")
            return self._dump()
        self._outside += len(self._rows)
        return None

    def _conclude(self, number: int) -> None:
        if not number and not self.faults:
            self._fault("is empty")
        elif not self._dumps:
            self._fault("has no dump")
        elif self._outside:
            lines = counted(self._outside, "line")
            self.notes.append(f"{self._file}: {lines} of text outside of dumps passed over")
        if self._unreadable:
            more = self._unreadable - len(self._unread)
            rest = f"; and {more} more" if more else ""
            rows = counted(self._unreadable, "row")
            self._fault(f"{rows} cannot be read, left out: {'; '.join(self._unread)}{rest}")

    def _fault(self, sentence: str) -> None:
        self.faults.append(f"{self._file}: {sentence}")
