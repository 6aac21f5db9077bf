# SPDX-License-Identifier: BSD-3-Clause
"""The network between a machine and its file server: in a machine file, and as simulated."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from osgap.base import units
from osgap.base.config import ConfigError
from osgap.base.frozen import Frozen
from osgap.machines.figure import Figure, between, left_out

LARGEST = 4_000_000_000
"""The guest's limit of bytes a second, and of a frame's delay in ns."""


class Network(Frozen):
    """A network of one cable, on which one frame at a time travels in either direction."""

    bandwidth_mbit_s: Annotated[Figure, between(0.001, 10000, "Mbit/s")] = Field(
        description="bandwidth of the cable"
    )
    delay_us: Annotated[Figure, between(0, 1000000, "us")] = Field(
        description="delay of each frame beside its transfer, one way"
    )
    frame_overhead_bytes: Annotated[Figure, between(0, 1000, "bytes", integer=True)] = Field(
        description="bytes of a frame beside its addresses, type and data"
    )
    lost_per_million: (
        Annotated[Figure, between(0, 500000, "frames of a million", integer=True)] | None
    ) = left_out(None, "frames that are lost; none without the key")


class NetworkSystem(Frozen):
    """The parameters of the guest's network, after scaling."""

    bytes_per_s: int
    delay_ns: int
    overhead_bytes: int
    lost_per_million: int = left_out(0)

    @property
    def parameters(self) -> dict[str, int]:
        """All parameters by name, as the guest's orders give them."""
        return {name: getattr(self, name) for name in type(self).model_fields}


def network_system(network: Network, faster: float) -> NetworkSystem:
    """`network`, `faster` times as fast. Raises ConfigError for one that no guest simulates."""
    bytes_per_s = round(network.bandwidth_mbit_s.value * units.BYTES_PER_MBIT * faster)
    delay_ns = round(network.delay_us.value * units.NS_PER_US / faster)
    _check("bandwidth_mbit_s", bytes_per_s, 1, "bytes/s")
    _check("delay_us", delay_ns, 0, "ns")
    return NetworkSystem(
        bytes_per_s=bytes_per_s,
        delay_ns=delay_ns,
        overhead_bytes=int(network.frame_overhead_bytes.value),
        lost_per_million=int(network.lost_per_million.value) if network.lost_per_million else 0,
    )


def _check(key: str, number: int, least: int, unit: str) -> None:
    if not least <= number <= LARGEST:
        raise ConfigError(
            f"network.{key}: found {number} {unit} as simulated; allowed: {least} to {LARGEST}"
        )
