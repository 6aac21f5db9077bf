# SPDX-License-Identifier: BSD-3-Clause
"""What a run's series are called, and the part of a point's name that says its memory's values."""

from __future__ import annotations

import re
from dataclasses import dataclass

from osgap.machines.machine import Policy

_POLICIES = {
    ("fixed", "fixed"): "fixed",
    ("scaled", "fixed"): "memory",
    ("fixed", "scaled"): "disk",
    ("scaled", "scaled"): "both",
}
_NUMBER = r"[0-9][0-9.e+]{0,15}"
_NAME = re.compile(
    rf"(?P<policies>fixed|memory|disk|both)(?:-lat(?P<lat>{_NUMBER}))?(?:-bw(?P<bw>{_NUMBER}))?"
)


@dataclass(frozen=True)
class Series:
    """The policies' name, and memory's latency and bandwidth where they are not the machine's own.

    Values are those before scaling.
    """

    policies: str
    latency_ns: float | None = None
    bandwidth_mb_s: float | None = None

    @property
    def name(self) -> str:
        """As in run.json: fixed, memory-lat100, both-lat100-bw800."""
        return self.policies + suffix(self.latency_ns, self.bandwidth_mb_s)


def suffix(latency_ns: float | None, bandwidth_mb_s: float | None) -> str:
    """What a name ends in for these values: "-lat100-bw800"; "" for the machine's own."""
    latency = "" if latency_ns is None else f"-lat{latency_ns:g}"
    return latency if bandwidth_mb_s is None else f"{latency}-bw{bandwidth_mb_s:g}"


def series_of(
    memory: Policy, disk: Policy, latency_ns: float | None, bandwidth_mb_s: float | None
) -> Series:
    """The series that these axes belong to."""
    return Series(_POLICIES[memory, disk], latency_ns, bandwidth_mb_s)


def parse_series(name: str) -> Series:
    """The series called `name`; a name that no sweep gives is all policies."""
    match = _NAME.fullmatch(name)
    if match is None:
        return Series(name)
    try:
        return Series(match["policies"], _number(match["lat"]), _number(match["bw"]))
    except ValueError:
        return Series(name)


def _number(text: str | None) -> float | None:
    return None if text is None else float(text)
