# SPDX-License-Identifier: BSD-3-Clause
"""Patterns that find numbers in what a program prints: NAME=REGEX, or NAME:UNIT=REGEX."""

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
from osgap.base.quoting import found

LONGEST = 300
"""Characters of a pattern."""
LONGEST_LINE = 1000
"""Characters of a line that are looked at."""
LIMIT_S = 2.0
"""Seconds of a processor that one pattern may take over one output."""
_HEAD = re.compile(r"([a-z][a-z0-9_]{0,39})(?::([A-Za-z0-9%/_.^-]{1,16}))?")


class PatternError(OsgapError):
    """A pattern that is none, or that takes too long."""


@dataclass(frozen=True)
class Pattern:
    """A pattern: the number that its group finds is called `name`, in `unit` ("" for unsaid)."""

    name: str
    unit: str
    regex: re.Pattern[str]


@dataclass(frozen=True)
class Number:
    """A number, and in which line it was, from 1."""

    line: int
    value: float


def parse_pattern(text: str) -> Pattern:
    """The pattern in a text. Raises PatternError."""
    made = _parsed(text)
    if isinstance(made, str):
        raise PatternError(f"pattern: found {found(text)}; allowed: {made}")
    return made


def _parsed(text: str) -> Pattern | str:
    """The pattern, or what is allowed."""
    head, equals, regex = text.partition("=")
    match = _HEAD.fullmatch(head)
    if not equals or match is None or not regex or len(text) > LONGEST:
        return f"NAME=REGEX or NAME:UNIT=REGEX, the name of a-z 0-9 _, {LONGEST} characters at most"
    try:
        made = re.compile(regex)
    except (re.error, OverflowError, RecursionError) as error:
        return f"a regular expression, which this is not: {error}"
    if made.groups != 1:
        return f"one group, around the number, as in ([0-9.]+), not {made.groups}"
    return Pattern(match[1], match[2] or "", made)


def _checked(text: str) -> str:
    made = _parsed(text)
    if isinstance(made, str):
        raise ValueError(made)
    return text


PatternText = Annotated[str, AfterValidator(_checked)]
"""A pattern's text in a file."""


def numbers(pattern: Pattern, text: str, where: str) -> list[Number]:
    """The first number that a pattern finds in each line of a text, which errors call `where`.

    What its group holds and is no number does not count. Raises PatternError where it takes longer
    than LIMIT_S.
    """
    told = []
    with _bounded(f"pattern {pattern.name}: takes more than {LIMIT_S:g} s over {where}"):
        for at, line in enumerate(text.split("\n"), 1):
            match = pattern.regex.search(line[:LONGEST_LINE])
            value = _number(match[1]) if match else None
            if value is not None:
                told.append(Number(at, value))
    return told


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text and text.isascii() and "_" not in text else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@contextmanager
def _bounded(sentence: str) -> Iterator[None]:
    """Ends what takes too long, as some regular expressions do on some lines: in the main thread,
    the only one that signals reach."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(*_: object) -> None:
        raise PatternError(f"{sentence}; allowed: a pattern without one repetition in another")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
