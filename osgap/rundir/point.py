# SPDX-License-Identifier: BSD-3-Clause
"""Models of point.json, which describes a point, and of done.json, which lists its files."""

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
from osgap.machines.figure import left_out
from osgap.machines.host import NATIVE, HostMachine
from osgap.machines.machine import Clock, Policy
from osgap.machines.reported import ReportedMachine
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
"""Host memory that a point may use: six times the need of one on rvsim or gem5."""


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
    """The guest's orders in point.json."""

    run: tuple[str, ...]
    fs: tuple[str, ...]
    seed: int
    sets: dict[str, int] = Field(default_factory=dict)
    calls: str = left_out(CALLS[0])
    # Bytes, where the machine's last cache is too large for the benchmarks' own working sets.
    uncached: int = left_out(0)
    # Repetitions of all benchmarks, one after the other; above 1 on a measured machine.
    rounds: int = Field(default=1, ge=1, exclude_if=lambda value: value == 1)


class Spec(Versioned):
    """The content of point.json: all that a worker needs except the image."""

    model_config = ConfigDict(extra="forbid")

    key: PointKey
    engine: str
    engine_version: str
    machine: str
    image_digest: str
    axes: Axes
    resolved: System | HostMachine | ReportedMachine
    orders: OrdersRecord
    timeout_s: float = Field(gt=0)
    memory_limit_mib: int = Field(default=MEMORY_LIMIT_MIB, gt=0)
    # On a scaled machine, its own time / the simulated time.
    time_scale: float = Field(default=1, gt=0, exclude_if=lambda value: value == 1)

    @property
    def system(self) -> System:
        """The simulated system. Raises ConfigError for a real machine that was measured."""
        if not isinstance(self.resolved, System):
            raise ConfigError(
                f"{self.key}: found a measured machine ({self.machine}); allowed: a simulated one"
            )
        return self.resolved

    def guest_orders(self, marks: str) -> Orders:
        """The orders for the guest on an engine with these `marks`."""
        return Orders(
            marks=marks,
            run=self.orders.run,
            fs=self.orders.fs,
            disk=self.system.parameters,
            seed=self.orders.seed,
            sets=self.orders.sets,
            calls=self.orders.calls,
            uncached=self.orders.uncached,
            network=self.system.network.parameters if self.system.network else {},
        )


def key_of(
    engine: str,
    version: str,
    image_digest: str,
    axes: Axes,
    resolved: System | HostMachine | ReportedMachine,
    orders: OrdersRecord,
    protocol: int = PROTOCOL,
) -> str:
    """A point's key: its axes' prefix, and a digest of all that its result depends on."""
    digest = content_key(
        (FORMAT, protocol, engine, version, image_digest),
        resolved.model_dump(),
        orders.model_dump(),
    )
    return f"{axes.prefix}-{digest}"


def parse_spec(content: bytes, key: str, where: str, *, planned: bool = False) -> Spec:
    """Parses the point.json, or the plan, of the point `key`; errors name the file `where`.

    Raises ConfigError or ResultsError. Keys without a digest (hand-made) are rejected in a plan.
    """
    spec = parse_record(content, Spec, where)
    if spec.key != key:
        raise ConfigError(f"{where}: key: found {quoted(spec.key)}; allowed: {quoted(key)}")
    allowed = [*engines.names(), NATIVE]
    if spec.engine not in allowed:
        raise ConfigError(
            f"{where}: engine: found {quoted(spec.engine)}; allowed: {', '.join(allowed)}"
        )
    if planned or _DIGEST.search(key):
        _check_key(spec, where)
    return spec


def _check_key(spec: Spec, where: str) -> None:
    today, *earlier = (
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
    if spec.key not in (today, *earlier):
        raise ConfigError(
            f"{where}: key: found {quoted(spec.key)}; allowed, for what the file describes: "
            f"{quoted(today)}"
        )


class Done(Versioned):
    """The content of done.json: SHA-256 of each of the point's files, by name."""

    sha256: Mapping[FileName, str]


def read_done(files: PointFiles) -> Done:
    """Reads done.json. Raises OsgapError."""
    return parse_record(files.read(DONE), Done, str(files.path / DONE))


def damage(files: PointFiles) -> str:
    """One sentence that says how a finished point's files are damaged; "" for whole ones."""
    try:
        expected = read_done(files).sha256
        required = {records.file_name(record) for record in records.RECORDS if record.always}
        if not expected.keys() >= {POINT, REGIONS, CONSOLE, *required}:
            return f"{files.path / DONE}: does not name the files of a point"
        for name, digest in expected.items():
            if hashlib.sha256(files.read(name)).hexdigest() != digest:
                return f"{files.path / name}: is not the file that done.json was written for"
    except OsgapError as error:
        return str(error)
    return ""
