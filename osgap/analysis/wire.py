# SPDX-License-Identifier: BSD-3-Clause
"""Time on the wire of an operation on files on a server, from its calls, frames and bytes."""

from __future__ import annotations

from dataclasses import dataclass

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
