# SPDX-License-Identifier: BSD-3-Clause
"""A planned point: makes its spec with its key, and reads RUN/plan/KEY.json."""

from __future__ import annotations

from pathlib import Path

from osgap.base import inputs
from osgap.base.config import ConfigError
from osgap.engines.contract import Engine
from osgap.image.files import Image
from osgap.machines.system import System
from osgap.rundir.point import MEMORY_LIMIT_MIB, Axes, OrdersRecord, Spec, key_of, parse_spec


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
    """A point with its key, of which the axes are no part: equal systems are one point."""
    version = engine.version()
    key = key_of(engine.name, version, image.digest, axes, resolved, orders)
    return Spec(
        key=key,
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
    """The planned point `key` of `run`. Raises ConfigError or ResultsError."""
    path = run / "plan" / f"{key}.json"
    try:
        content = inputs.read_bytes(path)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    return parse_spec(content, key, str(path), planned=True)
