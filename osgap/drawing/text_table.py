# SPDX-License-Identifier: BSD-3-Clause
"""A table as text that fits its terminal: no cell is ever cut.

At a terminal too narrow for it a table is rearranged (osgap.drawing.table_fit). Elsewhere it has
its natural width and one line a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from textwrap import wrap

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.text import Text

from osgap.base.quoting import one_line
from osgap.base.terminal import text_line
from osgap.drawing.table_fit import GAP, Arrangement, Heading, Row, fit


@dataclass
class TextTable:
    """A table to print by a console: its title, its columns, and rows of cells."""

    title: str
    headings: Sequence[Heading]
    rows: list[Row] = field(default_factory=list)

    def add_row(self, *cells: str) -> None:
        """Adds a row; missing cells are empty."""
        self.rows.append((*cells, *[""] * (len(self.headings) - len(cells))))

    def add_section(self) -> None:
        """Adds a rule, unless a rule is the last line."""
        if self.rows and self.rows[-1]:
            self.rows.append(())

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """Yields the lines, fitted to a terminal's width."""
        table = self._visible(console.encoding)
        if not console.is_terminal:
            yield from map(text_line, boxed_lines(table))
            return
        dash = "─" if console.encoding.lower().startswith("utf") else "-"
        for part in fit(table, options.max_width):
            yield from _styled(part, options.max_width, dash)

    def _visible(self, encoding: str) -> Arrangement:
        rows = [tuple(one_line(cell, encoding) for cell in row) for row in self.rows]
        while rows and not rows[-1]:
            rows.pop()
        headings = [replace(h, text=one_line(h.text, encoding)) for h in self.headings]
        title = one_line(self.title, encoding)
        return Arrangement(title, tuple(headings), (("", tuple(rows)),))


def boxed_lines(table: Arrangement) -> Iterator[str]:
    """The lines of a table of natural width, with a border of ASCII."""
    widths = table.widths(wrapped=False)
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    heads = tuple(heading.text for heading in table.headings)
    yield from [table.title] if table.title else []
    yield rule
    yield f"| {' | '.join(_padded(table, heads, widths))} |"
    yield rule
    for _, rows in table.groups:
        for row in rows:
            yield f"| {' | '.join(_padded(table, row, widths))} |" if row else rule
    yield rule


def _styled(table: Arrangement, width: int, dash: str) -> Iterator[Text]:
    widths = _widths(table, width)
    rule = dash * (sum(widths) + len(GAP) * (len(widths) - 1))
    if table.title:
        yield from (text_line(line, "bold") for line in _wrapped(table.title, width))
    for number, (subtitle, rows) in enumerate(table.groups):
        if number:
            yield text_line("")
        if subtitle:
            yield from (text_line(line, "bold cyan") for line in _wrapped(subtitle, width))
        for cells in _heading_lines(table.headings, widths):
            yield text_line(GAP.join(_padded(table, cells, widths)).rstrip(), "bold")
        yield text_line(rule, "dim")
        for row in rows:
            text = GAP.join(_padded(table, row, widths)).rstrip() if row else rule
            yield text_line(text, "" if row else "dim")
    yield text_line("")


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, max(width, 1), break_long_words=False, break_on_hyphens=False)


def _widths(table: Arrangement, width: int) -> list[int]:
    """The columns' widths; headings wrap only as far as the width demands."""
    if table.width(wrapped=False) <= width:
        return table.widths(wrapped=False)
    widths = table.widths(wrapped=True)
    for _ in range(width - table.width()):
        heights = [
            len(_wrapped(heading.text, wide))
            for heading, wide in zip(table.headings, widths, strict=True)
        ]
        if max(heights, default=1) == 1:
            break
        widths[heights.index(max(heights))] += 1
    return widths


def _heading_lines(headings: Sequence[Heading], widths: Sequence[int]) -> Iterator[Row]:
    """The headings' lines, the last of each on the bottom line."""
    wrapped = [
        _wrapped(heading.text, width) for heading, width in zip(headings, widths, strict=True)
    ]
    height = max(map(len, wrapped), default=0)
    for number in range(height):
        numbered = ((lines, number - height + len(lines)) for lines in wrapped)
        yield tuple(lines[line] if line >= 0 else "" for lines, line in numbered)


def _padded(table: Arrangement, cells: Row, widths: Sequence[int]) -> Iterator[str]:
    for heading, cell, width in zip(table.headings, cells, widths, strict=True):
        blank = " " * (width - cell_len(cell))
        yield blank + cell if heading.right else cell + blank
