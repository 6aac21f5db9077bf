# SPDX-License-Identifier: BSD-3-Clause
"""A complete run whose memory's latency and bandwidth vary apart, with results that are known."""

import json
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from synthetic import BANDWIDTH_MB_S, LATENCY_NS, Bench, Region, write_point

from osgap.analysis.constants import EMPTY_LOOP, RATING
from osgap.rundir.point import Axes

CLOCKS = (40, 320)
LATENCIES_NS, BANDWIDTHS_MB_S = (100.0, 200.0, 400.0), (200.0, 400.0, 800.0)
COSTS: Mapping[str, tuple[float, float, float, float]] = {
    "empty_loop": (50.0, 0.0, 0.0, 0.0),
    "integer_mix": (10000.0, 0.0, 0.0, 0.0),
    "pointer_chase_l1": (100.0, 0.0, 0.0, 0.0),
    "pointer_chase_memory": (100.0, 400.0, 0.0, 0.0),
    "getpid": (20000.0, 0.0, 0.0, 0.0),
    "cswitch": (400000.0, 300000.0, 50000.0, 0.0),
    "bcopy_uncached": (1000.0, 20000.0, 160000.0, 0.0),
    "create_delete_0": (1e6, 200000.0, 100000.0, 5e7),
}
"""ns of an operation that the processor, latency, transfer and the disk cost, each where it costs
most: at 40 MHz, 400 ns and 200 MB/s."""


def cost_ns(name: str, clock: float, latency_ns: float, bandwidth_mb_s: float) -> list[float]:
    """What the processor, memory and the disk cost of one operation, ns; the model exactly."""
    cpu, latency, transfer, disk = COSTS[name]
    memory = latency * latency_ns / LATENCIES_NS[-1]
    memory += transfer * BANDWIDTHS_MB_S[0] / bandwidth_mb_s
    return [cpu * CLOCKS[0] / clock, memory, disk]


def write_apart(
    path: Path,
    clocks: Sequence[int] = CLOCKS,
    latencies: Sequence[float] = LATENCIES_NS,
    bandwidths: Sequence[float] = BANDWIDTHS_MB_S,
    leave_out: Sequence[str] = (),
) -> Path:
    """A run of every combination; the slowest clock's points of the series `leave_out` are not in
    it."""
    series: dict[str, dict[str, str]] = {}
    for clock, latency, bandwidth in product(clocks, latencies, bandwidths):
        axes = _axes(clock, latency, bandwidth)
        name = axes.series
        if name in leave_out and clock == clocks[0]:
            continue
        key = f"{axes.prefix}-made"
        series.setdefault(name, {})[str(clock)] = key
        rows = _regions(clock, latency, bandwidth)
        memory = {"latency_ns": latency, "bandwidth_mb_s": bandwidth}
        write_point(path / "points" / key, axes.model_dump(), memory, rows)
    keys = [key for at in series.values() for key in at.values()]
    record: dict[str, Any] = {"format": 1, "name": path.name, "sweep": {}, "points": keys}
    (path / "run.json").write_text(json.dumps({**record, "series": series}) + "\n")
    return path


def _axes(clock: int, latency: float, bandwidth: float) -> Axes:
    return Axes(
        clock_mhz=clock,
        memory="fixed",
        disk="fixed",
        latency_ns=None if latency == LATENCY_NS else latency,
        bandwidth_mb_s=None if bandwidth == BANDWIDTH_MB_S else bandwidth,
    )


def _regions(clock: int, latency: float, bandwidth: float) -> list[Region]:
    rows = []
    for name in COSTS:
        metric = "MIPS" if name == "integer_mix" else "us"
        bench = Bench(name, metric, 0.0, bytes=4096, count=1000, batches=2)
        empty, own = (cost_ns(one, clock, latency, bandwidth) for one in ("empty_loop", name))
        # The analysis takes the empty loop off all but the rating.
        if name not in (EMPTY_LOOP, *RATING):
            own[0] += empty[0]
        rows += [Region(bench, "none", batch, *own) for batch in range(2)]
    return rows
