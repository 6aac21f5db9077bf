# SPDX-License-Identifier: BSD-3-Clause
"""An engine that computes its results, for tests of all other parts.

Its times follow a model of three resources, a / clock + b * memory latency + c * rotation, so that
tests know the relative speeds; with files on a server each turn of the disk is a call instead. Some
benchmark names make a failure: of the guest (panic, hang, fail, flood, silent) or of the simulator
(deaf, eat, crash, abort, chatter, defect). `pause_ms` delays a run.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from osgap.base import durable
from osgap.base.digest import content_key
from osgap.base.output import flush, print_line
from osgap.engines import checkpoints
from osgap.engines.contract import (
    Engine,
    EngineError,
    Failed,
    Job,
    Outcome,
    PointTimeout,
    Progress,
    Value,
    finished,
    hear,
    stats_text,
)
from osgap.guest import protocol
from osgap.guest.console import GuestConsole
from osgap.image.files import Image
from osgap.machines.system import System

# name: (metric, file systems, cycles, memory waits, disk turns), each of one operation
_BENCHES: Mapping[str, tuple[str, bool, int, int, int]] = {
    "empty_loop": ("us", False, 3, 0, 0),
    "integer_mix": ("MIPS", False, 1500000, 0, 0),
    "getpid": ("us", False, 400, 0, 0),
    "cswitch": ("us", False, 4000, 400, 0),
    "create_delete_0": ("ms", True, 80000, 1000, 3),
}
_GUEST_FAILURES = ("panic", "hang", "fail", "flood", "silent")
_COUNT, _BATCHES = 10, 5
_FRAME_BYTES = 150
"""The length of both frames of a call to the file server."""


class Fake(Engine):
    """Computes what a simulator would give."""

    name = "fake"
    description = "computes instead of simulating: for tests, and to try a sweep in seconds"
    marks = "none"
    boots_image = False
    has_timing = True

    def version(self) -> str:
        return "1"

    def check(self, system: System) -> None:
        if system.clock_mhz > 10000:
            raise EngineError(f"clock {system.clock_mhz:g} MHz; allowed by fake: 10000 or less")

    def benchmarks(self) -> Collection[str]:
        return (*_BENCHES, *_GUEST_FAILURES, *_SIMULATOR_FAILURES, "all")

    def prepare(self, image: Image, system: System, cache: Path, say: Progress) -> str:
        """Makes a checkpoint that holds the guest's memory size; returns its digest."""
        key = content_key(system.memory.size_mib)
        target = checkpoints.directory(cache, f"fake-{key}")
        text = f"{system.memory.size_mib} MiB\n"
        return checkpoints.ensure(
            target,
            lambda directory: durable.write_text(directory / "memory", text),
            say,
            "fake: booting",
        )

    def run(self, job: Job) -> Outcome:
        time.sleep(job.orders.sets.get("pause_ms", 0) / 1000)
        lines = [f"@osgap ready protocol={protocol.PROTOCOL}"]
        regions: list[Mapping[str, Value]] = []
        for name in _expanded(job.orders.run):
            _fail_if_ordered(name, lines)
            _bench(name, job, lines, regions)
        status = "failed" if any("@osgap fail" in line for line in lines) else "ok"
        if "silent" not in job.orders.run:
            lines.append(f"@osgap end status={status} regions={len(regions)}")
        console = "\n".join(lines) + "\n"
        return finished(console, lambda _: stats_text(regions), 0.001)


def _expanded(run: object) -> list[str]:
    names = [str(name).split("/")[-1] for name in run]  # type: ignore[attr-defined]
    expanded: list[str] = []
    for name in names:
        expanded += list(_BENCHES) if name in ("checks", "ousterhout", "all") else [name]
    return list(dict.fromkeys(expanded))


def _fail_if_ordered(name: str, lines: list[str]) -> None:
    console = "\n".join(lines) + "\n"
    if name == "panic":
        console += "Kernel panic - not syncing: asked for\n"
        raise Failed(protocol.GuestPanic("the guest panicked: Kernel panic - asked for"), console)
    if name == "hang":
        raise Failed(PointTimeout("no end after 1 s on the host"), console)
    if name == "flood":
        _flood(console)
    if name in _SIMULATOR_FAILURES:
        _SIMULATOR_FAILURES[name]()
    if name == "fail":
        lines.append("@osgap fail name=fail fs=none reason=asked-for")


def _flood(text: str) -> None:
    """Acts as a guest that prints up to a GiB."""
    console = GuestConsole()
    hear(console, text.encode())
    for _ in range(1 << 14):
        hear(console, b"flood!!\n" * (1 << 13))


def _eat() -> None:
    blocks = []
    for _ in range(3600):
        blocks.append(bytearray(b"x" * (8 << 20)))
        time.sleep(0.05)


def _abort() -> None:
    print_line("memory allocation of 17179869184 bytes failed")
    flush()
    os.abort()


def _chatter() -> None:
    line = "a simulator that warns without end " * 100
    for _ in range(1 << 20):
        print_line(line)
        flush()
        time.sleep(0.0001)


def _defect() -> None:
    raise RuntimeError("asked for")


_SIMULATOR_FAILURES: Mapping[str, Callable[[], None]] = {
    "deaf": lambda: time.sleep(3600),
    "eat": _eat,
    "crash": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "abort": _abort,
    "defect": _defect,
    "chatter": _chatter,
}


def _bench(name: str, job: Job, lines: list[str], regions: list[Mapping[str, Value]]) -> None:
    if name not in _BENCHES:
        return
    metric, files, *_ = _BENCHES[name]
    for fs in job.orders.fs if files else ("none",):
        head = f"name={name} fs={fs}"
        lines.append(
            f"@osgap bench {head} metric={metric} bytes=0 count={_COUNT} batches={_BATCHES}"
        )
        for batch in range(_BATCHES):
            stats = _stats(name, fs, job.system)
            ns = round(float(stats["simSeconds"]) * 1e9)
            number = f"region={len(regions)}"
            lines.append(f"@osgap sample {number} {head} batch={batch} ns={ns} irqs=0")
            regions.append(stats)
        if fs in protocol.REMOTE:
            lines.append(_network(name, head, job.system))


def _network(name: str, head: str, system: System) -> str:
    """The line of a benchmark's calls, which are all to create files; half of the work for them is
    the server's."""
    _, _, work, _, calls = _BENCHES[name]
    server_ns = round(_COUNT * _BATCHES * work / 2 / system.clock_mhz * 1e3)
    kinds = "getattr=0 lookup=0 read=0 write=0"
    total = _COUNT * _BATCHES * calls
    moved = f"frames={2 * total} bytes={2 * total * _FRAME_BYTES}"
    counts = f"messages={total} repeated=0 {kinds} create={total} remove=0"
    return f"@osgap network {head} {counts} {moved} server_ns={server_ns}"


def _stats(name: str, fs: str, system: System) -> Mapping[str, Value]:
    _, _, work, waits, turns = _BENCHES[name]
    stall = waits * system.memory_cycles
    idle = turns * _wait_ns(fs, system) * system.clock_mhz / 1000
    cycles = round(_COUNT * (work + stall + idle))
    period = round(1e6 / system.clock_mhz)
    return {
        "simSeconds": cycles * period / 1e12,
        "simTicks": cycles * period,
        "simFreq": 10**12,
        "simInsts": _COUNT * work,
        "system.clk_domain.clock": period,
        "system.cpu.numCycles": cycles,
        "system.cpu.idleCycles": round(_COUNT * idle),
        "osgap.cycles.user": 0,
        "osgap.cycles.kernel": cycles - round(_COUNT * idle),
        "osgap.cycles.idle": round(_COUNT * idle),
        "osgap.cycles.memoryStall": round(_COUNT * stall),
        "system.mem_ctrls.bytesRead::total": _COUNT * waits * system.l1d.line_bytes,
        "system.mem_ctrls.bytesWritten::total": 0,
    }


def _wait_ns(fs: str, system: System) -> float:
    """The time of a turn of the disk, or of a call to the file server; 0 for delayed files."""
    if fs in protocol.REMOTE and system.network is not None:
        size = _FRAME_BYTES + system.network.overhead_bytes
        return 2 * (system.network.delay_ns + size * 1e9 / system.network.bytes_per_s)
    return system.disk.rotation_ns if fs == "unix" else 0
