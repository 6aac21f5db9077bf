# SPDX-License-Identifier: BSD-3-Clause
"""The table of where the time of files on a server goes: client, server, wire, server's disk.

The processor's busy time is the server's thread's and, all else, the client's. Its idle time is
split between the wire and the disk, in proportion to the time that each was busy; where both
together were busy for longer than the processor idled, the surplus passed while it worked, and
counts as the processor's alone (`overlapped_ns`). So the parts add up to the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

import pandas as pd

from osgap.analysis.columns import BENCHMARK, CLOCK_MHZ, FS, KEY, POINT_KEYS, SERIES, names
from osgap.analysis.constants import series_rank
from osgap.analysis.suite import composites
from osgap.analysis.table import Column, Table
from osgap.analysis.wire import WireUse, visible_share, wire_use
from osgap.machines.network import NetworkSystem
from osgap.rundir.csvfile import sum_defined
from osgap.rundir.load import Point, Run

PARTS = ("client_ns", "server_ns", "wire_ns", "server_disk_ns", "other_wait_ns")
"""The columns that add up to `time_ns`."""
REMOTE_TIME = Table(
    "remote_time",
    "of files on a server: where each operation's time goes, client, server, wire, server's disk",
    (
        SERIES,
        CLOCK_MHZ,
        KEY,
        BENCHMARK,
        FS,
        Column("calls", "calls to the server, those sent again too", "per operation"),
        Column("frames", "frames of both directions", "per operation"),
        Column("wire_bytes", "bytes of these with their overhead", "bytes per operation"),
        Column("time_ns", "mean time of an operation over all batches; the sum of the parts", "ns"),
        Column("client_ns", "processor: client, network interrupts and all but the server", "ns"),
        Column("server_ns", "processor: the server's thread", "ns"),
        Column("wire_ns", "processor idle, by the wire's share: frames' transfer and delay", "ns"),
        Column("server_disk_ns", "processor idle, by the server's disk's share", "ns"),
        Column("other_wait_ns", "processor idle for longer than the wire and the disk took", "ns"),
        Column("overlapped_ns", "wire and disk busy while the processor worked, in no sum", "ns"),
    ),
    absent="no benchmark of this run has files on a server, or its engine counts no idle cycles",
    make=lambda data: remote_table(data.run, data.samples, composites(data.suites)),
    order=75,
)
_DISK = ["seek_ns", "rotation_ns", "transfer_ns", "overhead_ns"]
"""Times of a request; that in the queue is left out, as it is these of other requests."""
_KEYS = names(*POINT_KEYS)
Benchmark = tuple[str, str]


@dataclass(frozen=True)
class RemoteTime:
    """The parts of an operation's time, per operation, as columns of REMOTE_TIME; all but the
    first three in ns."""

    calls: float
    frames: float
    wire_bytes: float
    time_ns: float
    client_ns: float
    server_ns: float
    wire_ns: float
    server_disk_ns: float
    other_wait_ns: float
    overlapped_ns: float


def split(
    time_ns: float,
    idle_ns: float,
    server_ns: float,
    disk_ns: float,
    use: WireUse,
    network: NetworkSystem,
) -> RemoteTime:
    """Splits the mean time of an operation, of which the processor idled for `idle_ns`.

    `server_ns` is the processor time of the server's thread, `disk_ns` that in which the server's
    disk was busy.
    """
    idle_ns = min(idle_ns, time_ns)
    server_ns = min(server_ns, time_ns - idle_ns)
    on_wire_ns = use.ns(network)
    waits_ns = on_wire_ns + disk_ns
    visible = visible_share(idle_ns, waits_ns)
    return RemoteTime(
        use.calls,
        use.frames,
        use.sent_bytes(network),
        time_ns,
        client_ns=time_ns - idle_ns - server_ns,
        server_ns=server_ns,
        wire_ns=visible * on_wire_ns,
        server_disk_ns=visible * disk_ns,
        other_wait_ns=max(0.0, idle_ns - waits_ns),
        overlapped_ns=(1 - visible) * waits_ns,
    )


def remote_table(
    run: Run, samples: pd.DataFrame, composites: Mapping[str, Sequence[str]]
) -> pd.DataFrame:
    """One row for each position in a series, and benchmark with files on a server (REMOTE_TIME).

    `composites` are sums of benchmarks. Points of several harts, whose client and server work at
    once, have no rows.
    """
    parts = {
        key: _with_composites(_parts(point, samples[samples["key"] == key]), composites)
        for key, point in run.points.items()
        if not point.network.empty
    }
    return REMOTE_TIME.frame(
        (series, clock, key, name, fs, *vars(time).values())
        for series in sorted(run.series, key=series_rank)
        for clock, key in run.series[series].items()
        for (name, fs), time in parts.get(key, {}).items()
    )


def _parts(point: Point, samples: pd.DataFrame) -> dict[Benchmark, RemoteTime]:
    """The split times of the point's benchmarks with files on a server, in the order of records."""
    system = point.record.system
    if system.network is None or system.harts > 1:
        return {}
    sums = _sums(samples)
    disk_ns = point.disk.set_index(["benchmark", "fs"])[_DISK].sum(axis=1)
    times = {}
    for row in point.network.to_dict("records"):
        name = str(row["benchmark"]), str(row["fs"])
        if name not in sums:
            continue
        count, time_ns, idle_cycles = sums[name]
        times[name] = split(
            time_ns / count,
            idle_cycles / system.clock_mhz * 1e3 / count,
            row["server_ns"] / count,
            float(disk_ns.get(name, 0.0)) / count,
            wire_use(row, count),
            system.network,
        )
    return times


def _sums(samples: pd.DataFrame) -> dict[Benchmark, tuple[float, float, float]]:
    """Operations, their time less the loops', and idle cycles of all batches of each benchmark.

    Benchmarks whose idle cycles were not counted have none.
    """
    timed = samples.assign(time_ns=samples["ns_per_op"] * samples["count"])
    sums = sum_defined(timed, _KEYS, ["count", "time_ns", "idle_cycles"])
    return {
        (str(name), str(fs)): (float(count), float(time_ns), float(idle_cycles))
        for _, name, fs, count, time_ns, idle_cycles in sums.dropna().itertuples(
            index=False, name=None
        )
    }


def _with_composites(
    times: Mapping[Benchmark, RemoteTime], composites: Mapping[str, Sequence[str]]
) -> dict[Benchmark, RemoteTime]:
    return {**times, **dict(_composites(times, composites))}


def _composites(
    times: Mapping[Benchmark, RemoteTime], composites: Mapping[str, Sequence[str]]
) -> Iterator[tuple[Benchmark, RemoteTime]]:
    for name, parts in composites.items():
        for fs in dict.fromkeys(fs for _, fs in times):
            if all((part, fs) in times for part in parts):
                yield (name, fs), _sum([times[part, fs] for part in parts])


def _sum(times: Sequence[RemoteTime]) -> RemoteTime:
    columns = [field.name for field in fields(RemoteTime)]
    return RemoteTime(*(sum(getattr(time, column) for time in times) for column in columns))
