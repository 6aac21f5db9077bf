# SPDX-License-Identifier: BSD-3-Clause
"""Reads the values of a stats.txt in a fraction of the time that osgap.gem5stats.gem5text takes.

Dumps whose rows are all of the usual form are read by one regular expression each. From the first
dump with any other row, right or wrong, the parser of every row takes over, with its errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TextIO

from osgap.base import packed
from osgap.gem5stats.gem5text import BEGIN, END, parse
from osgap.gem5stats.names import FIGURES, FIRST_OF_SEVERAL
from osgap.gem5stats.textrow import Number

_CHUNK = 1 << 20
_LONGEST_DUMP = 1 << 26
"""Most characters of a dump that is read in one piece."""
_NUMBER = r"(?:[+-]?[0-9]{1,300}(?:\.[0-9]{1,300}(?:e-[0-9]{1,3})?)?|nan|inf)"
_SHARES = r"(?: {1,1000}[0-9]{1,300}\.[0-9]{1,300}%){0,2}"
# No exponent is positive, so that no number is too large, and lines end before LONGEST_LINE.
_ROW = re.compile(
    rf"^(?!-----)([!-~]{{1,1000}}) {{1,1000}}({_NUMBER}){_SHARES} {{0,1000}}"
    r"(?: # [^\n]{0,20000})?$",
    re.MULTILINE,
)
_BEGIN, _END = f"{BEGIN}\n", f"\n{END}\n"


class TextScalars(Mapping[str, Number]):
    """The values of a dump by name, each converted from its text when it is read."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def __getitem__(self, name: str) -> Number:
        text = self._texts[name]
        return int(text) if text.lstrip("+-").isdigit() else float(text)

    def __contains__(self, name: object) -> bool:
        return name in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def read_scalars(
    open_text: Callable[[], TextIO], file: str
) -> Iterator[tuple[int, Mapping[str, Number]]]:
    """Yields first line and values of each dump: `line` and `scalars()` of the dumps of `parse`.

    `open_text` opens the text, twice if a dump is unusual; errors call it `file`. Raises as `parse`
    does.
    """
    count = 0
    with open_text() as stream:
        for dump in _usual_dumps(stream):
            if dump is None:
                break
            count += 1
            yield dump
        else:
            return
    with open_text() as stream:
        for parsed in islice(parse(stream, file), count, None):
            yield parsed.line, parsed.scalars()


def figure_scalars(text: str) -> Iterator[Mapping[str, Number]]:
    """Yields the values of each dump that figures are made of, in a text without an error."""
    for dump in text.split(_END)[:-1]:
        several = FIRST_OF_SEVERAL in dump
        rows = (line.partition(" ") for line in dump.split("\n"))
        chosen = ((name, rest) for name, _, rest in rows if name in FIGURES or (several and rest))
        yield TextScalars({name: rest.split(None, 1)[0] for name, rest in chosen})


def _usual_dumps(stream: TextIO) -> Iterator[tuple[int, TextScalars] | None]:
    """Yields first line and values of each dump; None, and no more, in place of an unusual one."""
    text, line = "", 1
    try:
        while chunk := stream.read(_CHUNK):
            text += chunk
            while (end := text.find(_END)) >= 0:
                dump = _dump(text[: end + 1], line)
                yield dump
                if dump is None:
                    return
                end += len(_END)
                line += text.count("\n", 0, end)
                text = text[end:]
            if len(text) > _LONGEST_DUMP:
                break
    # The other parser meets the damage again, and says where.
    except (OSError, UnicodeDecodeError, *packed.DAMAGE):
        yield None
        return
    if text.strip("\n"):
        yield None


def _dump(text: str, line: int) -> tuple[int, TextScalars] | None:
    """First line and values of the dump in a text that begins on line `line`; None if unusual."""
    begin = text.lstrip("\n")
    if not begin.startswith(_BEGIN):
        return None
    body = begin[len(_BEGIN) :].strip("\n")
    rows = _ROW.findall(body)
    texts = dict(rows)
    if len(rows) != (body.count("\n") + 1 if body else 0) or len(texts) != len(rows):
        return None
    return line + len(text) - len(begin), TextScalars(texts)
