# SPDX-License-Identifier: BSD-3-Clause
"""Writes runs of Hohmuth's and Raveling's suites whose results are known."""

import json
from collections.abc import Callable
from pathlib import Path

from synthetic import FILES, Bench, Parts, parts, seal, write_run

from osgap.suites.hohmuth.benchmarks import MCVOY, MCVOY_MEMORY
from osgap.suites.raveling.benchmarks import BYTE_FILES, BYTE_LOAD, BYTE_PROCESSOR, BYTE_SYSTEM

CHECKS = (
    Bench("empty_loop", "ns", 0.0, count=1000),
    Bench("integer_mix", "MIPS", 1000.0, count=200),
)
RATES = ("pipe_bandwidth", "tcp_bandwidth", "file_reread", "mmap_reread")


def mcvoy() -> tuple[Bench, ...]:
    """Latencies of 10 us and more, rates of 65536 bytes, memory's 50, 400 and 410 ns."""
    memory = {"latency_l1": 50.0, "latency_l2": 400.0, "latency_memory": 410.0}
    found = []
    for at, name in enumerate((*MCVOY, *MCVOY_MEMORY)):
        if name in memory:
            found.append(Bench(name, "ns", 0.0, memory=memory[name], count=1000))
        elif name in RATES or name in MCVOY_MEMORY:
            found.append(Bench(name, "MB/s", 1e6, memory=1e6, bytes=65536))
        else:
            found.append(Bench(name, "us", 1e4 * (at + 1), memory=1e3))
    return (*CHECKS, *found)


def byte() -> tuple[Bench, ...]:
    """Every row 10 us times its place, files of two file systems, loads with memory and disk."""
    processor = (Bench(n, "us", 1e4 * (at + 1)) for at, n in enumerate(BYTE_PROCESSOR))
    system = (Bench(n, "us", 1e4 * (at + 1), memory=2e3) for at, n in enumerate(BYTE_SYSTEM))
    files = (Bench(n, "MB/s", 1e6, disk=1e6, bytes=1024, fs=FILES) for n in BYTE_FILES)
    loads = (Bench(n, "us", 1e6, memory=1e6, fs=FILES[:1]) for n in BYTE_LOAD)
    return (*CHECKS, *processor, *system, *files, *loads)


def slower(factors: dict[str, float]) -> Parts:
    """Every cost but the clock's share of the empty loop, times the benchmark's factor."""

    def scaled(series: str, clock: float, bench: Bench) -> tuple[float, float, float]:
        cpu, memory, disk = parts(series, clock, bench)
        loop = parts(series, clock, CHECKS[0])[0]
        factor = factors.get(bench.name, 1.0)
        return loop + (cpu - loop) * factor, memory * factor, disk * factor

    return scaled


def write_part(
    path: Path,
    benches: tuple[Bench, ...],
    *,
    variant: str = "default",
    calls: str = "direct",
    costs: Callable[[str, float, Bench], tuple[float, float, float]] = parts,
    clocks: tuple[int, ...] = (20, 80, 320),
) -> Path:
    """A run of one variant and way to call."""
    write_run(path, benches=benches, parts=costs, clocks=clocks)
    record = json.loads((path / "run.json").read_text())
    record["sweep"] = {"machine": ["base"], "variant": variant, "calls": [calls]}
    (path / "run.json").write_text(json.dumps(record) + "\n")
    return path


def scale_time(run: Path, scale: float) -> None:
    """Say of a run's machine that it simulates `scale` times as fast as it is."""
    for file in run.glob("points/*/point.json"):
        file.write_text(json.dumps(json.loads(file.read_text()) | {"time_scale": scale}) + "\n")
        seal(file.parent)
