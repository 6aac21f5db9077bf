# SPDX-License-Identifier: BSD-3-Clause
"""What identifies a point. Its key is a digest of all that its result depends on."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from osgap.engines.base import Engine, Image, content_key
from osgap.guest import CALLS, PROTOCOL, Orders
from osgap.machine import Frozen, Policy, System
from osgap.tomlfile import ConfigError, read_json_model

FORMAT = 1
MEMORY_LIMIT_MIB = 1024
"""What a point may hold on the host: six times what one does on rvsim or gem5 (README)."""


class Axes(Frozen):
    """Where in the sweep the point first appears."""

    clock_mhz: float
    memory: Policy
    disk: Policy
    seed: int


class OrdersRecord(Frozen):
    """The guest's orders as point.json keeps them."""

    run: tuple[str, ...]
    fs: tuple[str, ...]
    seed: int
    sets: dict[str, int] = Field(default_factory=dict)
    # Absent when direct, so that a point of before this choice keeps its key.
    calls: str = Field(default=CALLS[0], exclude_if=lambda value: value == CALLS[0])


class Spec(Frozen):
    """point.json: everything that a worker needs beside the image."""

    format: int = FORMAT
    # A file's name too.
    key: str = Field(pattern=r"^[a-z0-9][a-z0-9.+-]*$")
    engine: str
    engine_version: str
    machine: str
    image_digest: str
    axes: Axes
    resolved: System
    orders: OrdersRecord
    timeout_s: float
    memory_limit_mib: int = MEMORY_LIMIT_MIB
    # A scaled machine's times are this many times as long in its own world.
    time_scale: float = Field(default=1, exclude_if=lambda value: value == 1)

    def guest_orders(self) -> Orders:
        """The orders for the guest on this point's engine."""
        return Orders(
            engine=self.engine if self.engine != "fake" else "native",
            run=self.orders.run,
            fs=self.orders.fs,
            disk=self.resolved.disk.model_dump(),
            seed=self.orders.seed,
            sets=self.orders.sets,
            calls=self.orders.calls,
        )


def make_spec(
    engine: Engine,
    image: Image,
    machine: str,
    axes: Axes,
    resolved: System,
    orders: OrdersRecord,
    timeout_s: float,
    time_scale: float = 1,
    memory_limit_mib: int = MEMORY_LIMIT_MIB,
) -> Spec:
    """A point with its key; the axes are not part of it, so equal systems are one point."""
    version = engine.version()
    key = content_key(
        (FORMAT, PROTOCOL, engine.name, version, image.digest),
        resolved.model_dump(),
        orders.model_dump(),
    )
    return Spec(
        key=f"{axes.clock_mhz:g}mhz-{key}",
        engine=engine.name,
        engine_version=version,
        machine=machine,
        image_digest=image.digest,
        axes=axes,
        resolved=resolved,
        orders=orders,
        timeout_s=timeout_s,
        memory_limit_mib=memory_limit_mib,
        time_scale=time_scale,
    )


def read_plan(run: Path, key: str) -> Spec:
    """The planned point `key` of `run`. Raises ConfigError, also when the file is another's."""
    path = run / "plan" / f"{key}.json"
    spec = read_spec(path)
    if spec.key != key:
        raise ConfigError(f"{path}: key: found {spec.key!r}; allowed: {key!r}")
    return spec


def read_spec(path: Path) -> Spec:
    """The point described by the JSON file at `path`. Raises ConfigError."""
    return read_json_model(path, Spec)
