# SPDX-License-Identifier: BSD-3-Clause
"""Faults of text that was printed on a terminal of 80 columns."""

import io
import re
from collections import Counter
from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Console

from osgap.base.terminal import make_console

WIDTH = 80
_RULE = re.compile(r"─+|-+")


class Narrow:
    """A terminal of WIDTH columns; `text` is what was printed on it, without styles."""

    def __init__(self) -> None:
        self._stream = io.StringIO()
        self.console: Console = make_console(self._stream, terminal_width=WIDTH)

    @property
    def text(self) -> str:
        return re.sub(r"\x1b\[[0-9;]*m", "", self._stream.getvalue())


def faults(text: str) -> list[str]:
    """Lines with a cut cell, lines wider than the terminal, and equal rows of one table."""
    lines = text.splitlines()
    cut = [f"cut: {line}" for line in lines if "…" in line]
    wide = [f"wide: {line}" for line in lines if cell_len(line) > WIDTH]
    return [*cut, *wide, *_equal(lines)]


def _equal(lines: list[str]) -> Iterator[str]:
    for rows in _bodies(lines):
        counts = Counter(line for line in rows if not _RULE.fullmatch(line.strip()))
        yield from (f"{count} times: {line}" for line, count in counts.items() if count > 1)


def _bodies(lines: list[str]) -> Iterator[list[str]]:
    """The rows of each table: from the rule below its headings to a blank line."""
    rows: list[str] | None = None
    for line in [*lines, ""]:
        if rows is None and _RULE.fullmatch(line):
            rows = []
        elif rows is not None and line.strip():
            rows.append(line)
        elif rows is not None:
            yield rows
            rows = None
