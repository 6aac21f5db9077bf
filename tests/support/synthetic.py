# SPDX-License-Identifier: BSD-3-Clause
"""Writes a complete run directory whose results are known, for the tests of the analysis."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from osgap.base.paths import project_root
from osgap.gem5stats.gem5text import Dump, write_dumps
from osgap.gem5stats.textrow import StatCell, StatLine
from osgap.machines.machine import load_machine
from osgap.machines.system import system as resolve

CLOCKS = (20, 80, 320)
SERIES = ("fixed", "memory", "disk", "both")
EMPTY_NS = 50.0  # at the slowest clock
LATENCY_NS, BANDWIDTH_MB_S = 200.0, 400.0


@dataclass(frozen=True)
class Bench:
    """Cost of one operation at the slowest clock, ns: `cpu` follows the clock, `memory` the
    memory, `disk` the disk."""

    name: str
    metric: str
    cpu: float
    memory: float = 0.0
    disk: float = 0.0
    bytes: int = 0
    count: int = 100
    fs: tuple[str, ...] = ("none",)
    batches: int = 3


FILES = ("unix", "sprite")
BENCHES = (
    Bench("empty_loop", "ns", 0.0, count=1000),
    Bench("integer_mix", "MIPS", 1000.0, count=200),
    Bench("dhrystone", "us", 15000.0),
    Bench("pointer_chase_l1", "ns", 100.0),
    Bench("pointer_chase_memory", "ns", 100.0, memory=LATENCY_NS),
    Bench("stream_copy", "MB/s", 0.0, memory=3 * 4096 / BANDWIDTH_MB_S * 1e3, bytes=4096),
    Bench("getpid", "us", 20000.0),
    Bench("cswitch", "ms", 400000.0, memory=200000.0),
    Bench("select_10_full", "us", 60000.0, memory=10000.0),
    Bench("bcopy_cached", "MB/s", 40000.0, bytes=4096),
    Bench("bcopy_uncached", "MB/s", 1000.0, memory=100000.0, bytes=4096),
    Bench("read", "MB/s", 100000.0, memory=200000.0, bytes=16384),
    Bench("open_close_foo", "ms", 300000.0, memory=50000.0, fs=FILES),
    Bench("create_delete_0", "ms", 1e6, disk=5e7, fs=FILES, count=5),
    Bench("andrew_makedir", "s", 1e8, disk=1e8, fs=FILES, count=1, batches=2),
    Bench("andrew_copy", "s", 3e8, disk=3e8, fs=FILES, count=1, batches=2),
    Bench("andrew_scandir", "s", 1e8, fs=FILES, count=1, batches=2),
    Bench("andrew_readall", "s", 1e8, fs=FILES, count=1, batches=2),
    Bench("andrew_make", "s", 2e9, memory=4e8, disk=1e8, fs=FILES, count=1, batches=2),
)
FEW = tuple(b for b in BENCHES if b.name in ("empty_loop", "integer_mix", "getpid", "read"))


def parts(series: str, clock: float, bench: Bench) -> tuple[float, float, float]:
    """ns of one operation, empty loop included, for processor, memory and disk."""
    speed = clock / CLOCKS[0]
    memory = bench.memory / (speed if series in ("memory", "both") else 1)
    disk = bench.disk / (speed if series in ("disk", "both") else 1)
    return (bench.cpu + EMPTY_NS) / speed, memory, disk


Parts = Callable[[str, float, Bench], tuple[float, float, float]]


def write_run(
    path: Path,
    *,
    parts: Parts = parts,
    benches: tuple[Bench, ...] = BENCHES,
    clocks: tuple[int, ...] = CLOCKS,
    unfinished: tuple[str, ...] = (),
) -> Path:
    """A run of every series; the slowest clock's point is one and the same in all of them."""
    keys: dict[str, dict[str, str]] = {
        series: {str(clock): point_key(series, clock, clocks) for clock in clocks}
        for series in SERIES
    }
    every = sorted({key for at in keys.values() for key in at.values()})
    path.mkdir(parents=True)
    record = {
        "format": 1,
        "name": path.name,
        "sweep": {},
        "points": every,
        "series": keys,
        "image": {},
        "versions": {},
    }
    (path / "run.json").write_text(json.dumps(record) + "\n")
    for series in SERIES:
        for clock in clocks:
            key = keys[series][str(clock)]
            done = key not in unfinished
            if not (path / "points" / key).exists():
                rows = list(_regions(series, clock, benches, parts))
                axes = {"clock_mhz": clock, "memory": "fixed", "disk": "fixed", "seed": 0}
                write_point(path / "points" / key, axes, _memory(series, clock), rows, done=done)
    return path


def point_key(series: str, clock: int, clocks: tuple[int, ...] = CLOCKS) -> str:
    return f"base-{clock}" if clock == clocks[0] else f"{series}-{clock}"


def _memory(series: str, clock: int) -> dict[str, float]:
    speed = clock / CLOCKS[0] if series in ("memory", "both") else 1
    return {"latency_ns": LATENCY_NS / speed, "bandwidth_mb_s": BANDWIDTH_MB_S * speed}


def write_point(
    path: Path,
    axes: Mapping[str, Any],
    memory: Mapping[str, float],
    rows: list["Region"],
    *,
    done: bool = True,
) -> None:
    """A point of these axes, on the base machine with this memory."""
    path.mkdir(parents=True)
    clock = axes["clock_mhz"]
    resolved = complete({"clock_mhz": clock, "memory": memory})
    orders = {"run": ["checks"], "fs": ["unix"], "seed": 0}
    point = {
        "format": 1,
        "key": path.name,
        "engine": "rvsim",
        "engine_version": "0",
        "image_digest": "none",
        "machine": "base",
        "axes": axes,
        "resolved": resolved,
        "orders": orders,
        "timeout_s": 1,
    }
    (path / "console.txt").write_text("booted\n")
    (path / "point.json").write_text(json.dumps(point) + "\n")
    (path / "samples.csv").write_text(_samples(rows))
    (path / "regions.csv").write_text(_region_list(rows))
    (path / "disk.csv").write_text(_disk(rows))
    with (path / "stats.txt").open("w") as stream:
        write_dumps(stream, (_dump(row, clock) for row in rows))
    if done:
        seal(path)


def complete(system: Mapping[str, Any]) -> dict[str, Any]:
    """A system as point.json has it: the base machine's but for what `system` says."""
    base = load_machine(project_root() / "configs" / "machines" / "base.toml")
    whole = resolve(base).model_dump(mode="json")
    return {**whole, **system, "memory": {**whole["memory"], **system.get("memory", {})}}


def seal(point: Path) -> None:
    """Write a point's done.json, as the run does last, or again after a test has changed it."""
    files = sorted(file for file in point.iterdir() if file.name != "done.json")
    digests = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    host = {"simulator_s": 1.0, "total_s": 2.0}
    done = {"format": 1, "host": host, "sha256": digests}
    (point / "done.json").write_text(json.dumps(done) + "\n")


@dataclass(frozen=True)
class Region:
    bench: Bench
    fs: str
    batch: int
    cpu: float
    memory: float
    disk: float

    @property
    def guest_ns(self) -> int:
        return round((self.cpu + self.memory + self.disk) * self.bench.count)


def _regions(
    series: str, clock: int, benches: tuple[Bench, ...], parts: Parts
) -> Iterator["Region"]:
    for bench in benches:
        cost = parts(series, clock, bench)
        for fs in bench.fs:
            for batch in range(bench.batches):
                # The first batch is cold: half as long again.
                factor = 1.5 if batch == 0 and bench.batches > 2 else 1.0
                yield Region(bench, fs, batch, *(factor * part for part in cost))


def _samples(rows: list[Region]) -> str:
    lines = ["region,benchmark,fs,batch,count,bytes,metric,guest_ns,timer_irqs"]
    for at, row in enumerate(rows):
        bench = row.bench
        lines.append(
            f"{at},{bench.name},{row.fs},{row.batch},{bench.count},{bench.bytes},{bench.metric},"
            f"{row.guest_ns},{row.batch % 2}"
        )
    return "\n".join(lines) + "\n"


def _region_list(rows: list[Region]) -> str:
    lines = ["dump,region,benchmark,fs,batch"]
    lines += [f"{at},{at},{row.bench.name},{row.fs},{row.batch}" for at, row in enumerate(rows)]
    return "\n".join(lines) + "\n"


def _disk(rows: list[Region]) -> str:
    lines = [
        "benchmark,fs,reads,writes,sectors,seek_ns,rotation_ns,transfer_ns,overhead_ns,queue_ns"
    ]
    waits: dict[tuple[str, str], float] = {}
    for row in rows:
        if row.bench.disk:
            name = (row.bench.name, row.fs)
            waits[name] = waits.get(name, 0) + row.disk * row.bench.count
    for (bench, fs), wait in waits.items():
        lines.append(f"{bench},{fs},0,10,80,{round(wait / 4)},{round(wait * 3 / 4)},0,0,0")
    return "\n".join(lines) + "\n"


def _dump(row: Region, clock: int) -> Dump:
    count = row.bench.count
    cycles = round(row.guest_ns * clock / 1e3)
    stall = round(row.memory * count * clock / 1e3)
    idle = round(row.disk * count * clock / 1e3)
    user = (cycles - idle) // 4
    insts = round(row.bench.cpu * count * CLOCKS[0] / 1e3 / 2) + 7 * row.batch
    values: Mapping[str, float] = {
        "simSeconds": row.guest_ns / 1e9,
        "simFreq": 10**12,
        "simInsts": max(insts, 1),
        "system.clk_domain.clock": 10**6 // clock,
        "system.cpu.numCycles": cycles,
        "system.mem_ctrls.bytesRead::total": 2 * row.bench.bytes * count,
        "system.mem_ctrls.bytesWritten::total": row.bench.bytes * count,
        "osgap.cycles.user": user,
        "osgap.cycles.kernel": cycles - idle - user,
        "osgap.cycles.idle": idle,
        "osgap.cycles.memoryStall": stall,
    }
    return Dump(
        tuple(StatLine(name, (StatCell(value),), "x (Count)") for name, value in values.items())
    )
