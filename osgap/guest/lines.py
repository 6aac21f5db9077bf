# SPDX-License-Identifier: BSD-3-Clause
"""Splits a line of the guest into values and checks each value by itself."""

from __future__ import annotations

import re

from osgap.base.quoting import quoted
from osgap.guest import records
from osgap.guest.errors import GuestError

# The guest's own limit: MAX_WORD in workloads/lib/runner.h.
_WORD = re.compile(r"[a-z0-9][a-z0-9_.-]{0,62}")
# Python's int() raises a ValueError of its own for thousands of digits.
_DIGITS = 19


def values_of(line: str, verb: str, rest: str) -> dict[str, str]:
    """Returns a line's values by key, after checking types and limits. Raises GuestError."""
    types = records.keys_of_line(verb)
    if types is None:
        raise GuestError(f"unknown line from the guest: {quoted(line)}")
    pairs = [part.partition("=") for part in rest.split()]
    values = {key: value for key, _, value in pairs}
    if len(values) != len(pairs) or set(values) != set(types):
        raise GuestError(f"wrong keys in a line from the guest: {quoted(line)}")
    limits = records.limits_of_line(verb)
    for key, value in values.items():
        if types[key] is int:
            _check_number(line, key, value, limits.get(key, (0, records.LARGEST)))
        elif key not in ("metric", "text"):
            # Transcript checks a metric, ProgramOutput a text.
            check_word(value)
    return values


def _check_number(line: str, key: str, value: str, limits: tuple[int, int]) -> None:
    least, most = limits
    is_number = value.isascii() and value.isdigit()
    if not is_number or len(value) > _DIGITS or not least <= int(value) <= most:
        raise GuestError(
            f"{key}: found {quoted(value)} in a line from the guest; "
            f"allowed: {least} to {most}: {quoted(line)}"
        )


def check_word(word: str) -> None:
    """Raises GuestError unless `word` is a word of the protocol."""
    if not _WORD.fullmatch(word):
        raise GuestError(
            f"{quoted(word)} is no word of the guest protocol (allowed: a-z 0-9 _ . -, from a "
            "letter or digit on, 63 at most)"
        )
