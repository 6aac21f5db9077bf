# SPDX-License-Identifier: BSD-3-Clause
"""Shapes the reported caches as a machine file and the simulators can have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from osgap.base import units
from osgap.machines.figure import Figure
from osgap.machines.host import HostCache
from osgap.native.template.reports import CacheReport, cache_reports
from osgap.native.text import Facts

UNKNOWN = "assumed: nothing tells it"
_LEAST_LINE_BYTES, _MOST_LINE_BYTES = 64, 256
"""rvsim's shortest line, and a machine file's longest."""
_MOST_WAYS, _MOST_KIB = 32, 65536
"""Limits of a machine file."""
_USUAL_WAYS, _USUAL_KIB = 8, 32
"""The first caches of SiFive's U74, for caches of which nothing tells."""
_BEHIND = ("l2", "l3")


@dataclass(frozen=True)
class ShapedCache:
    """A cache of a machine file: its size in KiB, its ways, and the bytes of a line."""

    name: str
    size: Figure
    ways: Figure
    line: Figure
    is_reported: bool

    @property
    def size_bytes(self) -> int:
        """The size in bytes."""
        return int(self.size.value) * units.BYTES_PER_KIB


def shaped_caches(host_caches: Sequence[HostCache], facts: Facts) -> tuple[ShapedCache, ...]:
    """The caches l1i and l1d, and the l2 and l3 that /sys (`host_caches`) or the tree report.

    Each has a power of two of sets, and the line of the first data cache: gem5 has one for all.
    """
    reports = {
        key: report for key, report in cache_reports(host_caches, facts).items() if report.size
    }
    unified = reports.get((1, "unified"), CacheReport())
    data = reports.get((1, "data"), unified)
    caches = {"l1i": reports.get((1, "instruction"), unified), "l1d": data}
    behind = sorted(key for key in reports if key[0] > 1 and key[1] != "instruction")
    caches |= {name: reports[key] for name, key in zip(_BEHIND, behind, strict=False)}
    line = _line(data)
    return tuple(_shaped(name, report, line) for name, report in caches.items())


def _line(data: CacheReport) -> Figure:
    """The line of the first data cache, as the simulators can have it."""
    if data.line is None:
        return Figure(value=_LEAST_LINE_BYTES, source=UNKNOWN)
    line = int(data.line.value)
    if _LEAST_LINE_BYTES <= line <= _MOST_LINE_BYTES and _is_power_of_two(line):
        return data.line
    return Figure(
        value=_LEAST_LINE_BYTES, source=f"assumed: rvsim's shortest; {data.line.source} is {line}"
    )


def _shaped(name: str, report: CacheReport, line: Figure) -> ShapedCache:
    """The cache as reported, or the nearest one that a machine file may have."""
    size = report.size or Figure(value=_USUAL_KIB * units.BYTES_PER_KIB, source=UNKNOWN)
    wanted_ways = report.ways or Figure(value=_USUAL_WAYS, source=UNKNOWN)
    kib, count = _geometry(int(size.value), int(wanted_ways.value), int(line.value))
    return ShapedCache(
        name,
        size=_simulated(size, kib * units.BYTES_PER_KIB, kib),
        ways=_simulated(wanted_ways, count, count),
        line=_line_of(name, report, line),
        is_reported=report.size is not None,
    )


def _line_of(name: str, report: CacheReport, line: Figure) -> Figure:
    if name == "l1d":
        return line
    if report.line is None:
        return Figure(value=line.value, source="assumed: as the l1d's")
    return _simulated(report.line, int(line.value))


def _simulated(reported: Figure, value: int, written: int | None = None) -> Figure:
    """A figure with its source, and with what was reported where the value is another."""
    source = reported.source
    if value != reported.value and source != UNKNOWN:
        source = f"assumed: the nearest that can be simulated; {source} is {reported.value:.10g}"
    return Figure(value=value if written is None else written, source=source)


def _geometry(size_bytes: int, ways: int, line: int) -> tuple[int, int]:
    """The KiB and the ways nearest to these that give a power of two of sets."""
    kib = min(max(size_bytes // units.BYTES_PER_KIB, 1), _MOST_KIB)
    counts = _fitting_ways(kib, line)
    if not counts:
        kib = 1 << (kib.bit_length() - 1)
        counts = _fitting_ways(kib, line)
    return kib, min(counts, key=lambda count: (abs(count - ways), count))


def _fitting_ways(kib: int, line: int) -> list[int]:
    rows = kib * units.BYTES_PER_KIB // line
    return [
        count
        for count in range(1, _MOST_WAYS + 1)
        if not rows % count and _is_power_of_two(rows // count)
    ]


def _is_power_of_two(number: int) -> bool:
    return number > 0 and not number & (number - 1)
