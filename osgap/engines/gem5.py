# SPDX-License-Identifier: BSD-3-Clause
"""The gem5 engine: the reference simulator, which the user builds.

The guest boots once on the atomic CPU to its `ready` line. configs/gem5/run.py restores that
checkpoint onto each system. Orders go through m5 readfile, and each region is a dump of stats.txt.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from osgap.base import inputs, units
from osgap.base.digest import content_key
from osgap.base.paths import project_root
from osgap.base.quoting import counted, quoted
from osgap.engines import checkpoints, gem5_program
from osgap.engines.contract import (
    WHOLE_CYCLES,
    Engine,
    EngineError,
    Failed,
    Job,
    Outcome,
    PointTimeout,
    Progress,
    finished,
    hear,
    latency_cycles,
)
from osgap.gem5stats import gem5text
from osgap.gem5stats.figures import figures
from osgap.guest.console import LARGEST, GuestConsole
from osgap.image.files import Image
from osgap.machines.system import MemorySystem, System

SMALLEST_MEMORY_MIB = 128
"""The RISC-V board puts the device tree at 0x87e00000, 126 MiB into memory."""
LARGEST_STATS = 1 << 30
"""Most bytes of stats.txt. The largest of a committed run has 35 MB."""
_CONSOLE, _STATS = "board.platform.terminal", "stats.txt"
_BOOT_TIMEOUT_S, _BOOT_HARTS = 1800.0, 4
"""Host seconds that a boot of up to _BOOT_HARTS harts may take; with more harts, in proportion."""
# Atomic accesses do not delay each other: any memory gives the same checkpoint.
_BOOT_CLOCK_MHZ = 1000.0
_BOOT_MEMORY: Mapping[str, Any] = {"latency_ns": 100, "bandwidth_mb_s": 10000}
_RESPONSE_CYCLES, _MEMORY_CYCLES = 1, 2  # configs/gem5/latencies.py
_BURST_BYTES = 64  # configs/gem5/memory.py, whatever the line
_HOST_ROWS = "host"
Arguments = list[str | Path]


class Gem5(Engine):
    """Runs configs/gem5/run.py in the user's gem5."""

    name = "gem5"
    description = "gem5: the reference simulator, built by its user and found through $GEM5 or PATH"
    marks = "m5"
    boots_image = True
    has_timing = True

    def __init__(self) -> None:
        self._program: gem5_program.Gem5Program | None = None

    def version(self) -> str:
        """Returns gem5's version and a digest of its scripts: changed scripts make new points."""
        return f"{self._find().version}, configs/gem5 {_scripts_digest()[:8]}"

    def check(self, system: System) -> None:
        self._find()
        if system.core == "in-order" and system.width != 1:
            raise EngineError(
                f"cpu.width: found {system.width}; allowed by gem5's TimingSimpleCPU "
                '(cpu.core "in-order"): 1'
            )
        if system.refill_cycles is not None and system.core != "in-order-pipelined":
            raise EngineError(
                f"refill_cycles: found {system.refill_cycles} with core {system.core}; allowed by "
                "gem5: with in-order-pipelined"
            )
        for name, cache in system.caches.items():
            if cache.line_bytes != system.l1d.line_bytes:
                raise EngineError(
                    f"{name}.line_bytes: found {cache.line_bytes}; allowed by gem5: "
                    f"{system.l1d.line_bytes}, as l1d's"
                )
        _check_bus(system)
        _check_latency(system)
        if system.memory.size_mib < SMALLEST_MEMORY_MIB:
            raise EngineError(
                f"memory.size_mib: found {system.memory.size_mib}; allowed by gem5's RISC-V "
                f"board: {SMALLEST_MEMORY_MIB} or more"
            )

    def prepare(self, image: Image, system: System, cache: Path, say: Progress) -> str:
        for path in (image.kernel_elf, image.firmware_elf):
            if not path.is_file():
                raise EngineError(f"{path}: not there; build it with: scons image")
        return checkpoints.ensure(
            self._checkpoint(image, system, cache),
            lambda target: self._boot(image, system, target),
            say,
            "booting the guest to ready on gem5 (once for this image)",
        )

    def run(self, job: Job) -> Outcome:
        checkpoint = self._checkpoint(job.image, job.system, job.cache)
        orders = job.scratch / "orders"
        orders.write_bytes(_readfile(job))
        arguments: Arguments = ["--restore", checkpoint / "state", "--orders", orders]
        began = time.perf_counter()
        console = self._simulate(job.image, job.system, job.scratch, arguments, job.timeout_s)
        spent = time.perf_counter() - began
        boot = (checkpoint / "console.txt").read_text(encoding="utf-8")
        stats = partial(read_stats, job.scratch / _STATS)
        return finished(console, stats, spent, {"dmesg.txt": boot})

    def _find(self) -> gem5_program.Gem5Program:
        if self._program is None:
            self._program = gem5_program.identify(_scripts() / "identify.py")
        return self._program

    def _checkpoint(self, image: Image, system: System, cache: Path) -> Path:
        """Returns the checkpoint of all systems with the same image, memory size and harts."""
        visible = {"ram_mib": system.memory.size_mib, "line": system.l1d.line_bytes}
        shape = {"l2": system.l2 is not None, "harts": system.harts}
        if system.l3 is not None:
            shape["l3"] = True
        key = content_key("gem5", self.version(), image.boot_digest, visible, shape)
        return checkpoints.directory(cache, f"gem5-{key}")

    def _boot(self, image: Image, system: System, target: Path) -> None:
        """Boots to `ready` and saves the checkpoint in the empty directory `target`."""
        scratch = target / "boot"
        scratch.mkdir()
        arguments: Arguments = ["--checkpoint", target / "state"]
        memory = MemorySystem(size_mib=system.memory.size_mib, **_BOOT_MEMORY)
        boot = system.model_copy(update={"clock_mhz": _BOOT_CLOCK_MHZ, "memory": memory})
        limit = _BOOT_TIMEOUT_S * max(1.0, system.harts / _BOOT_HARTS)
        console = self._simulate(image, boot, scratch, arguments, limit)
        (target / "console.txt").write_text(console, encoding="utf-8")
        shutil.rmtree(scratch)

    def _simulate(
        self, image: Image, system: System, scratch: Path, arguments: Arguments, limit: float
    ) -> str:
        """Runs configs/gem5/run.py to its end; returns the console. Raises Failed."""
        description = scratch / "system.json"
        description.write_text(system.model_dump_json(), encoding="utf-8")
        command: Arguments = [
            *(self._find().path, "--outdir", scratch, "--listener-mode", "off"),
            *(_scripts() / "run.py", "--system", description),
            *("--kernel", image.kernel_elf, "--firmware", image.firmware_elf, *arguments),
        ]
        console, terminal = GuestConsole(), _Terminal(scratch / _CONSOLE)

        def watch() -> None:
            hear(console, terminal.read())
            gem5_program.check_size(scratch / _STATS, LARGEST_STATS)

        try:
            process_exit = gem5_program.run(command, scratch / "gem5.log", limit, watch)
        except PointTimeout as error:
            last = (console.text.strip().splitlines() or ["nothing"])[-1]
            reason = PointTimeout(f"{error}; the guest's last line: {quoted(last)}")
            raise Failed(reason, console.text) from None
        except EngineError as error:
            raise Failed(error, console.text) from None
        if process_exit.status:
            raise Failed(gem5_program.failure(process_exit), console.text)
        return console.text


def _readfile(job: Job) -> bytes:
    """Returns the bytes for m5 readfile: the user's programs, if there are any, and the orders."""
    orders = job.orders.text().encode("ascii")
    if job.image.programs is None:
        return orders
    programs = job.image.programs.read_bytes()
    return b"programs %d\n%b%b" % (len(programs), programs, orders)


class _Terminal:
    """The file to which gem5 writes the guest's console."""

    def __init__(self, path: Path) -> None:
        self._path, self._offset = path, 0

    def read(self) -> bytes:
        """Returns the new bytes, at most LARGEST + 1; b"" while there is no file."""
        if not self._path.is_file():
            return b""
        with self._path.open("rb") as stream:
            stream.seek(self._offset)
            data = stream.read(LARGEST + 1)
        self._offset += len(data)
        return data


def _check_bus(system: System) -> None:
    """Raises EngineError for a bus's latency where configs/gem5/caches.py has no such bus."""
    if system.memory.bus_latency_ns is None:
        return
    if system.harts == 1 or system.l3 is None or system.l1d.load_cycles is not None:
        raise EngineError(
            f"memory.bus_latency_ns: found {system.memory.bus_latency_ns:g}; allowed by gem5: with "
            "several harts, an l3, and caches that have hit_cycles"
        )


def _check_latency(system: System) -> None:
    """Raises EngineError unless configs/gem5/memory.py can represent the memory's latency."""
    if system.memory.model is not None:
        return
    cache_cycles = sum(cache.hit_cycles + _RESPONSE_CYCLES for cache in system.data_caches)
    first, last = system.l1d.load_cycles, system.data_caches[-1].load_cycles
    if first is not None and last is not None:
        cache_cycles = last + _MEMORY_CYCLES - first
    cache_cycles += system.bus_cycles
    allowed = f"gem5's SimpleMemory here: {WHOLE_CYCLES}, {cache_cycles} or more"
    cycles = latency_cycles(system, cache_cycles, allowed) - cache_cycles
    _check_rows(system, cycles / system.clock_mhz * units.NS_PER_US)


def _check_rows(system: System, device_ns: float) -> None:
    """Raises EngineError for rows that take longer, with a burst's transfer, than the memory."""
    memory = system.memory
    if memory.rows is None:
        return
    burst_ns = _BURST_BYTES / memory.bandwidth_mb_s * units.NS_PER_US
    if memory.rows.all_ns + burst_ns > device_ns:
        raise EngineError(
            f"memory.rows: found {memory.rows.all_ns + burst_ns:g} ns for all three and a burst's "
            f"transfer; allowed by gem5: at most {device_ns:g} ns, what memory.latency_ns leaves "
            "beside the caches"
        )


def read_stats(path: Path, regions: int) -> str:
    """Returns gem5's stats.txt without its rows about the host and its last dump, of the exit.

    Raises EngineError unless there is one a region, StatsFormatError for a malformed dump.
    """
    gem5_program.check_size(path, LARGEST_STATS)
    try:
        text = inputs.read_text(path)
    except (OSError, ValueError) as error:
        raise EngineError(f"gem5 left no statistics: {error}") from None
    dumps = text.count(gem5text.BEGIN) - 1
    if dumps != regions:
        raise EngineError(
            f"the guest's samples name {counted(regions, 'region')}, gem5 dumped {dumps}"
        )
    lines = text[: text.rindex(gem5text.BEGIN)].rstrip("\n").splitlines(keepends=True)
    lines = [line for line in lines if not line.startswith(_HOST_ROWS)]
    for dump in gem5text.parse(lines, _STATS):
        figures(dump.scalars(), f"{_STATS}:{dump.line}")
    return "".join(lines) + "\n"


def _scripts() -> Path:
    return project_root() / "configs" / "gem5"


def _scripts_digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(_scripts().glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
