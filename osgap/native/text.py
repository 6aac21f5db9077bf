# SPDX-License-Identifier: BSD-3-Clause
"""The parts of a fact's text: pairs, numbers, lists of CPUs, files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import groupby

from osgap.base.quoting import visible

Facts = Mapping[str, str]
CPU = "/sys/devices/system/cpu"
_LONGEST = 120
_MOST_CPUS = 1 << 14


def short(text: str) -> str:
    """The text of a fact, printable, on one line and of limited length."""
    return visible(" ".join(text.strip("; \0").split()))[:_LONGEST]


def fact(facts: Facts, name: str) -> str:
    """The short text of a fact; "" without it."""
    return short(facts.get(name, ""))


def pairs(text: str) -> dict[str, str]:
    """The lines `key : value` of a block of /proc/cpuinfo, whose ends of lines are semicolons."""
    lines = (line.partition(":") for line in text.split(";"))
    return {key.strip(): value.strip() for key, _, value in lines if key.strip()}


def size_text(size_bytes: int) -> str:
    """The size in MiB, or in KiB where it is no whole number of MiB."""
    mib, rest = divmod(size_bytes, 1 << 20)
    return f"{size_bytes / 1024:g} KiB" if rest else f"{mib} MiB"


def cpus_of(text: str) -> set[int]:
    """The CPUs of a list such as 0-3,8."""
    cpus: set[int] = set()
    for first, last in re.findall(r"(\d{1,5})(?:-(\d{1,5}))?", text):
        cpus.update(range(int(first), min(int(last or first), _MOST_CPUS) + 1))
    return cpus


def cpu_list(cpus: Iterable[int]) -> str:
    """The list of CPUs in words: CPU 3, or CPUs 0-3,8."""
    ordered = sorted(cpus)
    parts = []
    for _, group in groupby(enumerate(ordered), lambda pair: pair[1] - pair[0]):
        first, *rest = (cpu for _, cpu in group)
        parts.append(f"{first}-{rest[-1]}" if rest else f"{first}")
    return f"CPU{'s' if len(ordered) != 1 else ''} {','.join(parts)}"
