# SPDX-License-Identifier: BSD-3-Clause
"""Fits a table to the width of a terminal, without cutting a cell.

`fit` wraps headings, moves constant columns into the title, stacks a table for each value of the
first key, and at last makes blocks of columns, each beside the row's keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

GAP = "  "
"""The blanks between two columns."""
_MAX_KEYS = 3
"""Keys by which a table is stacked at most."""

Row = tuple[str, ...]
Group = tuple[str, tuple[Row, ...]]
"""A subtitle, "" for none, and the rows below it."""


@dataclass(frozen=True)
class Heading:
    """A column: its heading, and whether its cells are aligned to the right."""

    text: str
    right: bool = False


@dataclass(frozen=True)
class Arrangement:
    """A table as it is printed: columns, and groups of rows. An empty row is a rule."""

    title: str
    headings: tuple[Heading, ...]
    groups: tuple[Group, ...]

    def column(self, index: int) -> list[str]:
        """The column's cells in all groups."""
        return [cell for _, rows in self.groups for cell in _column(rows, index)]

    def widths(self, *, wrapped: bool) -> list[int]:
        """The columns' widths; wrapped headings need their longest word's."""
        return [
            max(map(cell_len, [*(heading.text.split() if wrapped else [heading.text]), *cells, ""]))
            for heading, cells in zip(
                self.headings, map(self.column, range(len(self.headings))), strict=True
            )
        ]

    def width(self, *, wrapped: bool = True) -> int:
        """The width of a line."""
        widths = self.widths(wrapped=wrapped)
        return sum(widths) + len(GAP) * max(0, len(widths) - 1)

    def without(self, indices: Sequence[int], title: str, groups: Sequence[Group]) -> Arrangement:
        """The arrangement of other groups, without some columns."""
        rest = [i for i in range(len(self.headings)) if i not in indices]
        shorter = tuple((sub, tuple(_cells(row, rest) for row in rows)) for sub, rows in groups)
        return Arrangement(title, tuple(self.headings[i] for i in rest), shorter)


def fit(table: Arrangement, width: int) -> list[Arrangement]:
    """The table in parts of at most `width` columns, where that is possible."""
    if table.width() <= width:
        return [table]
    table = flat = _without_constants(table)
    for _ in range(_MAX_KEYS):
        if table.width() <= width:
            return [table]
        key = _first_key(table)
        if key is None:
            break
        table = _without_constants(_stacked(table, key), keys_only=True)
    if table.width() <= width:
        return [table]
    fitting = (part for part in (flat, table) if _keys_leave_room(part, width))
    return list(_blocks(next(fitting, _numbered(flat)), width))


def _numbered(table: Arrangement) -> Arrangement:
    """The table with the rows' numbers as its first column, which tell rows apart in blocks."""
    groups = []
    for subtitle, rows in table.groups:
        numbers = iter(range(1, len(rows) + 1))
        numbered = tuple((str(next(numbers)), *row) if row else row for row in rows)
        groups.append((subtitle, numbered))
    headings = (Heading("row", right=True), *table.headings)
    return Arrangement(table.title, headings, tuple(groups))


def _column(rows: Sequence[Row], index: int) -> list[str]:
    return [row[index] for row in rows if row]


def _cells(row: Row, indices: Sequence[int]) -> Row:
    return tuple(row[i] for i in indices) if row else row


def _without_constants(table: Arrangement, *, keys_only: bool = False) -> Arrangement:
    """The table without columns of one value in each group, which the titles then say."""
    if max((len(rows) for _, rows in table.groups), default=0) < 2:
        return table
    constant = [
        index
        for index, heading in enumerate(table.headings)
        if all(len(set(_column(rows, index))) == 1 for _, rows in table.groups)
        and not (keys_only and heading.right)
    ]
    if len(constant) == len(table.headings):
        constant = constant[:-1]
    if not constant:
        return table
    if len(table.groups) == 1 and not table.groups[0][0]:
        title = "; ".join(filter(None, [table.title, _constants(table, constant, 0)]))
        return table.without(constant, title, table.groups)
    groups = [
        (", ".join(filter(None, [subtitle, _constants(table, constant, number)])), rows)
        for number, (subtitle, rows) in enumerate(table.groups)
    ]
    return table.without(constant, table.title, groups)


def _constants(table: Arrangement, indices: Sequence[int], group: int) -> str:
    row = next(row for row in table.groups[group][1] if row)
    return ", ".join(_value(table.headings[i], row[i]) for i in indices if row[i])


def _value(heading: Heading, cell: str) -> str:
    """`clock 20 MHz` of the heading "clock (MHz)", else `HEADING CELL`."""
    name, bracket, unit = heading.text.partition(" (")
    if bracket and unit.endswith(")"):
        return f"{name} {cell} {unit[:-1]}"
    return f"{heading.text} {cell}"


def _first_key(table: Arrangement) -> int | None:
    """The first column of texts, if its values divide the rows into groups of two on average."""
    for index, heading in enumerate(table.headings[:-2]):
        parts = sum(len(set(_column(rows, index))) for _, rows in table.groups)
        if heading.right or parts <= len(table.groups):
            continue
        return index if parts <= len(table.column(index)) / 2 else None
    return None


def _stacked(table: Arrangement, key: int) -> Arrangement:
    """The table with a group for each value of the column `key`, named in its subtitle."""
    groups: list[Group] = []
    for subtitle, rows in table.groups:
        for value in dict.fromkeys(_column(rows, key)):
            text = _value(table.headings[key], value or "none")
            members = tuple(row for row in rows if row and row[key] == value)
            groups.append((f"{subtitle}, {text}" if subtitle else text, members))
    return table.without([key], table.title, groups)


def _blocks(table: Arrangement, width: int) -> Iterator[Arrangement]:
    """The table's columns in blocks that fit, each with the columns that tell rows apart."""
    keys = _identifying(table)
    widths = table.widths(wrapped=True)
    used = _keys_width(table)
    blocks: list[list[int]] = []
    left = -1
    for index in (i for i in range(len(widths)) if i not in keys):
        if left < widths[index]:
            blocks.append([])
            left = width - used
        blocks[-1].append(index)
        left -= widths[index] + len(GAP)
    for number, block in enumerate(blocks):
        away = [i for i in range(len(widths)) if i not in (*keys, *block)]
        title = table.title if not number else f"{table.title.partition('; ')[0]} (further columns)"
        yield table.without(away, title, table.groups)


def _keys_leave_room(table: Arrangement, width: int) -> bool:
    """Returns whether the keys take half of the width at most, and any other column fits too."""
    used = _keys_width(table)
    rest = table.widths(wrapped=True)[len(_identifying(table)) :]
    return used <= min(width / 2, width - max(rest, default=0))


def _keys_width(table: Arrangement) -> int:
    """The width of the columns that tell rows apart, and of the blanks behind them."""
    widths = table.widths(wrapped=True)
    return sum(widths[i] + len(GAP) for i in _identifying(table))


def _identifying(table: Arrangement) -> list[int]:
    """The fewest first columns that differ in any two rows of a group."""
    for count in range(1, len(table.headings)):
        indices = list(range(count))
        if all(_are_apart(rows, indices) for _, rows in table.groups):
            return indices
    return [0]


def _are_apart(rows: Sequence[Row], indices: Sequence[int]) -> bool:
    keys = [_cells(row, indices) for row in rows if row]
    return len(set(keys)) == len(keys)
