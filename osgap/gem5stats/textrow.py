# SPDX-License-Identifier: BSD-3-Clause
"""Parses a row of gem5's statistics, as any version of its printer writes it.

gem5's src/base/stats/text.cc, `ScalarPrint`: name, value, up to two shares in per cent, ` # ` and a
description, ` (Unit)` from version 21. Each part but name and value may be missing: gem5 prints the
unit of a statistic without a description behind the value, and `desc=False` or `spaces=False` leave
out descriptions or alignment. Before 2012 a value that is no number was `no_value`, before 2009
`no value` or `<err: div-0>`.
"""

import math
import re
from dataclasses import dataclass

from osgap.base.quoting import quoted, shortened
from osgap.base.written import WrittenFloat

Number = int | float

_INTEGER = re.compile(r"[+-]?[0-9]+")
_REAL = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf)", re.IGNORECASE)
_NO_VALUE = "no_value"
_NO_VALUES = re.compile(r"(?<=[\s|])(?:no value|<err: div-0>)(?=\s|$)")
_COMMENT = re.compile(r"\s#(?:\s|$)")
_UNIT = re.compile(r"\s(\(\S*\))$")


class RowError(ValueError):
    """A line that is no row; `sides` has the expected text and the found one."""

    def __init__(self, expected: str, actual: str) -> None:
        super().__init__(f"expected {expected}, found {actual}")
        self.sides = expected, actual


@dataclass(frozen=True)
class StatCell:
    """One printed value; `pdf` and `cdf` are per cent, None if the row does not print them."""

    value: Number
    pdf: float | None = None
    cdf: float | None = None


@dataclass(frozen=True)
class StatLine:
    """One row. A distribution in gem5's one-line form has several cells, any other row one."""

    name: str
    cells: tuple[StatCell, ...]
    description: str = ""

    @property
    def value(self) -> Number:
        """The value of a row with one cell. Raises ValueError for a row with several."""
        if len(self.cells) != 1:
            raise ValueError(f"{self.name} has {len(self.cells)} values in one row")
        return self.cells[0].value

    @property
    def unit(self) -> str | None:
        """The text in the last, balanced brackets of the description, or None."""
        if not self.description.endswith(")"):
            return None
        depth = 0
        for index in range(len(self.description) - 1, -1, -1):
            depth += {")": 1, "(": -1}.get(self.description[index], 0)
            if depth == 0:
                return self.description[index + 1 : -1]
        return None


def parse_row(text: str) -> StatLine:
    """Returns the row in a line without its end. Raises RowError."""
    body, comment = _halves(text)
    words = body.split()
    if len(words) < 2 or words[0].startswith("-----") or text[0].isspace():
        raise RowError("a statistic's name and value", quoted(text))
    if words[1].startswith("|"):
        groups = [group.split() for group in body[len(words[0]) :].split("|")[1:]]
        name, cells = words[0], [group for group in groups if group]
    else:
        end = _name_end(words)
        name, cells = " ".join(words[:end]), [words[end:]]
    try:
        return StatLine(name, tuple(map(_parse_cell, cells)), comment)
    except ValueError as error:
        raise RowError(f"numbers for {shortened(name)}", str(error)) from error


def _halves(text: str) -> tuple[str, str]:
    """Returns name and values, and the description with the unit."""
    if comment := _COMMENT.search(text):
        body, description = text[: comment.start()], text[comment.end() :]
    elif text.endswith(")") and (unit := _UNIT.search(text)):
        body, description = text[: unit.start()], unit[1]
    else:
        body, description = text, ""
    return _NO_VALUES.sub(_NO_VALUE, body), description.strip()


def _name_end(words: list[str]) -> int:
    """Returns the number of words in the name: one, or more if an entry's name has blanks."""
    for end in range(1, len(words)):
        shares = words[end + 1 :]
        if len(shares) < 3 and _is_number(words[end]) and all(map(_is_share, shares)):
            return end if end == 1 or any("::" in word for word in words[:end]) else 1
    return 1


def _parse_cell(words: list[str]) -> StatCell:
    if len(words) > 3:
        raise ValueError(quoted(" ".join(words)))
    return StatCell(_parse_number(words[0]), *map(_parse_share, words[1:]))


def _is_share(word: str) -> bool:
    return word.endswith("%") and _is_number(word[:-1])


def _parse_share(word: str) -> float:
    if not _is_share(word):
        raise ValueError(quoted(word))
    return float(word[:-1])


def _is_number(word: str) -> bool:
    if _REAL.fullmatch(word):
        # A number that is too large for a double does not count as infinite.
        return math.isfinite(float(word))
    return word == _NO_VALUE or _NOT_FINITE.fullmatch(word) is not None


def _parse_number(word: str) -> Number:
    if not _is_number(word):
        raise ValueError(quoted(word))
    if not _REAL.fullmatch(word):
        return math.nan if word == _NO_VALUE else float(word)
    return int(word) if _INTEGER.fullmatch(word) else WrittenFloat(word)
