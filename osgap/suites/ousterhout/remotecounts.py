# SPDX-License-Identifier: BSD-3-Clause
"""Counts the messages to a file server, and the writes of its disk, of each operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from osgap.analysis.analysed import AnalysedRun
from osgap.rundir.load import Point
from osgap.suites.ousterhout.simulated import machine_of
from osgap.suites.ousterhout.suite import SUITE

_PLACE = ["benchmark", "fs"]
_SENT = ["messages", "frames", "bytes"]


@dataclass(frozen=True)
class Counts:
    """Calls to the server, bytes on the wire with frames' overhead, and writes of its disk."""

    messages: float = 0.0
    wire_bytes: float = 0.0
    writes: float = 0.0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.messages + other.messages,
            self.wire_bytes + other.wire_bytes,
            self.writes + other.writes,
        )


Place = tuple[str, str, str]
"""A machine, a benchmark and a file system."""


def counted(runs: Sequence[AnalysedRun]) -> dict[Place, Counts]:
    """The counts of an operation of each benchmark with files, by place."""
    counts: dict[Place, Counts] = {}
    for analysed in runs:
        machine = machine_of(analysed)
        for point in analysed.run.points.values():
            for (benchmark, fs), number in _of_point(point).items():
                counts.setdefault((machine, benchmark, fs), number)
    return counts | composites(counts)


def _of_point(point: Point) -> dict[tuple[str, str], Counts]:
    done = point.samples.groupby(_PLACE, as_index=False)["count"].sum()
    files = done[done["fs"] != "none"]
    writes, sent = point.disk[[*_PLACE, "writes"]], point.network[[*_PLACE, *_SENT]]
    sums = files.merge(writes, "left", _PLACE).merge(sent, "left", _PLACE).fillna(0.0)
    network = point.record.system.network
    wire = sums["bytes"] + sums["frames"] * (network.overhead_bytes if network else 0)
    columns = (sums["messages"], wire, sums["writes"])
    each = zip(*((column / sums["count"]).astype(float) for column in columns), strict=True)
    places = zip(sums["benchmark"].astype(str), sums["fs"].astype(str), strict=True)
    return {place: Counts(*numbers) for place, numbers in zip(places, each, strict=True)}


def composites(counts: Mapping[Place, Counts]) -> dict[Place, Counts]:
    """The sums of the phases of which a benchmark of the suite consists."""
    sums: dict[Place, Counts] = {}
    for machine, fs in dict.fromkeys((machine, fs) for machine, _, fs in counts):
        for name, phases in SUITE.composites.items():
            places = [(machine, phase, fs) for phase in phases]
            if all(place in counts for place in places):
                sums[machine, name, fs] = sum((counts[place] for place in places), Counts())
    return sums
