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
from pathlib import Path
from typing import Any

from osgap import checkpoints, guest
from osgap.engines import gem5_program
from osgap.engines.base import (
    EngineError,
    Failed,
    Image,
    Job,
    Outcome,
    PointTimeout,
    Progress,
    content_key,
    latency_cycles,
)
from osgap.errors import OsgapError
from osgap.machine import MemorySystem, System
from osgap.paths import project_root
from osgap.stats import gem5text

SMALLEST_MEMORY_MIB = 128
"""The RISC-V board puts the device tree at 0x87e00000, 126 MiB into memory."""
_CONSOLE = "board.platform.terminal"
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


class Gem5:
    """See osgap.engines.base.Engine."""

    name = "gem5"

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
        try:
            regions = len(guest.parse(console).samples)
            stats = read_stats(job.scratch / "stats.txt", regions)
        except OsgapError as error:
            raise Failed(error, console) from None
        boot = (checkpoint / "console.txt").read_text(encoding="utf-8")
        return Outcome(console, stats, spent, {"dmesg.txt": boot})

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
        try:
            ended = gem5_program.run(command, scratch / "gem5.log", limit)
        except PointTimeout as error:
            console = _console(scratch)
            last = (console.strip().splitlines() or ["nothing"])[-1]
            raise Failed(PointTimeout(f"{error}; the guest's last line: {last}"), console) from None
        console = _console(scratch)
        reason = guest.decisive_failure(console)
        if reason is None and ended.status:
            reason = gem5_program.failure(ended)
        if reason is not None:
            raise Failed(reason, console)
        return console


def _check_latency(system: System) -> None:
    """configs/gem5/memory.py gives memory a whole number of cycles beside the caches' own."""
    if system.memory.model is not None:
        return
    levels = [cache for cache in (system.l1d, system.l2) if cache is not None]
    own = sum(cache.hit_cycles + _RESPONSE_CYCLES for cache in levels)
    allowed = f"gem5's SimpleMemory here: within 5% of a whole number of cycles, {own} or more"
    latency_cycles(system, own, allowed)


def read_stats(path: Path, regions: int) -> str:
    """gem5's own stats.txt less its rows about the host, which differ from run to run.

    The last dump, which gem5 makes as it exits, goes too. Raises EngineError when the others are
    not one for each of the guest's regions.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise EngineError(f"gem5 left no statistics: {error}") from None
    dumps = text.count(gem5text.BEGIN) - 1
    if dumps != regions:
        raise EngineError(f"the guest's samples name {regions} regions, gem5 dumped {dumps}")
    lines = text[: text.rindex(gem5text.BEGIN)].rstrip("\n").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(_HOST_ROWS)) + "\n"


def _scripts() -> Path:
    return project_root() / "configs" / "gem5"


def _scripts_digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(_scripts().glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _console(scratch: Path) -> str:
    path = scratch / _CONSOLE
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    return text.replace("\r\n", "\n")
