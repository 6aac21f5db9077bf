# SPDX-License-Identifier: BSD-3-Clause
"""The contract of a simulation engine (class Engine), and the values that pass through it.

An engine turns an image, a system and orders into a console and, if it simulates timing, one set of
statistics for each region. It is a class in a module of the same name, Gem5 in gem5.py, by which
osgap/engines/__init__.py finds it.
"""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from osgap.base import units
from osgap.base.errors import OsgapError
from osgap.gem5stats.figures import figures
from osgap.gem5stats.gem5text import Dump, write_dumps
from osgap.gem5stats.textrow import StatCell, StatLine
from osgap.guest import protocol
from osgap.guest.console import GuestConsole
from osgap.guest.protocol import Orders, Transcript
from osgap.image.files import Image, Stamps, load_image, no_image
from osgap.machines.system import System

Value = int | float
_LATENCY_ERROR, _LATENCY_ERROR_CYCLES = 0.05, 1 / 3
"""Allowed rounding error of a latency: a part of it, or cycles if that is more."""
WHOLE_CYCLES = "within 5 %, or a third of a cycle, of a whole number of cycles"
_UNITS = {"simSeconds": "Second", "simTicks": "Tick", "system.cpu.numCycles": "Cycle"}


class EngineError(OsgapError):
    """The engine cannot run here, cannot represent a system, or stopped early."""


class PointTimeout(OsgapError):
    """A point took longer on the host than its limit."""


@dataclass(frozen=True)
class Job:
    """The work of one point in an empty directory `scratch`, for `timeout_s` of host time."""

    image: Image
    system: System
    orders: Orders
    cache: Path
    scratch: Path
    timeout_s: float


@dataclass(frozen=True)
class Outcome:
    """The results of a run: its console as text and parsed, and stats.txt with a dump a region.

    `stats` is "" without timing; `files` holds further texts to keep, by name.
    """

    console: str
    transcript: Transcript
    stats: str
    simulator_s: float
    files: Mapping[str, str] = field(default_factory=dict)


class Failed(Exception):
    """A run stopped early, for `reason`; `console` is its text so far."""

    def __init__(self, reason: OsgapError, console: str) -> None:
        super().__init__(str(reason))
        self.reason = reason
        self.console = console


Progress = Callable[[str], None]


class Engine(ABC):
    """A simulator behind five attributes and four methods, and what a few engines have beside.

    To add one, write osgap/engines/NAME.py with a subclass that is called Name; nothing else
    changes. tests/engines/test_conformance.py then tests it against this contract.

    Making an instance is cheap: it neither looks for its simulator nor imports it before a method
    needs it, because `osgap list engines` makes one of each.

    A sweep calls, in this order: `check` for each point's system, `version`, `prepare` once; then,
    in a separate process for each point, `version`, `prepare` and `run`. So `prepare` keeps its
    results in the cache, not in the instance, and points of one checkpoint run side by side.

    In a point's process the engine can rely on this: `scratch` is empty and only this point's;
    stdout and stderr go to the point's log; a watcher ends the whole process group if the engine
    does not answer, takes too much memory, or is cancelled. A process that the engine starts must
    not outlive it: see osgap.base.processes.die_with.
    """

    name: ClassVar[str]
    """The module's name, of a-z and 0-9; used by --engine and in every point's record and key."""

    description: ClassVar[str]
    """One line for `osgap list engines`."""

    marks: ClassVar[str]
    """The word of the guest's order `marks WORD`: how it marks regions and stops.

    One of osgap.guest.protocol.MARKS, chosen by what the simulator offers:

    - "sim-control": a device at 0x102000, which the guest maps through /dev/mem. A region's ends
      are dumps labelled 2 * region and 2 * region + 1; a command ends the simulation.
    - "m5": gem5's m5 instructions reset and dump the statistics, and end the simulation. Booted
      with osgap_orders=m5 on its command line, the guest takes its orders by m5 readfile.
    - "none": no marks, and the machine powers itself off. Without region marks has_timing is
      False, except for an engine that boots no image and computes its regions.
    """

    boots_image: ClassVar[bool]
    """True if it boots the guest image. If not, no image is searched, kept or part of a key."""

    has_timing: ClassVar[bool]
    """True if it simulates time: then `run` returns statistics, one dump for each region."""

    @abstractmethod
    def version(self) -> str:
        """Returns the simulator's version: one line, part of every point's key.

        Raises EngineError if the simulator is not installed, saying how to get it.
        """

    @abstractmethod
    def check(self, system: System) -> None:
        """Raises EngineError for a system that this engine cannot represent, or cannot run here.

        The error is one sentence with the key, the found and the allowed values. `check` simulates
        nothing and is quick: a sweep calls it for all points before the first one runs.
        """

    def benchmarks(self) -> Collection[str]:
        """Returns the names of benchmarks that it has beside those of workloads/."""
        return ()

    @abstractmethod
    def prepare(self, image: Image, system: System, cache: Path, say: Progress) -> str:
        """Makes the checkpoint where points of this image and system start; returns its digest.

        Boots to the guest's `ready` line, once for all systems that the guest cannot tell apart.
        With a checkpoint it does nothing and returns the same digest; it replaces a damaged one. It
        calls `say` with a few words before long work. checkpoints.ensure does all of this. An
        engine that boots for every point does nothing and returns "". Raises EngineError, or Failed
        if the guest does not get ready.
        """

    @abstractmethod
    def run(self, job: Job) -> Outcome:
        """Runs one point from `ready` to its end line, after `prepare` for the same cache.

        With timing, equal jobs give equal bytes, whatever runs beside them. Writes only into
        `job.scratch` and leaves no process. Raises Failed with the console so far and a reason:
        PointTimeout after `job.timeout_s`, a GuestPanic or GuestError that the console shows (see
        `hear`), or an EngineError. `finished` parses the console and makes the outcome.
        """

    def build(self) -> str:
        """Returns how this host's simulator was built, for records and lists; "" if unknown.

        Builds differ in speed and not in numbers, so they are no part of a point's key.
        """
        return ""

    def environment(self) -> Mapping[str, str]:
        """Returns variables that a point's process needs from its start, such as LD_PRELOAD.

        The worker starts again with them; processes that it starts do not inherit them.
        """
        return {}

    def optimise(self, image: Path, cache: Path, say: Progress) -> str:
        """Makes a quicker build of the simulator, with the same numbers; returns a sentence.

        It goes into the cache, and the image in the directory `image` may train it. Raises
        EngineError if that is not possible here.
        """
        raise EngineError(f"{self.name}: osgap builds no quicker one; allowed: rvsim")

    def use_wheel(self, cache: Path) -> str:
        """Removes what `optimise` made; returns a sentence. Raises EngineError."""
        raise EngineError(f"{self.name}: is no package of Python's; allowed: rvsim")

    def advice(self) -> str:
        """Returns one sentence on how its points would be quicker here; "" if nothing is known."""
        return ""

    def image(self, directory: Path, stamps: Stamps | None = None) -> Image:
        """Returns the image to boot, or `no_image`, by its `stamps`. Raises ImageError."""
        return load_image(directory, stamps) if self.boots_image else no_image(directory)


def hear(console: GuestConsole, data: bytes) -> None:
    """Feeds a guest's next bytes to its console. Raises Failed for any error of it."""
    try:
        console.feed(data)
    except OsgapError as error:
        raise Failed(error, console.text) from None


def finished(
    console: str,
    stats: Callable[[int], str],
    simulator_s: float,
    files: Mapping[str, str] | None = None,
) -> Outcome:
    """Returns the outcome of a complete console, which is parsed only here. Raises Failed."""
    try:
        transcript = protocol.parse(console)
        text = stats(len(transcript.samples))
    except OsgapError as error:
        raise Failed(error, console) from None
    return Outcome(console, transcript, text, simulator_s, files or {})


def latency_cycles(system: System, least: int, allowed: str) -> int:
    """Returns the memory's latency in whole core cycles, `least` or more. Raises EngineError."""
    exact = system.memory_cycles
    rounded = units.cycles(system.memory.latency_ns, system.clock_mhz)
    error = abs(rounded - exact)
    if rounded < least or error > max(_LATENCY_ERROR * exact, _LATENCY_ERROR_CYCLES):
        raise EngineError(
            f"memory.latency_ns: found {system.memory.latency_ns:g} ns, {exact:.2f} cycles at "
            f"{system.clock_mhz:g} MHz; allowed by {allowed}"
        )
    return rounded


def stats_text(regions: Iterable[Mapping[str, Value]]) -> str:
    """Returns stats.txt in gem5's format, with a dump for each region. Raises OsgapError."""
    stream = io.StringIO()
    write_dumps(stream, (_dump(number, region) for number, region in enumerate(regions)))
    return stream.getvalue()


def _dump(number: int, region: Mapping[str, Value]) -> Dump:
    figures(region, f"region {number}")
    rows = (
        StatLine(name=name, cells=(StatCell(value),), description=f"({_UNITS.get(name, 'Count')})")
        for name, value in region.items()
    )
    return Dump(rows=tuple(rows))
