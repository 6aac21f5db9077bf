# SPDX-License-Identifier: BSD-3-Clause
"""Conversions between units. MB is 10^6 bytes; KiB, MiB and GiB are powers of two."""

from __future__ import annotations

BYTES_PER_MB = 1_000_000
BYTES_PER_MBIT = 125_000
BYTES_PER_KIB = 1024
BYTES_PER_GIB = 1 << 30
NS_PER_S = 1_000_000_000
NS_PER_MS = 1_000_000
NS_PER_US = 1000
MS_PER_MINUTE = 60_000


def cycles(duration_ns: float, clock_mhz: float) -> int:
    """Returns `duration_ns` in cycles of `clock_mhz`, rounded to a whole number."""
    return round(duration_ns * clock_mhz / 1000)


def gib_per_s(mb_per_s: float) -> float:
    """Returns a bandwidth in GiB/s from one in MB/s."""
    return mb_per_s * BYTES_PER_MB / BYTES_PER_GIB


def rotation_ns(rpm: float) -> float:
    """Returns the time of one turn of a disk in ns."""
    return MS_PER_MINUTE * NS_PER_MS / rpm
