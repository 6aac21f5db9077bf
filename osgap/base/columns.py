# SPDX-License-Identifier: BSD-3-Clause
"""Stores a text of many equal tables by column: a tenth of its length, and exact to the byte.

gem5's stats.txt is such a text: each dump has the same rows, and the value of a row stands in the
same place. The encoded text has each row once, as a template, and then the values of each row in
all dumps, so that what is alike lies together for the compression that follows:

    osgap columns 1 TEMPLATES
    a template a line, in the order of the rows in a dump: simInsts     %12s   # instructions
    for each field of each template: its value in each dump, a value a line

%12s is a field: a value, right-justified in at least 12 bytes. %% is a percent sign. The value is
empty where the dump has no such row. A template without fields has "+" where the dump has it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import chain, pairwise

from osgap.base import inputs
from osgap.base.quoting import counted

MOST_LINES = 1 << 21
"""Most lines of a text, encoded or not; the largest of the locked runs has 0.44 million."""
_HEAD = b"osgap columns 1 "
_TEMPLATE = re.compile(rb"[^%]*(?:%(?:%|[1-9][0-9]?s)[^%]*)*")
_WIDTH = re.compile(rb"%([0-9]+)s")
_NUMBER = re.compile(rb"(?<! )( +)(-?(?:[0-9][0-9.]*(?:e[+-]?[0-9]+)?|nan|inf))(?=%?(?: |$))")
_WIDTHS = (12, 9)
"""Widths of gem5's columns: of a value, and of a percentage (src/base/stats/text.cc)."""
_PRESENT = b"+"

_Pads = tuple[int, ...]
_Key = tuple[bytes, int]  # a template, and how often the dump has had it before
_Values = tuple[bytes, ...]


class ColumnsError(ValueError):
    """Bytes that `encode` does not return; the text says what is wrong with them."""


@dataclass(frozen=True)
class _Row:
    """A line: `values` between `literals`, each behind as many spaces as `pads` says."""

    literals: tuple[bytes, ...]
    pads: _Pads
    values: _Values


def encode(text: bytes) -> bytes | None:
    """Returns `text` by column, or None if it is no such text or would not be shorter by half."""
    if not text.endswith(b"\n") or text.count(b"\n") > MOST_LINES:
        return None
    dumps = _dumps(text[:-1].split(b"\n"))
    if len(dumps) < 2:
        return None
    rows = {line: _row(line) for line in dict.fromkeys(chain.from_iterable(dumps))}
    templates = _templates(rows)
    tables = [_table(dump, rows, templates) for dump in dumps]
    order = _order(tables)
    columns = sum(max(1, len(_widths(template))) for template, _ in order)
    if not order or columns * len(tables) > MOST_LINES:
        return None
    encoded = b"".join(_lines(order, tables))
    return encoded if 2 * len(encoded) < len(text) and _decodes(encoded, text) else None


def _dumps(lines: list[bytes]) -> list[list[bytes]]:
    """Splits lines wherever the first that is not empty is there again.

    As many lines before it belong to each dump as stand before the first.
    """
    first = next((line for line in lines if line), b"")
    before = lines.index(first)
    starts = [number - before for number, line in enumerate(lines) if line == first]
    return [lines[start:end] for start, end in pairwise([*starts, len(lines)])]


def _row(line: bytes) -> _Row:
    """Splits a line at its numbers, as far as its description."""
    body, mark, description = line.partition(b"#")
    parts = _NUMBER.split(body)
    parts[-1] += mark + description
    return _Row(tuple(parts[::3]), tuple(map(len, parts[1::3])), tuple(parts[2::3]))


def _templates(rows: Mapping[bytes, _Row]) -> dict[bytes, bytes]:
    """Returns the template of each line, the same for all lines between equal literals if it can.

    So what a field's width is has to be told from all of its values.
    """
    alike: dict[tuple[bytes, ...], list[_Row]] = {}
    for row in rows.values():
        alike.setdefault(row.literals, []).append(row)
    layouts = {
        literals: [
            _layout({(row.pads[field], len(row.values[field])) for row in group})
            for field in range(len(literals) - 1)
        ]
        for literals, group in alike.items()
    }
    return {line: _template(row, layouts[row.literals]) for line, row in rows.items()}


def _layout(extents: set[tuple[int, int]]) -> tuple[int, int] | None:
    """Returns a field's spaces and its width behind them, given the spaces and length of values.

    None if no width explains all of them.
    """
    narrowest = min(pad + length for pad, length in extents)
    least = min(pad for pad, _ in extents)
    for width in (*_WIDTHS, narrowest - least):
        for spaces in (narrowest - width, least):
            fits = all(pad + length == spaces + max(width, length) for pad, length in extents)
            if fits and spaces > 0 and 0 < width < 100:
                return spaces, width
    return None


def _template(row: _Row, layout: Sequence[tuple[int, int] | None]) -> bytes:
    template, *rest = (literal.replace(b"%", b"%%") for literal in row.literals)
    for literal, common, pad in zip(rest, layout, row.pads, strict=True):
        spaces, width = common or (pad, 1)
        template += b" " * spaces + b"%%%ds" % width + literal
    return template


def _table(
    dump: Iterable[bytes], rows: Mapping[bytes, _Row], templates: Mapping[bytes, bytes]
) -> dict[_Key, _Values]:
    """Returns the values of a dump's rows, in their order."""
    count = Counter[bytes]()
    table = {}
    for line in dump:
        template = templates[line]
        table[template, count[template]] = rows[line].values or (_PRESENT,)
        count[template] += 1
    return table


def _order(tables: Iterable[Iterable[_Key]]) -> list[_Key]:
    """Returns an order of rows that each dump keeps to; an empty one if there is none."""
    before: dict[_Key, dict[_Key, None]] = {}
    for table in tables:
        for key in table:
            before.setdefault(key, {})
        for earlier, later in pairwise(table):
            before[later][earlier] = None
    try:
        return list(TopologicalSorter(before).static_order())
    except CycleError:
        return []


def _lines(order: Sequence[_Key], tables: Sequence[Mapping[_Key, _Values]]) -> Iterator[bytes]:
    yield _HEAD + b"%d\n" % len(order)
    for template, _ in order:
        yield template + b"\n"
    for key in order:
        nothing = (b"",) * max(1, len(_widths(key[0])))
        for column in zip(*(table.get(key, nothing) for table in tables), strict=True):
            yield b"\n".join(column) + b"\n"


def _decodes(encoded: bytes, text: bytes) -> bool:
    try:
        return decode(encoded) == text
    except ColumnsError:
        return False


def decode(encoded: bytes) -> bytes:
    """Returns the text that `encode` was given, of at most inputs.LARGEST bytes.

    Raises ColumnsError for other bytes, and for more; takes memory of a few times that.
    """
    if encoded.count(b"\n") > MOST_LINES:
        raise ColumnsError(f"has more lines than {MOST_LINES}")
    head, *lines = encoded.removeprefix(_HEAD).split(b"\n")
    if not encoded.startswith(_HEAD) or not head.isdigit() or len(head) > 7:
        raise ColumnsError(f"does not begin with {_HEAD.decode()}and a number")
    if not lines or lines.pop():
        raise ColumnsError("ends in the middle of a line")
    templates = [(template, _widths(template)) for template in lines[: int(head)]]
    values = lines[int(head) :]
    columns = sum(max(1, len(widths)) for _, widths in templates)
    if not columns or not values or len(values) % columns:
        raise ColumnsError(f"has {counted(len(values), 'value')} in {counted(columns, 'column')}")
    texts = _texts(templates, values, len(values) // columns)
    return b"".join(chain.from_iterable(zip(*texts, strict=True)))


def _texts(
    templates: list[tuple[bytes, list[int]]], values: list[bytes], dumps: int
) -> list[list[bytes]]:
    """Returns the lines of each row, one a dump, empty where the dump has no such row."""
    texts = []
    start, length = 0, len(values) + sum(map(len, values))
    for template, widths in templates:
        end = start + dumps * max(1, len(widths))
        columns = [values[top : top + dumps] for top in range(start, end, dumps)]
        # Added up before lines are made. Values are counted beside the width that they fill.
        length += (dumps - columns[0].count(b"")) * (len(template) + 1 + sum(widths))
        if length > inputs.LARGEST:
            raise ColumnsError(f"is a text of more than {inputs.LARGEST} bytes")
        texts.append(_filled(template + b"\n", len(widths), columns))
        start = end
    return texts


def _filled(line: bytes, fields: int, columns: list[list[bytes]]) -> list[bytes]:
    if fields == 0:
        plain = line.replace(b"%%", b"%")
        return [plain if value else b"" for value in columns[0]]
    if fields == 1:
        return [line % value if value else b"" for value in columns[0]]
    return [line % row if row[0] else b"" for row in zip(*columns, strict=True)]


def _widths(template: bytes) -> list[int]:
    """Returns the width of each field. Raises ColumnsError for what is no template."""
    if b"%" not in template:
        return []
    if not _TEMPLATE.fullmatch(template):
        raise ColumnsError("has a row with another field than %NUMBERs, of up to 99 bytes")
    return [int(width) for width in _WIDTH.findall(template.replace(b"%%", b""))]
