# SPDX-License-Identifier: BSD-3-Clause
"""The interface that every engine has, and what passes through it.

An engine turns (image, system, orders) into a console and, when it simulates timing, one set of
statistics for each region. It is a module osgap/engines/NAME.py with a function
`engine() -> Engine`; osgap/engines/__init__.py finds it by its name.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from osgap import durable, units
from osgap.errors import OsgapError
from osgap.guest import Orders
from osgap.machine import System
from osgap.stats.gem5text import Cell, Dump, StatLine, write_dumps

Value = int | float
_LATENCY_ERROR = 0.05
IMAGE_FILES = ("Image", "vmlinux", "fw_jump.bin", "fw_jump.elf")
"""What the engines boot, in the image's directory."""
_UNITS = {"simSeconds": "Second", "simTicks": "Tick", "system.cpu.numCycles": "Cycle"}


class EngineError(OsgapError):
    """The engine cannot run here, cannot represent a system, or broke off."""


class PointTimeout(OsgapError):
    """A point took longer on the host than it may."""


@dataclass(frozen=True)
class Image:
    """What boots: a kernel with its initramfs, and the firmware before it."""

    kernel: Path
    firmware: Path
    digest: str

    @property
    def kernel_elf(self) -> Path:
        """The same kernel as an ELF file."""
        return self.kernel.with_name("vmlinux")

    @property
    def firmware_elf(self) -> Path:
        """The same firmware as an ELF file."""
        return self.firmware.with_name("fw_jump.elf")


def load_image(directory: Path) -> Image:
    """The image that `scons image` left in `directory`.

    Raises EngineError when it is not there or not whole.
    """
    kernel, firmware = directory / "Image", directory / "fw_jump.bin"
    for path in (kernel, firmware):
        if not path.is_file():
            raise EngineError(f"{path}: not there; build it with: {_command(directory)}")
    _check_image(directory)
    digest = hashlib.sha256()
    for path in (kernel, firmware):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return Image(kernel, firmware, digest.hexdigest())


def _check_image(directory: Path) -> None:
    """The image's files are those that image.json was written for, where there is one."""
    manifest = directory / "image.json"
    if not manifest.is_file():
        return
    rebuild = f"remove it and build it with: {_command(directory)}"
    try:
        recorded = json.loads(manifest.read_text(encoding="utf-8"))["files"]
        expected = {name: recorded[name] for name in IMAGE_FILES}
    except (OSError, ValueError, RecursionError, TypeError, KeyError) as error:
        raise EngineError(f"{manifest}: cannot be read: {error!r}; {rebuild}") from None
    for name in durable.damaged(directory, expected):
        raise EngineError(f"{directory / name}: is not the file that image.json names; {rebuild}")


def _command(directory: Path) -> str:
    """What builds the image in `directory`, which may be a run's copy."""
    try:
        manifest = json.loads((directory / "image.json").read_text(encoding="utf-8"))
        return f"scons image variant={manifest['variant']['name']}"
    except (OSError, ValueError, RecursionError, TypeError, KeyError):
        return "scons image"


def image_for(engine: str, directory: Path) -> Image:
    """What `engine` boots: the image in `directory`, or nothing for the engine that computes."""
    return Image(directory, directory, "none") if engine == "fake" else load_image(directory)


@dataclass(frozen=True)
class Job:
    """One point's work.

    `cache` holds checkpoints; `scratch` is an empty directory of the point's own, which its
    caller removes; `timeout_s` is host time.
    """

    image: Image
    system: System
    orders: Orders
    cache: Path
    scratch: Path
    timeout_s: float


@dataclass(frozen=True)
class Outcome:
    """What a run left: the console, and stats.txt with one dump a region ("" for none).

    `simulator_s` is host seconds inside the simulator; `files` more texts to keep, by name.
    """

    console: str
    stats: str
    simulator_s: float
    files: Mapping[str, str] = field(default_factory=dict)


class Failed(Exception):
    """A run that broke off: carries the console so far beside the reason."""

    def __init__(self, reason: OsgapError, console: str) -> None:
        super().__init__(str(reason))
        self.reason = reason
        self.console = console


Progress = Callable[[str], None]


class Engine(Protocol):
    """A simulator behind four methods."""

    name: str

    def version(self) -> str:
        """The simulator's version, part of every point's key."""
        ...

    def check(self, system: System) -> None:
        """Raises EngineError, in one sentence, for a system that this engine cannot represent."""
        ...

    def prepare(self, image: Image, system: System, cache: Path, say: Progress) -> str:
        """Boots to ready once for each (image, guest-visible system); no-op when that was done.

        A damaged checkpoint is made again. Returns the checkpoint's digest, "" for none.
        """
        ...

    def run(self, job: Job) -> Outcome:
        """Runs one point from ready to end. Raises Failed."""
        ...


def latency_cycles(system: System, least: int, allowed: str) -> int:
    """The memory's latency in core cycles, of which engines simulate whole ones.

    Raises EngineError, which ends with what is `allowed`, for fewer than `least` and for a
    latency over 5 % from a whole number.
    """
    exact = system.memory.latency_ns * system.clock_mhz / 1000
    whole = units.cycles(system.memory.latency_ns, system.clock_mhz)
    if whole < least or abs(whole - exact) > _LATENCY_ERROR * exact:
        raise EngineError(
            f"memory.latency_ns: found {system.memory.latency_ns:g} ns, {exact:.2f} cycles at "
            f"{system.clock_mhz:g} MHz; allowed by {allowed}"
        )
    return whole


def stats_text(regions: Iterable[Mapping[str, Value]]) -> str:
    """stats.txt of regions given as names and numbers, one dump each, in gem5's layout."""
    stream = io.StringIO()
    write_dumps(stream, (_dump(region) for region in regions))
    return stream.getvalue()


def _dump(region: Mapping[str, Value]) -> Dump:
    rows = (
        StatLine(name=name, cells=(Cell(value),), description=f"({_UNITS.get(name, 'Count')})")
        for name, value in region.items()
    )
    return Dump(rows=tuple(rows))


def content_key(*parts: object) -> str:
    """A short digest of JSON-able parts, for names of checkpoints and points."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
