# SPDX-License-Identifier: BSD-3-Clause
"""Published values as times: the ns of one operation, of a rate of bytes the ns of one byte."""

from __future__ import annotations

from typing import NamedTuple

from osgap.base.quoting import quoted
from osgap.rundir.csvfile import ResultsError

_WHETSTONES = 1e5
"""Whetstone instructions of one operation of byte/whetstone."""


class Unit(NamedTuple):
    """A unit: the ns that a value of 1 stands for, and whether it is a rate, and of bytes."""

    ns: float
    is_rate: bool = False
    is_of_bytes: bool = False


UNITS = {
    "ns": Unit(1.0),
    "us": Unit(1e3),
    "loops/s": Unit(1e9, is_rate=True),
    "loops/min": Unit(60e9, is_rate=True),
    "MWIPS": Unit(_WHETSTONES * 1e3, is_rate=True),
    "MB/s": Unit(1e3, is_rate=True, is_of_bytes=True),
    "KiB/s": Unit(1e9 / 1024, is_rate=True, is_of_bytes=True),
}
"""The units of values that a benchmark predicts. A MB is 10^6 bytes."""
_DRAWN_BYTES = 1024


def unit_of(name: str) -> Unit:
    """Returns the unit called `name`. Raises ResultsError."""
    if name not in UNITS:
        raise ResultsError(f"unit: found {quoted(name)}; allowed: {', '.join(UNITS)}")
    return UNITS[name]


def time_ns(value: float, unit: str) -> float:
    """The ns of one operation, or of one byte, of a value in `unit`. Raises ResultsError."""
    known_unit = unit_of(unit)
    return known_unit.ns / value if known_unit.is_rate else known_unit.ns * value


def value_of(ns: float, unit: str) -> float:
    """The value in `unit` of `ns`, the inverse of `time_ns`. Raises ResultsError."""
    known_unit = unit_of(unit)
    return known_unit.ns / ns if known_unit.is_rate else ns / known_unit.ns


def drawn_us(value: float, unit: str) -> float:
    """The us that a figure shows of a value: of one operation, or of 1 KiB of a rate of bytes."""
    pieces = _DRAWN_BYTES if unit_of(unit).is_of_bytes else 1
    return time_ns(value, unit) * pieces / 1e3
