# SPDX-License-Identifier: BSD-3-Clause
"""The page format of Raveling 1990: columns 8 wide, ratios aligned at the units digit."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

TAB = 8
LINE = 110
"""The longest line: a wider table goes on below, its stub repeated."""
_UNITS = re.compile(r"^(\[?\d*)\d(?:\.|\]|$)")


@dataclass(frozen=True)
class ColumnGroup:
    """Neighbouring columns under a common heading; "" without a heading."""

    heading: str
    columns: tuple[str, ...]


@dataclass(frozen=True)
class PageTable:
    """A table of the page: `stubs` head the text columns at the left; an empty row is a blank line.

    `gap` leaves an empty column between groups. `stub_widths` are the widths of a printed page, on
    which every other column is TAB wide; without them widths follow from the texts.
    """

    title: str
    stubs: tuple[str, ...]
    groups: tuple[ColumnGroup, ...]
    rows: tuple[tuple[str, ...], ...]
    gap: bool = False
    stub_widths: tuple[int, ...] = ()


def lines(table: PageTable) -> list[str]:
    """The table's lines, in blocks that fit LINE; no lines for a table without columns."""
    groups = tuple(group for group in table.groups if group.columns)
    if not groups:
        return []
    table = replace(table, groups=groups)
    text = [table.title, ""] if table.title else []
    for block in _blocks(table):
        text += [*_heads(block), "", *body(block), ""]
    return text


def body(table: PageTable) -> list[str]:
    """The lines of the rows alone, as in the published pages."""
    places = _stub_places(table)
    columns = _column_places(table)
    return [_line([*places, *columns], row, len(places)) for row in table.rows]


def _line(places: Sequence[int], row: Sequence[str], stubs: int) -> str:
    text = ""
    for number, (place, cell) in enumerate(zip(places, row, strict=False)):
        start = place if number < stubs else place - _before_units(cell)
        if cell:
            text = text.ljust(start) + cell
    return text


def _before_units(cell: str) -> int:
    """Returns the number of characters before a number's units digit; 0 for a text."""
    match = _UNITS.match(cell)
    return len(match.group(1)) if match else 0


def _stub_widths(table: PageTable) -> Sequence[int]:
    longest = [
        max([len(heading), *(len(row[number]) for row in table.rows if row)])
        for number, heading in enumerate(table.stubs)
    ]
    return table.stub_widths or [_tabs(length) for length in longest]


def _stub_places(table: PageTable) -> list[int]:
    widths = _stub_widths(table)
    return [TAB + sum(widths[:count]) for count in range(len(widths))]


def _column_places(table: PageTable) -> list[int]:
    position = TAB + sum(_stub_widths(table))
    places = []
    for number, group in enumerate(table.groups):
        position += TAB if table.gap and number else 0
        for width in [TAB] * len(group.columns) if table.stub_widths else _widths(group):
            places.append(position)
            position += width
    return places


def _widths(group: ColumnGroup) -> list[int]:
    widths = [_tabs(len(column)) for column in group.columns]
    widths[-1] += max(0, _tabs(len(group.heading)) - sum(widths))
    return widths


def _tabs(length: int) -> int:
    """The width of a column of texts up to `length`, with at least one space after each."""
    return (length // TAB + 1) * TAB


def _heads(table: PageTable) -> list[str]:
    stubs = len(table.stubs)
    places = [*_stub_places(table), *_column_places(table)]
    blank = ("",) * stubs
    columns = tuple(column for group in table.groups for column in group.columns)
    tops = tuple(
        top for group in table.groups for top in (group.heading, *[""] * (len(group.columns) - 1))
    )
    heads = []
    if any(tops):
        heads = [_line(places, blank + tops, stubs + len(tops))]
        under = tuple(":" * len(top) for top in tops)
        heads.append(_line(places, blank + under, stubs + len(tops)))
    named = (*table.stubs, *columns)
    dashes = tuple("-" * len(name) for name in named)
    return [*heads, _line(places, named, len(named)), _line(places, dashes, len(named))]


def _blocks(table: PageTable) -> list[PageTable]:
    """The table, cut between columns where it would exceed LINE."""
    left = _column_places(table)[0]
    blocks: list[list[ColumnGroup]] = [[]]
    used = left
    for group in table.groups:
        for column in _pieces(group, LINE - left):
            width = sum(_widths(column)) + (TAB if table.gap else 0)
            if blocks[-1] and used + width > LINE:
                blocks.append([])
                used = left
            blocks[-1].append(column)
            used += width
    cut, start = [], len(table.stubs)
    for groups in blocks:
        count = sum(len(group.columns) for group in groups)
        rows = tuple(
            (*row[: len(table.stubs)], *row[start : start + count]) if row else row
            for row in table.rows
        )
        cut.append(PageTable("", table.stubs, tuple(groups), rows, table.gap, table.stub_widths))
        start += count
    return cut


def _pieces(group: ColumnGroup, room: int) -> list[ColumnGroup]:
    """The group as a whole, or in pieces that fit LINE."""
    pieces: list[list[str]] = [[]]
    for column in group.columns:
        if pieces[-1] and sum(_widths(ColumnGroup(group.heading, (*pieces[-1], column)))) > room:
            pieces.append([])
        pieces[-1].append(column)
    return [ColumnGroup(group.heading, tuple(piece)) for piece in pieces]
