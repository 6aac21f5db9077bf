# SPDX-License-Identifier: BSD-3-Clause
"""Columns that several tables share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from osgap.analysis.table import Column, Kind
from osgap.machines.axes import FIGURES, FigureAxis

if TYPE_CHECKING:
    from osgap.rundir.load import Point


def names(*columns: Column) -> list[str]:
    """The columns' names."""
    return [column.name for column in columns]


def count(name: str, text: str, unit: str = "") -> Column:
    """A column of whole numbers."""
    return Column(name, text, unit, "count")


def text(name: str, meaning: str) -> Column:
    """A column of texts."""
    return Column(name, meaning, kind="text")


def flag(name: str, meaning: str) -> Column:
    """A column of "yes" and "no", "" where it is not known."""
    return Column(name, meaning, kind="flag")


def ends(prefix: str, interval: str, unit: str = "") -> tuple[Column, Column]:
    """The columns PREFIXlow and PREFIXhigh with the ends of an interval."""
    low = Column(f"{prefix}low", f"lower end of {interval}", unit)
    return low, Column(f"{prefix}high", f"upper end of {interval}", unit)


def sides(name: str, meaning: str, unit: str = "", kind: Kind = "number") -> tuple[Column, Column]:
    """The columns NAME_a and NAME_b of a comparison of two runs."""
    a = Column(f"{name}_a", f"{meaning} of run a", unit, kind)
    return a, Column(f"{name}_b", f"{meaning} of run b", unit, kind)


KEY = text("key", "the point's key: its directory in points/")
SERIES = text(
    "series",
    "what scales with the clock: fixed (nothing else), memory, disk or both, or the network beside "
    "any of these; then the figures that vary",
)
CLOCK_MHZ = Column("clock_mhz", "the processor's clock", "MHz")
MEMORY = text("memory", "whether memory follows the clock: fixed or scaled")
DISK = text("disk", "whether the disk follows the clock: fixed or scaled")
START = count("seed", "the start, a number that shifts the benchmarks by a few instructions")
MACHINE = text("machine", "the machine file's name")
ENGINE = text("engine", "the simulator's name, or native")
BENCHMARK = text("benchmark", "the benchmark's name")
FS = text(
    "fs",
    "the file system: unix, sprite, nfs, afs or diskless; none where the benchmark uses no files",
)
METRIC = text("metric", "the unit of the benchmark's result: ns, us, ms, s, MB/s, MIPS")
SET = text("set", "the set of benchmarks that is averaged")
MIPS = Column(
    "mips", "the machine's rating: million instructions per second of integer_mix", "MIPS"
)


def figure_column(axis: FigureAxis) -> Column:
    """The column of a figure of the simulated machine."""
    return Column(axis.key, f"{axis.label.lower()} as simulated, after scaling", axis.unit)


SIMULATED_FIGURES = tuple(map(figure_column, FIGURES))
"""The figures of the machine that a sweep can vary by themselves (osgap.machines.axes)."""
POINT_KEYS = (KEY, BENCHMARK, FS)
"""The columns that identify a benchmark of a point."""
PLACE = (KEY, CLOCK_MHZ, MEMORY, DISK, START)
"""The columns that say which point it is, and its system."""


def place_of(point: Point) -> tuple[object, ...]:
    """The values of PLACE for a point."""
    axes = point.record.axes
    return point.record.key, axes.clock_mhz, axes.memory, axes.disk, axes.seed
