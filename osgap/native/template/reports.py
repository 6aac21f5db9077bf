# SPDX-License-Identifier: BSD-3-Clause
"""Reads what /sys and the device tree report of the measured CPU's caches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from osgap.machines.figure import Figure
from osgap.machines.host import HostCache
from osgap.native.text import Facts, fact

TREE = "device-tree"
"""Facts of the device tree are called device-tree/cpu/PROPERTY and device-tree/cache-N/PROPERTY."""
CacheKey = tuple[int, str]
"""A cache's level and kind: data, instruction or unified."""
_TREE_CACHES = 3
_MOST_LEVELS = 9


@dataclass(frozen=True)
class CacheReport:
    """A cache as reported: its bytes, the bytes of a line and its ways; None where not reported."""

    size: Figure | None = None
    line: Figure | None = None
    ways: Figure | None = None


def cache_reports(host_caches: Sequence[HostCache], facts: Facts) -> Mapping[CacheKey, CacheReport]:
    """The caches of the measured CPU; where /sys and the device tree have a figure, that of /sys.

    `host_caches` are those of /sys.
    """
    reports: dict[CacheKey, CacheReport] = {}
    for key, report in (*_of_sysfs(host_caches), *_of_tree(facts)):
        first = reports.get(key, report)
        reports[key] = CacheReport(
            size=first.size or report.size,
            line=first.line or report.line,
            ways=first.ways or report.ways,
        )
    return reports


def tree_figure(facts: Facts, node: str, name: str) -> Figure | None:
    """The number in a property of a node of the device tree, from 1; None without it."""
    text = fact(facts, f"{TREE}/{node}/{name}")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 13 else 0
    return _figure(number, f"device tree: {name}")


def _of_sysfs(caches: Sequence[HostCache]) -> Iterator[tuple[CacheKey, CacheReport]]:
    for cache in caches:
        yield (
            (cache.level, cache.kind),
            CacheReport(
                size=_figure(cache.size_bytes, "/sys: size"),
                line=_figure(cache.line_bytes, "/sys: coherency_line_size"),
                ways=_figure(cache.ways, "/sys: ways_of_associativity"),
            ),
        )


def _of_tree(facts: Facts) -> Iterator[tuple[CacheKey, CacheReport]]:
    for prefix, kind in (("i-", "instruction"), ("d-", "data")):
        yield (1, kind), _of_node(facts, "cpu", prefix)
    for number in range(1, _TREE_CACHES + 1):
        node = f"cache-{number}"
        level = tree_figure(facts, node, "cache-level")
        key = int(level.value) if level else number + 1
        yield (min(key, _MOST_LEVELS), "unified"), _of_node(facts, node, "")


def _of_node(facts: Facts, node: str, prefix: str) -> CacheReport:
    size, line, sets = (
        tree_figure(facts, node, f"{prefix}cache-{name}") for name in ("size", "block-size", "sets")
    )
    ways = None
    if size and line and sets and not size.value % (line.value * sets.value):
        words = f"device tree: {prefix}cache-size / {prefix}cache-block-size / {prefix}cache-sets"
        ways = _figure(int(size.value // (line.value * sets.value)), words)
    return CacheReport(size, line, ways)


def _figure(number: int, source: str) -> Figure | None:
    return Figure(value=number, source=source) if number > 0 else None
