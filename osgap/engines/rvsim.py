# SPDX-License-Identifier: BSD-3-Clause
"""The rvsim engine, the default: a cycle-level simulator that installs from PyPI.

The guest boots once on a fast configuration to its `ready` line. That checkpoint is restored onto
each system. Orders are typed on the console, and regions are the statistics dumps that the guest
requests through the sim-control device.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from osgap.base.digest import content_key
from osgap.base.quoting import counted
from osgap.engines import (
    checkpoints,
    host_allocator,
    rvsim_builds,
    rvsim_config,
    rvsim_optimise,
)
from osgap.engines.contract import (
    Engine,
    EngineError,
    Failed,
    Job,
    Outcome,
    PointTimeout,
    Progress,
    finished,
    hear,
    stats_text,
)
from osgap.engines.rvsim_programs import with_programs
from osgap.engines.rvsim_stats import region_stats
from osgap.guest import protocol
from osgap.guest.console import GuestConsole
from osgap.image.files import Image
from osgap.machines.processor_system import CacheSystem
from osgap.machines.system import MemorySystem, System

KERNEL_ENTRY = 0x8020_0000
_STATE, _NOTES = "state.ckpt", "notes.json"
_SLICE_CYCLES = 4_000_000
_BOOT_TIMEOUT_S = 1800.0


class Rvsim(Engine):
    """Runs the simulator inside this process, as a library."""

    name = "rvsim"
    description = "rvsim: the default, a cycle-level simulator that installs from PyPI"
    marks = "sim-control"
    boots_image = True
    has_timing = True

    def version(self) -> str:
        return str(_rvsim()._core.version())

    def build(self) -> str:
        return str(rvsim_builds.library().build or rvsim_builds.WHEEL)

    def environment(self) -> Mapping[str, str]:
        return host_allocator.preload()

    def optimise(self, image: Path, cache: Path, say: Progress) -> str:
        return rvsim_optimise.optimise(self.image(image), cache, say)

    def use_wheel(self, cache: Path) -> str:
        count = rvsim_builds.remove(cache)
        return f"rvsim runs from the wheel; {counted(count, 'build')} of this processor removed"

    def advice(self) -> str:
        return rvsim_optimise.advice(rvsim_builds.library().build)

    def check(self, system: System) -> None:
        rvsim_config.check(system)

    def prepare(self, image: Image, system: System, cache: Path, say: Progress) -> str:
        return checkpoints.ensure(
            self._checkpoint(image, system, cache),
            lambda target: _boot(image, system, target),
            say,
            "booting the guest to ready (once for this image)",
        )

    def run(self, job: Job) -> Outcome:
        return self.simulate(job)[0]

    def simulate(self, job: Job) -> tuple[Outcome, Any]:
        """Runs a point; returns its outcome, and the simulator at its end."""
        simulator = _build(job.image, rvsim_config.config(job.system))
        began = time.perf_counter()
        simulator.restore(str(self._state(job)))
        simulator.write_console(job.orders.text())
        console = _until(simulator, lambda console: console.ended, job.timeout_s)
        # To the guest's exit command, so that every run ends at the same cycle.
        simulator.run_to(cycles=_SLICE_CYCLES, guest_breaks=False)
        spent = time.perf_counter() - began
        return finished(console.text, partial(_regions, simulator, job.system), spent), simulator

    def _state(self, job: Job) -> Path:
        """Returns the checkpoint's file, or for an image with programs a copy with these."""
        state = self._checkpoint(job.image, job.system, job.cache) / _STATE
        if job.image.programs is None:
            return state
        copy = job.scratch / _STATE
        copy.write_bytes(with_programs(state.read_bytes(), job.image.programs.read_bytes()))
        return copy

    def ready_instructions(self, image: Image, system: System, cache: Path) -> tuple[int, int]:
        """Returns the instructions of the firmware, and those from the kernel's first to ready."""
        notes = json.loads((self._checkpoint(image, system, cache) / _NOTES).read_text())
        return int(notes["firmware_instructions"]), int(notes["ready_instructions"])

    def _checkpoint(self, image: Image, system: System, cache: Path) -> Path:
        visible = {"ram_mib": system.memory.size_mib, "map": rvsim_config.MEMORY_MAP}
        key = content_key(
            self.name, self.version(), image.boot_digest, visible, _boot_system(system)
        )
        return checkpoints.directory(cache, f"rvsim-{key}")


def _boot_system(system: System) -> dict[str, Any]:
    """Returns the system of the boot: large caches and quick memory, for host speed only."""
    cache = CacheSystem(size_bytes=65536, ways=4, line_bytes=64, hit_cycles=1)
    several = system.harts > 1
    l2 = CacheSystem(size_bytes=1 << 20, ways=8, line_bytes=64, hit_cycles=4) if several else None
    memory = MemorySystem(
        size_mib=system.memory.size_mib, latency_ns=100 if several else 40, bandwidth_mb_s=10000
    )
    update = {"clock_mhz": 100.0, "core": "in-order", "width": 1, "tlb_entries": 64}
    caches = {"l1i": cache, "l1d": cache, "l2": l2, "l3": None}
    inside = {"pipeline": None, "predictor": None, "second_tlb": None, "misaligned_traps": False}
    boot = system.model_copy(update={**update, **caches, **inside, "memory": memory})
    return boot.model_dump(exclude={"disk", "network"})


def _boot(image: Image, system: System, target: Path) -> None:
    """Boots to `ready` and saves the checkpoint in the empty directory `target`."""
    boot = System.model_validate({**_boot_system(system), "disk": system.disk.model_dump()})
    simulator = _build(image, rvsim_config.config(boot))
    simulator.run_to(pc=[KERNEL_ENTRY], guest_breaks=False)
    firmware = simulator.instructions_retired
    console = _until(simulator, lambda console: console.ready, _BOOT_TIMEOUT_S)
    if not console.ready:
        raise Failed(protocol.NoEndMarker("the guest stopped before it was ready"), console.text)
    notes = {
        "firmware_instructions": firmware,
        "ready_instructions": simulator.instructions_retired - firmware,
        "console": console.text,
    }
    simulator.save(str(target / _STATE))
    (target / _NOTES).write_text(json.dumps(notes))


def _rvsim() -> Any:
    return rvsim_builds.library().module


def _build(image: Image, config: Any) -> Any:
    return _rvsim().Simulator(config, kernel=str(image.kernel), firmware=str(image.firmware))


def _until(simulator: Any, done: Callable[[GuestConsole], bool], timeout_s: float) -> GuestConsole:
    """Runs until `done(console)` or the machine's stop; returns the console. Raises Failed."""
    deadline = time.monotonic() + timeout_s
    console = GuestConsole()
    while not done(console):
        reason, _ = simulator.run_to(cycles=_SLICE_CYCLES, guest_breaks=False)
        hear(console, simulator.read_console().encode("utf-8", "replace"))
        if reason == "exit":
            break
        if time.monotonic() > deadline:
            message = f"no end after {timeout_s:g} s on the host"
            raise Failed(PointTimeout(message), console.text)
    return console


def _regions(simulator: Any, system: System, count: int) -> str:
    labels = [label for label, _ in simulator.stats_dumps]
    if labels != list(range(2 * count)):
        raise EngineError(
            f"the guest's samples name {counted(count, 'region')}, rvsim saw {len(labels) / 2:g}"
        )
    return stats_text(
        region_stats(simulator.stats_between(2 * r, 2 * r + 1), system) for r in range(count)
    )
