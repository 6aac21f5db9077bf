# SPDX-License-Identifier: BSD-3-Clause
"""Types of arguments that are numbers, for argparse; their errors say what is allowed."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import TypeVar

from osgap.base.quoting import quoted
from osgap.base.written import WrittenFloat, WrittenInt

Item = TypeVar("Item")
_UNIT_S = {"s": 1, "m": 60, "h": 3600}


def refusal(text: str, allowed: str) -> argparse.ArgumentTypeError:
    """The error of an argument that is not as `allowed`."""
    return argparse.ArgumentTypeError(f"found {quoted(text)}; allowed: {allowed}")


def _written(kind: Callable[[str], Item], text: str, allowed: str) -> Item:
    try:
        return kind(text)
    except ValueError:
        raise refusal(text, allowed) from None


def number(text: str) -> float:
    """A type for argparse: a number."""
    return _written(WrittenFloat, text, "a number")


def whole_number(text: str) -> int:
    """A type for argparse: a whole number."""
    return _written(WrittenInt, text, "a whole number")


def clock(text: str) -> float:
    """A type for argparse: a clock in MHz."""
    return _written(WrittenFloat, text, f"a number of MHz, such as 20,80{_in_mhz(text)}")


def _in_mhz(text: str) -> str:
    match = re.fullmatch(r"([0-9.]{1,9})\s*([MG])Hz", text, re.IGNORECASE)
    if match is None or match[1].count(".") > 1 or not match[1].strip("."):
        return ""
    return f" ({text} is {float(match[1]) * (1000 if match[2] in 'gG' else 1):g})"


def commas(convert: Callable[[str], Item]) -> Callable[[str], list[Item]]:
    """A type for argparse: values with commas between them."""

    def parse(text: str) -> list[Item]:
        return [convert(part) for part in text.split(",")]

    parse.__name__ = f"comma-separated {convert.__name__}"
    return parse


def positive(text: str) -> int:
    """A type for argparse: a whole number of 1 or more, and of 15 digits or fewer."""
    if not re.fullmatch(r"0*[1-9][0-9]{0,14}", text):
        raise refusal(text, "a whole number of 1 or more, of 15 digits or fewer")
    return int(text)


def from_zero(text: str) -> int:
    """A type for argparse: a whole number from 0 to 999999999."""
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise refusal(text, "a whole number from 0 to 999999999")
    return WrittenInt(text)


def amount(text: str) -> float | str:
    """A type for argparse: a number, or a multiple such as x0.5; its range is checked later."""
    if text.startswith("x"):
        return text
    return _written(WrittenFloat, text, "a number, or a multiple such as x0.5")


def percent(text: str) -> float:
    """A type for argparse: a percentage such as 2%, returned as the fraction 0.02."""
    match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,3})?)%", text)
    if match is None or not 0 < float(match[1]) <= 100:
        raise refusal(text, "over 0% to 100%")
    return float(match[1]) / 100


def duration(text: str) -> float:
    """A type for argparse: a time such as 90s, 10m or 2h, in seconds."""
    match = re.fullmatch(r"([1-9][0-9]{0,5})([smh])", text)
    if match is None:
        raise refusal(text, "a time such as 90s, 10m")
    return float(match[1]) * _UNIT_S[match[2]]
