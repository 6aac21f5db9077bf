# SPDX-License-Identifier: BSD-3-Clause
"""Wait of an operation on files on a server for the wire: its time there less what work hides.

Transfers follow the network's rate, delays its delay (osgap.analysis.wire). While a frame travels
its sender still works; this takes a part `hidden` of the operation's busy time, and shrinks as the
processor gets faster. Points whose processor waited for the wire give it; where none did, the
shortest time that hides all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from osgap.analysis.wire import WireUse, visible_share, wire_use
from osgap.machines.network import NetworkSystem
from osgap.rundir.load import Run

PointBenchmark = tuple[str, str, str]
"""A point's key, a benchmark and its file system."""
_DISK_MS = ["seek_ms", "rotation_ms", "transfer_ms", "overhead_ms"]
_ROW = ["key", "benchmark", "fs"]


@dataclass(frozen=True)
class RemoteUse:
    """The wire's use of an operation, the network, and the ns in which the disk was busy."""

    wire: WireUse
    network: NetworkSystem
    disk_ns: float

    def wait_ns(self, idle_ns: float) -> float:
        """The wire's part of an idle time, by the times in which wire and disk were busy."""
        wire_ns = self.wire.ns(self.network)
        return wire_ns * visible_share(idle_ns, wire_ns + self.disk_ns)


@dataclass(frozen=True)
class WireMeasurement:
    """An operation's use of the wire at a point, and its busy time and wait for the wire in ns."""

    use: RemoteUse
    busy_ns: float
    wait_ns: float

    @property
    def hidden(self) -> float:
        """The part of the busy time during which frames travelled."""
        return (self.use.wire.ns(self.use.network) - self.wait_ns) / self.busy_ns


@dataclass(frozen=True)
class WireWait:
    """The formula's parameters: an operation's use, and the part of busy time that hides it."""

    use: WireUse
    hidden: float

    def ns(self, busy_ns: float, network: NetworkSystem) -> float:
        """The wait on `network` of an operation that is busy for `busy_ns`."""
        return max(0.0, self.use.ns(network) - self.hidden * busy_ns)


def remote_uses(
    run: Run, samples: pd.DataFrame, disk: pd.DataFrame | None
) -> dict[PointBenchmark, RemoteUse]:
    """The uses of benchmarks with files on a server, from the counts of all their batches."""
    operations = samples.groupby(_ROW, sort=False)["count"].sum().to_dict()
    disk_ms = {} if disk is None else disk.set_index(_ROW)[_DISK_MS].sum(axis=1).to_dict()
    uses = {}
    for key, point in run.points.items():
        network = point.record.system.network
        for row in point.network.to_dict("records") if network else ():
            name = key, str(row["benchmark"]), str(row["fs"])
            if network and (count := operations.get(name, 0)):
                disk_ns = disk_ms.get(name, 0.0) * 1e6 / count
                uses[name] = RemoteUse(wire_use(row, count), network, disk_ns)
    return uses


def wire_wait(measurements: Sequence[WireMeasurement]) -> WireWait | None:
    """The wait of a benchmark, from its measurements; None without any."""
    used = [point for point in measurements if point.busy_ns > 0]
    if not used:
        return None
    wires = [point.use.wire for point in used]
    waiting = [point.hidden for point in used if point.wait_ns > 0]
    hidden = float(np.mean(waiting)) if waiting else max(point.hidden for point in used)
    return WireWait(
        WireUse(
            *(
                float(np.mean([getattr(wire, name) for wire in wires]))
                for name in ("calls", "frames", "bytes")
            )
        ),
        hidden,
    )
