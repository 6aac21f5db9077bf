# SPDX-License-Identifier: BSD-3-Clause
"""Reads what stands before the place where a JSON text breaks off or is damaged."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from osgap.base.config import ConfigError, decoder, parse_json, unrepeated

DEEPEST = 100
"""Most levels of nested objects. gem5's configurations have about ten."""
_BLANKS = re.compile(r"[ \t\n\r]*")


class CutObject(dict[str, Any]):
    """The members that an object has before the text breaks off."""


class CutList(list[Any]):
    """The elements that a list has before the text breaks off."""


def parse_before_damage(content: bytes, where: str) -> tuple[Any, str]:
    """Returns the value of a JSON text, and a sentence about its damage, "" if there is none.

    Of a damaged text the value is a CutObject or a CutList. Raises ConfigError for a text that is
    JSON until its end but is not read, as for a key that is there twice.
    """
    try:
        return parse_json(content, where, not_finite=True), ""
    except ConfigError as error:
        try:
            return _Salvage(_before_damage(content).lstrip()).value(0, 0)[0], str(error)
        except (ValueError, RecursionError):
            raise error from None


def _before_damage(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        return content[: error.start].decode()


class _Salvage:
    """Reads values of a text that is no JSON as a whole."""

    def __init__(self, text: str) -> None:
        self._text, self._decoder = text, decoder(not_finite=True)

    def value(self, place: int, depth: int) -> tuple[Any, int | None]:
        """Returns the value at a place and its end, None if the text breaks off in it.

        Raises JSONDecodeError if nothing of the value is there.
        """
        try:
            value, end = self._decoder.raw_decode(self._text, place)
        except json.JSONDecodeError:
            opening = self._text[place : place + 1]
            if opening not in ("{", "[") or depth >= DEEPEST:
                raise
            members = list(self._members(place + 1, opening == "{", depth + 1))
            if opening == "{":
                return CutObject(unrepeated(members)), None
            return CutList(value for _, value in members), None
        if isinstance(value, int | float) and self._character(self._after_blanks(end)) not in ",]}":
            raise self._error("a number that may lack digits", end)
        return value, end

    def _members(self, place: int, keyed: bool, depth: int) -> Iterator[tuple[str, Any]]:
        """Yields key ("" in a list) and value of what stands behind an opening bracket."""
        end: int | None = self._after_blanks(place)
        key = ""
        with suppress(json.JSONDecodeError):
            while end is not None:
                if keyed:
                    key, end = self._decoder.raw_decode(self._text, end)
                    end = self._behind(":", end)
                value, end = self.value(end, depth)
                yield key, value
                end = None if end is None else self._behind(",", end)

    def _behind(self, mark: str, place: int) -> int:
        place = self._after_blanks(place)
        if self._character(place) != mark:
            raise self._error(mark, place)
        return self._after_blanks(place + 1)

    def _after_blanks(self, place: int) -> int:
        match = _BLANKS.match(self._text, place)
        return match.end() if match else place

    def _character(self, place: int) -> str:
        return self._text[place : place + 1] or " "

    def _error(self, text: str, place: int) -> json.JSONDecodeError:
        return json.JSONDecodeError(text, self._text, place)
