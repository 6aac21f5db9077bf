# SPDX-License-Identifier: BSD-3-Clause
"""The interface that every engine has, and what passes through it.

An engine turns (image, system, orders) into a console and, when it simulates timing, one set of
statistics for each region. It is a module osgap/engines/NAME.py with a function
`engine() -> Engine`; osgap/engines/__init__.py finds it by its name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from osgap.errors import OsgapError
from osgap.guest import Orders
from osgap.machine import System

Value = int | float


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


def load_image(directory: Path) -> Image:
    """The image that `scons image` left in `directory`. Raises EngineError when it is not there."""
    kernel, firmware = directory / "Image", directory / "fw_jump.bin"
    for path in (kernel, firmware):
        if not path.is_file():
            raise EngineError(f"{path}: not there; build it with: scons image")
    digest = hashlib.sha256()
    for path in (kernel, firmware):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return Image(kernel, firmware, digest.hexdigest())


def image_for(engine: str, directory: Path) -> Image:
    """What `engine` boots: the image in `directory`, or nothing for the engine that computes."""
    return Image(directory, directory, "none") if engine == "fake" else load_image(directory)


@dataclass(frozen=True)
class Job:
    """One point's work. `cache` holds checkpoints; `timeout_s` is host time."""

    image: Image
    system: System
    orders: Orders
    cache: Path
    timeout_s: float


@dataclass(frozen=True)
class Outcome:
    """What a run left: the console, and each region's statistics in gem5's names (or none)."""

    console: str
    regions: tuple[Mapping[str, Value], ...]
    simulator_s: float
    """Host seconds inside the simulator."""


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

    def prepare(self, image: Image, system: System, cache: Path, say: Progress) -> None:
        """Boots to ready once for each (image, guest-visible system); no-op when that was done."""
        ...

    def run(self, job: Job) -> Outcome:
        """Runs one point from ready to end. Raises Failed."""
        ...


def content_key(*parts: object) -> str:
    """A short digest of JSON-able parts, for names of checkpoints and points."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
