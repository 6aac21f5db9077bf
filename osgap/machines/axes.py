# SPDX-License-Identifier: BSD-3-Clause
"""The axes of a sweep, each declared once, in AXES.

From a declaration follow the key in a sweep file, the option on the command line, the points of a
plan, parts of their keys and of their series' names, columns of tables, the grid of `osgap predict`
and the sliders of a report. axis_values.py reads and applies the values. Nothing here is slow to
import: the command line needs it before it does anything.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from osgap.base import units

if TYPE_CHECKING:
    from osgap.base.frozen import Frozen

Part = TypeVar("Part", bound="Frozen")


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A number of a simulated system that can be changed alone.

    `fields` of System are proportional to it, or, with `falls`, to its reciprocal. The value is the
    first field divided by `per_unit`, or `numerator` divided by the first field. A falling quantity
    without a numerator is a speed relative to a reference system. `dimension` says how the value
    follows a machine's time scale.
    """

    key: str
    name: str
    label: str
    unit: str
    fields: tuple[str, ...]
    dimension: Literal["rate", "time", "ratio"]
    falls: bool = False
    numerator: float | None = None
    per_unit: float = 1

    @property
    def is_relative(self) -> bool:
        """True for a value relative to a reference system."""
        return self.falls and self.numerator is None

    def of(self, system: Frozen, reference: Frozen | None = None) -> float:
        """The value of a simulated system; a relative one needs the `reference`.

        NaN for a system without the part, such as a network.
        """
        first, part = attrgetter(self.fields[0]), self.fields[0].partition(".")[0]
        if getattr(system, part) is None:
            return math.nan
        amount = float(first(system))
        if not self.falls:
            return amount / self.per_unit
        return (first(reference) if self.numerator is None else self.numerator) / amount

    def applied(self, system: Part, value: float, reference: Frozen | None = None) -> Part:
        """`system` changed as from the value of the `reference`, or its own, to this value."""
        start = self.of(reference or system, reference)
        for path in self.fields:
            amount = attrgetter(path)(system)
            changed = amount / (value / start) if self.falls else value * (amount / start)
            number = round(changed) if isinstance(amount, int) else changed
            system = _replaced(system, path.split("."), number)
        return system

    def on_own_time(self, value: Any, time_scale: Any) -> Any:
        """A simulated value on the time of the machine itself; of numbers or of columns."""
        if self.dimension == "ratio":
            return value
        return value * time_scale if self.dimension == "time" else value / time_scale


def _replaced(model: Part, path: Sequence[str], value: object) -> Part:
    name, *inner = path
    if inner:
        value = _replaced(getattr(model, name), inner, value)
    return model.model_copy(update={name: value})


@dataclass(frozen=True, kw_only=True)
class Axis:
    """A key of a sweep file, an option with its help, and the heading of printed points."""

    key: str
    option: str
    metavar: str
    text: str
    heading: str

    @property
    def record_key(self) -> str:
        """The key in point.json and in tables."""
        return self.key

    def printed(self, record: Frozen, system: Frozen) -> str:
        """The value of a point for people, from its record and its system; "" without the part."""
        return str(getattr(record, self.record_key))


@dataclass(frozen=True, kw_only=True)
class ClockAxis(Quantity, Axis):
    """The processor's clock."""

    def printed(self, record: Frozen, system: Frozen) -> str:
        return f"{getattr(record, self.key):g}"


@dataclass(frozen=True, kw_only=True)
class PolicyAxis(Axis):
    """The policy of a part of the machine: to keep its speed (fixed) or follow the clock (scaled).

    `key` is the part's name too, in Machine and System; `subject` is what a sentence calls it. One
    that is not `always_recorded` is left out of records where it is fixed, so that older ones stay.
    """

    subject: str
    always_recorded: bool = False

    def printed(self, record: Frozen, system: Frozen) -> str:
        return "" if getattr(system, self.key) is None else super().printed(record, system)


@dataclass(frozen=True, kw_only=True)
class FigureAxis(Quantity, Axis):
    """A figure of a machine file, in its unit or as a multiple of the machine's own.

    `part` and `figure` lead to it in Machine, which has its range; `name_part` stands before its
    value in keys and names of series, and `plural` is what a sentence calls several values. A value
    replaces the machine's figure before it is scaled.
    """

    part: str
    figure: str
    name_part: str
    plural: str

    def printed(self, record: Frozen, system: Frozen) -> str:
        value = self.of(system)
        return "" if math.isnan(value) else f"{value:g}"


@dataclass(frozen=True, kw_only=True)
class StartAxis(Axis):
    """Perturbed starts of the same system."""

    @property
    def record_key(self) -> str:
        return "seed"


CLOCK = ClockAxis(
    key="clock_mhz",
    option="--cpu-mhz",
    metavar="MHZ,...",
    text="CPU clocks (default: the machine's own)",
    heading="MHz",
    name="clock",
    label="Clock",
    unit="MHz",
    fields=("clock_mhz",),
    dimension="rate",
)
START = StartAxis(
    key="seeds",
    option="--seeds",
    metavar="N,...",
    text="perturbed starts (0: none)",
    heading="start",
)
AXES: tuple[Axis, ...] = (
    CLOCK,
    PolicyAxis(
        key="memory",
        option="--memory",
        metavar="fixed,scaled",
        text="does memory follow the clock",
        heading="memory",
        subject="memory",
        always_recorded=True,
    ),
    FigureAxis(
        key="latency_ns",
        option="--latency-ns",
        metavar="NS|xN,...",
        text="memory's latencies; x0.5 is half of the machine's own",
        heading="latency, ns",
        name="latency",
        label="Memory latency",
        unit="ns",
        part="memory",
        figure="latency_ns",
        name_part="lat",
        plural="latencies",
        fields=("memory.latency_ns",),
        dimension="time",
    ),
    FigureAxis(
        key="bandwidth_mb_s",
        option="--bandwidth-mb-s",
        metavar="MB/S|xN,...",
        text="memory's bandwidths, likewise",
        heading="MB/s",
        name="bandwidth",
        label="Memory bandwidth",
        unit="MB/s",
        part="memory",
        figure="bandwidth_mb_s",
        name_part="bw",
        plural="bandwidths",
        fields=("memory.bandwidth_mb_s",),
        dimension="rate",
    ),
    PolicyAxis(
        key="disk",
        option="--disk",
        metavar="fixed,scaled",
        text="does the disk follow the clock",
        heading="disk",
        subject="the disk",
        always_recorded=True,
    ),
    PolicyAxis(
        key="network",
        option="--network",
        metavar="fixed,scaled",
        text="does the network follow the clock, where files are on a server",
        heading="network",
        subject="the network",
    ),
    FigureAxis(
        key="network_mbit_s",
        option="--network-mbit-s",
        metavar="MBIT/S|xN,...",
        text="the network's bandwidths; x10 is ten times the machine's own",
        heading="Mbit/s",
        name="network_bandwidth",
        label="Network bandwidth",
        unit="Mbit/s",
        part="network",
        figure="bandwidth_mbit_s",
        name_part="net",
        plural="bandwidths",
        fields=("network.bytes_per_s",),
        per_unit=units.BYTES_PER_MBIT,
        dimension="rate",
    ),
    FigureAxis(
        key="network_delay_us",
        option="--network-delay-us",
        metavar="US|xN,...",
        text="the network's delays of a frame, likewise",
        heading="delay, us",
        name="network_delay",
        label="Network delay",
        unit="us",
        part="network",
        figure="delay_us",
        name_part="delay",
        plural="delays",
        fields=("network.delay_ns",),
        per_unit=units.NS_PER_US,
        dimension="time",
    ),
    START,
)
"""In the order in which they are shown."""
DISK_SPEED = Quantity(
    key="disk_speed",
    name="disk",
    label="Disk, times as fast",
    unit="",
    fields=("disk.rotation_ns", "disk.seek_track_ns", "disk.seek_full_ns", "disk.overhead_ns"),
    dimension="ratio",
    falls=True,
)
"""The disk's speed relative to a reference's: an axis of predictions alone."""

FIGURES = tuple(axis for axis in AXES if isinstance(axis, FigureAxis))
MEMORY_KEYS = tuple(axis.key for axis in FIGURES if axis.fields[0].startswith("memory."))
POLICIES = tuple(axis for axis in AXES if isinstance(axis, PolicyAxis))
NETWORK: tuple[Axis, ...] = tuple(axis for axis in AXES if axis.key.startswith("network"))
"""Those of the network, without effect where no files are on a server."""
IN_PLAN: tuple[Axis, ...] = (CLOCK, *FIGURES, *POLICIES, START)
"""In the order in which a plan combines them: the last one varies first."""
HARDWARE: tuple[Axis, ...] = tuple(axis for axis in AXES if axis is not START)
QUANTITIES: tuple[Quantity, ...] = (CLOCK, *FIGURES, DISK_SPEED)
