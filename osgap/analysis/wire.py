# SPDX-License-Identifier: BSD-3-Clause
"""Time on the wire of an operation on files on a server, from its calls, frames and bytes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from osgap.base import units
from osgap.machines.network import NetworkSystem

DATAGRAMS = 2
"""A call and its answer."""


@dataclass(frozen=True)
class WireUse:
    """An operation's calls, frames of both directions, and their bytes without overhead."""

    calls: float
    frames: float
    bytes: float

    def sent_bytes(self, network: NetworkSystem) -> float:
        """The bytes on the wire, with the overhead of each frame."""
        return self.bytes + self.frames * network.overhead_bytes

    def ns(self, network: NetworkSystem) -> float:
        """The time on the wire, ns: the transfer of all bytes, and the delay of each datagram.

        Frames of one datagram follow one another, and are delayed together.
        """
        transfer_ns = self.sent_bytes(network) / network.bytes_per_s * units.NS_PER_S
        return transfer_ns + min(DATAGRAMS * self.calls, self.frames) * network.delay_ns


def wire_use(row: Mapping[Hashable, Any], operations: float) -> WireUse:
    """The use of one operation, from a row of a point's network records of `operations` of them."""
    calls = row["messages"] + row["repeated"]
    return WireUse(calls / operations, row["frames"] / operations, row["bytes"] / operations)


def visible_share(idle_ns: float, busy_ns: float) -> float:
    """The share of the wire's and the disk's busy time in which the processor idled, 0 to 1.

    `busy_ns` is the sum of both times. No record says for which of the two the processor waited,
    so the share is the same for both.
    """
    return min(1.0, idle_ns / busy_ns) if busy_ns > 0 else 0.0
