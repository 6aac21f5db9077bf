# SPDX-License-Identifier: BSD-3-Clause
"""Patterns that extract numbers from a program's output: NAME=REGEX, or NAME:UNIT=REGEX."""

from __future__ import annotations

import math
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator

from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted

LONGEST = 300
"""Most characters of a pattern."""
LONGEST_LINE = 1000
"""Characters of a line that are searched."""
LIMIT_S = 2.0
"""Most seconds of processor time for one pattern over one output."""
_HEAD = re.compile(r"([a-z][a-z0-9_]{0,39})(?::([A-Za-z0-9%/_.^-]{1,16}))?")


@dataclass(frozen=True)
class Pattern:
    """A regular expression whose group is the number `name`, in `unit` ("" if not given)."""

    name: str
    unit: str
    regex: re.Pattern[str]


@dataclass(frozen=True)
class Number:
    """A number, and its line, from 1."""

    line: int
    value: float


def parse_pattern(text: str) -> Pattern:
    """Returns the pattern that a text describes. Raises OsgapError."""
    pattern = _parsed(text)
    if isinstance(pattern, str):
        raise OsgapError(f"pattern: found {quoted(text)}; allowed: {pattern}")
    return pattern


def _parsed(text: str) -> Pattern | str:
    """Returns the pattern, or the allowed form as text."""
    head, equals, regex = text.partition("=")
    match = _HEAD.fullmatch(head)
    if not equals or match is None or not regex or len(text) > LONGEST:
        return f"NAME=REGEX or NAME:UNIT=REGEX, the name of a-z 0-9 _, {LONGEST} characters at most"
    try:
        compiled = re.compile(regex)
    except (re.error, OverflowError, RecursionError) as error:
        return f"a regular expression, which this is not: {error}"
    if compiled.groups != 1:
        return f"one group, around the number, as in ([0-9.]+), not {compiled.groups}"
    return Pattern(match[1], match[2] or "", compiled)


def _checked(text: str) -> str:
    pattern = _parsed(text)
    if isinstance(pattern, str):
        raise ValueError(pattern)
    return text


PatternText = Annotated[str, AfterValidator(_checked)]
"""The type of a pattern's text in a file."""


def numbers(pattern: Pattern, text: str, where: str) -> list[Number]:
    """Returns the first match of a pattern in each line of a text, which errors call `where`.

    Skips a match that is no number. Raises OsgapError after LIMIT_S.
    """
    matches = []
    with _bounded(f"pattern {pattern.name}: takes more than {LIMIT_S:g} s over {where}"):
        for position, line in enumerate(text.split("\n"), 1):
            match = pattern.regex.search(line[:LONGEST_LINE])
            value = _number(match[1]) if match else None
            if value is not None:
                matches.append(Number(position, value))
    return matches


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text and text.isascii() and "_" not in text else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@contextmanager
def _bounded(sentence: str) -> Iterator[None]:
    """Raises OsgapError after LIMIT_S, as some regular expressions take on some lines.

    Works in the main thread only, the one that signals reach.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(*_: object) -> None:
        raise OsgapError(f"{sentence}; allowed: a pattern without one repetition in another")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
