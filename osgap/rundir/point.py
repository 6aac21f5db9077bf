# SPDX-License-Identifier: BSD-3-Clause
"""point.json and done.json: what a point is, and which files a finished one has."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from pydantic import ConfigDict, Field

from osgap import engines
from osgap.base.config import ConfigError
from osgap.base.digest import content_key
from osgap.base.errors import OsgapError
from osgap.base.frozen import Frozen
from osgap.base.quoting import quoted
from osgap.guest import records
from osgap.guest.protocol import CALLS, EARLIER, PROTOCOL, Orders
from osgap.machines.axes import FIGURES
from osgap.machines.axis_values import with_record_fields
from osgap.machines.host import HostMachine
from osgap.machines.machine import Clock, Policy
from osgap.machines.series import series_of, values_part
from osgap.machines.system import System
from osgap.rundir.directory import DONE, FileName, PointKey
from osgap.rundir.files import PointFiles
from osgap.rundir.jsonfile import FORMAT, Versioned, parse_record

POINT = "point.json"
REGIONS = "regions.csv"
CONSOLE = "console.txt"
STATS = "stats.txt"
MEMORY_LIMIT_MIB = 1024
"""What a point may hold on the host: six times what one does on rvsim or gem5 (README)."""


_DIGEST = re.compile(rf"mhz-(?:[^-]+-){{0,{len(FIGURES)}}}[0-9a-f]{{16}}$")


@with_record_fields
class Axes(Frozen):
    """A point's values of osgap.machines.axes.AXES, at its first place in the sweep.

    Figures are those before scaling. They are left out where they are the machine's own, so that
    points that are older than an axis keep their records and keys.
    """

    clock_mhz: Clock
    memory: Policy
    disk: Policy
    seed: int = 0

    @property
    def prefix(self) -> str:
        """The part of a key before its digest: 320mhz, 320mhz-lat100-bw800."""
        return f"{self.clock_mhz:g}mhz{values_part(self.model_dump())}"

    @property
    def series(self) -> str:
        """The name of the series that the point belongs to."""
        return series_of(self.model_dump()).name


class OrdersRecord(Frozen):
    """The guest's orders as point.json keeps them."""

    run: tuple[str, ...]
    fs: tuple[str, ...]
    seed: int
    sets: dict[str, int] = Field(default_factory=dict)
    # Absent when direct, so that a point of before this choice keeps its key.
    calls: str = Field(default=CALLS[0], exclude_if=lambda value: value == CALLS[0])
    # How often all of it was done, one after the other; more than once on a measured machine.
    rounds: int = Field(default=1, ge=1, exclude_if=lambda value: value == 1)


class Spec(Versioned):
    """point.json: everything that a worker needs beside the image."""

    model_config = ConfigDict(extra="forbid")

    key: PointKey
    engine: str
    engine_version: str
    machine: str
    image_digest: str
    axes: Axes
    resolved: System | HostMachine
    orders: OrdersRecord
    timeout_s: float = Field(gt=0)
    memory_limit_mib: int = Field(default=MEMORY_LIMIT_MIB, gt=0)
    # A scaled machine's times are this many times as long in its own world.
    time_scale: float = Field(default=1, gt=0, exclude_if=lambda value: value == 1)

    @property
    def system(self) -> System:
        """What is simulated. Raises ConfigError where it is a real machine that was measured."""
        if isinstance(self.resolved, HostMachine):
            raise ConfigError(
                f"{self.key}: found a measured machine ({self.machine}); allowed: a simulated one"
            )
        return self.resolved

    def guest_orders(self, marks: str) -> Orders:
        """The orders for the guest on an engine that has these `marks`."""
        return Orders(
            marks=marks,
            run=self.orders.run,
            fs=self.orders.fs,
            disk=self.system.parameters,
            seed=self.orders.seed,
            sets=self.orders.sets,
            calls=self.orders.calls,
        )


def key_of(
    engine: str,
    version: str,
    image_digest: str,
    axes: Axes,
    resolved: System | HostMachine,
    orders: OrdersRecord,
    protocol: int = PROTOCOL,
) -> str:
    """A point's key: its clock, memory's values where they are not the machine's own, and a digest
    of all that its result depends on, the guest's `protocol` among it."""
    digest = content_key(
        (FORMAT, protocol, engine, version, image_digest),
        resolved.model_dump(),
        orders.model_dump(),
    )
    return f"{axes.prefix}-{digest}"


def parse_spec(content: bytes, key: str, where: str, *, planned: bool = False) -> Spec:
    """The point `key` that a point.json describes, or the plan of one that is still to run; `where`
    names the file.

    Raises ConfigError or ResultsError, also where it is another point's, or was changed. A key
    without a digest, as no sweep makes it, is none of a plan, and of a point says nothing.
    """
    spec = parse_record(content, Spec, where)
    if spec.key != key:
        raise ConfigError(f"{where}: key: found {quoted(spec.key)}; allowed: {quoted(key)}")
    allowed = engines.recorded_names()
    if spec.engine not in allowed:
        raise ConfigError(
            f"{where}: engine: found {quoted(spec.engine)}; allowed: {', '.join(allowed)}"
        )
    if planned or _DIGEST.search(key):
        _check_key(spec, where)
    return spec


def _check_key(spec: Spec, where: str) -> None:
    own, *earlier = (
        key_of(
            spec.engine,
            spec.engine_version,
            spec.image_digest,
            spec.axes,
            spec.resolved,
            spec.orders,
            protocol,
        )
        for protocol in (PROTOCOL, *EARLIER)
    )
    if spec.key not in (own, *earlier):
        raise ConfigError(
            f"{where}: key: found {quoted(spec.key)}; allowed, for what the file describes: "
            f"{quoted(own)}"
        )


class Done(Versioned):
    """done.json: SHA-256 of each of the point's files, by name."""

    sha256: Mapping[FileName, str]


def read_done(files: PointFiles) -> Done:
    """What done.json says. Raises OsgapError."""
    return parse_record(files.read(DONE), Done, str(files.path / DONE))


def damage(files: PointFiles) -> str:
    """What is wrong with a finished point's files, in one sentence; "" for nothing."""
    try:
        expected = read_done(files).sha256
        if not expected.keys() >= _always():
            return f"{files.path / DONE}: does not name the files of a point"
        for name, digest in expected.items():
            if hashlib.sha256(files.read(name)).hexdigest() != digest:
                return f"{files.path / name}: is not the file that done.json was written for"
    except OsgapError as error:
        return str(error)
    return ""


def _always() -> set[str]:
    told = {records.file_name(record) for record in records.RECORDS if record.always}
    return {POINT, REGIONS, CONSOLE, *told}
