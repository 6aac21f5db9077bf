# SPDX-License-Identifier: BSD-3-Clause
"""gem5: the reference simulator, which the user builds and this engine finds.

The guest boots once on the atomic CPU to its `ready` line; the checkpoint is restored onto each
system with configs/gem5/run.py, orders go by m5 readfile, and every region is a dump of stats.txt.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from osgap.base import inputs
from osgap.base.digest import content_key
from osgap.base.paths import project_root
from osgap.base.quoting import quoted
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
"""Bytes of stats.txt. The largest that a committed run has is of 35 MB."""
_CONSOLE, _STATS = "board.platform.terminal", "stats.txt"
_BOOT_TIMEOUT_S = 1800.0
# Atomic accesses take no time from each other: any memory gives the same checkpoint.
_BOOT_CLOCK_MHZ = 1000.0
_BOOT_MEMORY: Mapping[str, Any] = {"latency_ns": 100, "bandwidth_mb_s": 10000}
_RESPONSE_CYCLES = 1  # configs/gem5/caches.py
_HOST_ROWS = "host"
Arguments = list[str | Path]


def engine() -> Gem5:
    """The engine of this module."""
    return Gem5()


class Gem5(Engine):
    """Runs configs/gem5/run.py in the gem5 that it finds."""

    name = "gem5"
    description = "gem5: the reference simulator, built by its user and found through $GEM5 or PATH"
    marks = "m5"
    boots_image = True
    has_timing = True

    def __init__(self) -> None:
        self._program: gem5_program.Program | None = None

    def version(self) -> str:
        """gem5's, and a digest of the scripts that it runs: a changed machine is another point."""
        return f"{self._found().version}, configs/gem5 {_scripts_digest()[:8]}"

    def check(self, system: System) -> None:
        self._found()
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
        for name, cache in (("l1i", system.l1i), ("l2", system.l2)):
            if cache is not None and cache.line_bytes != system.l1d.line_bytes:
                raise EngineError(
                    f"{name}.line_bytes: found {cache.line_bytes}; allowed by gem5: "
                    f"{system.l1d.line_bytes}, as l1d's"
                )
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
        orders.write_text(job.orders.text(), encoding="ascii")
        arguments: Arguments = ["--restore", checkpoint / "state", "--orders", orders]
        began = time.perf_counter()
        console = self._simulate(job.image, job.system, job.scratch, arguments, job.timeout_s)
        spent = time.perf_counter() - began
        boot = (checkpoint / "console.txt").read_text(encoding="utf-8")
        stats = partial(read_stats, job.scratch / _STATS)
        return finished(console, stats, spent, {"dmesg.txt": boot})

    def _found(self) -> gem5_program.Program:
        if self._program is None:
            self._program = gem5_program.identify(_scripts() / "identify.py")
        return self._program

    def _checkpoint(self, image: Image, system: System, cache: Path) -> Path:
        """Keyed by all that the guest or gem5 could notice: not by clock, cache sizes or memory."""
        visible = {"ram_mib": system.memory.size_mib, "line": system.l1d.line_bytes}
        shape = {"l2": system.l2 is not None, "harts": system.harts}
        key = content_key("gem5", self.version(), image.digest, visible, shape)
        return checkpoints.directory(cache, f"gem5-{key}")

    def _boot(self, image: Image, system: System, target: Path) -> None:
        """Leaves the checkpoint in the empty directory `target`."""
        scratch = target / "boot"
        scratch.mkdir()
        arguments: Arguments = ["--checkpoint", target / "state"]
        memory = MemorySystem(size_mib=system.memory.size_mib, **_BOOT_MEMORY)
        boot = system.model_copy(update={"clock_mhz": _BOOT_CLOCK_MHZ, "memory": memory})
        console = self._simulate(image, boot, scratch, arguments, _BOOT_TIMEOUT_S)
        (target / "console.txt").write_text(console, encoding="utf-8")
        shutil.rmtree(scratch)

    def _simulate(
        self, image: Image, system: System, scratch: Path, arguments: Arguments, limit: float
    ) -> str:
        """Runs configs/gem5/run.py to its end; the console. Raises Failed."""
        described = scratch / "system.json"
        described.write_text(system.model_dump_json(), encoding="utf-8")
        command: Arguments = [
            *(self._found().path, "--outdir", scratch, "--listener-mode", "off"),
            *(_scripts() / "run.py", "--system", described),
            *("--kernel", image.kernel_elf, "--firmware", image.firmware_elf, *arguments),
        ]
        console, terminal = GuestConsole(), scratch / _CONSOLE
        said = _Said(terminal)

        def watch() -> None:
            hear(console, said.more())
            gem5_program.check_size(scratch / _STATS, LARGEST_STATS)

        try:
            ended = gem5_program.run(command, scratch / "gem5.log", limit, watch)
        except PointTimeout as error:
            last = (console.text.strip().splitlines() or ["nothing"])[-1]
            reason = PointTimeout(f"{error}; the guest's last line: {quoted(last)}")
            raise Failed(reason, console.text) from None
        except EngineError as error:
            raise Failed(error, console.text) from None
        if ended.status:
            raise Failed(gem5_program.failure(ended), console.text)
        return console.text


class _Said:
    """What gem5 adds to the file that it writes a console to."""

    def __init__(self, path: Path) -> None:
        self._path, self._read = path, 0

    def more(self) -> bytes:
        """What is new, as much as a console may hold at most; b"" while there is no file."""
        if not self._path.is_file():
            return b""
        with self._path.open("rb") as stream:
            stream.seek(self._read)
            new = stream.read(LARGEST + 1)
        self._read += len(new)
        return new


def _check_latency(system: System) -> None:
    """configs/gem5/memory.py gives memory a whole number of cycles beside the caches' own."""
    if system.memory.model is not None:
        return
    levels = [cache for cache in (system.l1d, system.l2) if cache is not None]
    own = sum(cache.hit_cycles + _RESPONSE_CYCLES for cache in levels)
    allowed = f"gem5's SimpleMemory here: {WHOLE_CYCLES}, {own} or more"
    latency_cycles(system, own, allowed)


def read_stats(path: Path, regions: int) -> str:
    """gem5's own stats.txt less its rows about the host, which differ from run to run.

    The last dump, which gem5 makes as it exits, goes too. Raises EngineError when the others are
    not one for each of the guest's regions, StatsFormatError for a dump that cannot be analysed.
    """
    gem5_program.check_size(path, LARGEST_STATS)
    try:
        text = inputs.read_text(path)
    except (OSError, ValueError) as error:
        raise EngineError(f"gem5 left no statistics: {error}") from None
    dumps = text.count(gem5text.BEGIN) - 1
    if dumps != regions:
        raise EngineError(f"the guest's samples name {regions} regions, gem5 dumped {dumps}")
    lines = text[: text.rindex(gem5text.BEGIN)].rstrip("\n").splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(_HOST_ROWS)]
    for dump in gem5text.parse(kept, _STATS):
        figures(dump.scalars(), f"{_STATS}:{dump.line}")
    return "".join(kept) + "\n"


def _scripts() -> Path:
    return project_root() / "configs" / "gem5"


def _scripts_digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(_scripts().glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
