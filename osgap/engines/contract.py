# SPDX-License-Identifier: BSD-3-Clause
"""The contract of an engine (class Engine), and what passes through it.

An engine turns (image, system, orders) into a console and, when it simulates timing, one set of
statistics for each region. It is a module osgap/engines/NAME.py with a function
`engine() -> Engine`; osgap/engines/__init__.py finds it by its name.
"""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from osgap.base import units
from osgap.base.errors import OsgapError
from osgap.gem5stats.figures import figures
from osgap.gem5stats.gem5text import Cell, Dump, StatLine, write_dumps
from osgap.guest import protocol
from osgap.guest.console import GuestConsole
from osgap.guest.protocol import Orders, Transcript
from osgap.image.files import Image, Stamps, load_image, no_image
from osgap.machines.system import System

Value = int | float
_LATENCY_ERROR, _LATENCY_ERROR_CYCLES = 0.05, 1 / 3
"""Of a latency, and of one of so few cycles that more would be allowed so."""
WHOLE_CYCLES = "within 5 %, or a third of a cycle, of a whole number of cycles"
_UNITS = {"simSeconds": "Second", "simTicks": "Tick", "system.cpu.numCycles": "Cycle"}


class EngineError(OsgapError):
    """The engine cannot run here, cannot represent a system, or broke off."""


class PointTimeout(OsgapError):
    """A point took longer on the host than it may."""


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
    """What a run left: the console, as text and as read, and stats.txt with one dump a region.

    `stats` is "" from an engine without timing. `simulator_s` is host seconds inside the
    simulator; `files` more texts to keep, by name. `finished` makes it.
    """

    console: str
    transcript: Transcript
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


class Engine(ABC):
    """A simulator behind five attributes and four methods.

    To add one, write osgap/engines/NAME.py with a subclass and a function `engine()` that returns
    an instance; nothing else is changed. tests/engines/test_conformance.py then runs it against
    what stands here.

    An instance is made at no cost: it neither looks for its simulator nor imports it before a
    method needs it, for `osgap list engines` makes one of each.

    A sweep asks, in this order: `check` for each point's system, `version`, `prepare` once; then,
    in a process of its own for each point, `version`, `prepare` and `run`. So what `prepare` made
    is kept in the cache, not in the instance; and points of one checkpoint run side by side.

    In a point's process the engine may rely on this: `scratch` is empty and the point's own;
    stdout and stderr go to the point's log; a watcher ends the whole process group when the engine
    does not answer, takes too much memory, or is no longer wanted. A process that the engine
    starts must not outlive it: see osgap.base.processes.die_with.
    """

    name: ClassVar[str]
    """The module's name; what --engine takes and every point's record and key hold: a-z and 0-9."""

    description: ClassVar[str]
    """One line for `osgap list engines`."""

    marks: ClassVar[str]
    """What the guest is told in its order `marks WORD`: how it marks regions and stops.

    One of osgap.guest.protocol.MARKS, chosen by what the simulator offers:

    - "sim-control": a device at 0x102000, which the guest maps through /dev/mem. A region's ends
      are dumps labelled 2 * region and 2 * region + 1; a command ends the simulation.
    - "m5": gem5's m5 instructions reset and dump the statistics, and end the simulation. Booted
      with osgap_orders=m5 on its command line, the guest takes its orders by m5 readfile.
    - "none": no marks, and the machine powers itself off. Without region marks has_timing is
      False, except for an engine that boots no image and computes its regions.
    """

    boots_image: ClassVar[bool]
    """Whether it boots the guest image. If not, no image is looked for, kept or part of a key."""

    has_timing: ClassVar[bool]
    """Whether it simulates time: then `run` gives statistics, one dump for each region."""

    @abstractmethod
    def version(self) -> str:
        """The simulator's version: one line, part of every point's key.

        It differs whenever results may. Raises EngineError where the simulator is not installed,
        saying how to get it.
        """

    @abstractmethod
    def check(self, system: System) -> None:
        """Raises EngineError for a system that this engine cannot represent, or cannot run here.

        One sentence that names the key, what was found and what is allowed. It simulates nothing
        and is quick: a sweep asks for all of its points before the first one runs.
        """

    @abstractmethod
    def prepare(self, image: Image, system: System, cache: Path, say: Progress) -> str:
        """Makes the checkpoint from which points of this image and system go on; its digest.

        A boot to the guest's `ready` line, done once for all systems that the guest cannot tell
        apart. Done before, it does nothing and gives the same digest; a damaged checkpoint is made
        again. `say` is told, in a few words, before anything that takes long. checkpoints.ensure
        does all of this. An engine that boots for every point does nothing and returns "". Raises
        EngineError, or Failed when the guest does not get ready.
        """

    @abstractmethod
    def run(self, job: Job) -> Outcome:
        """Runs one point from `ready` to its end line, after `prepare` for the same cache.

        The same job gives the same bytes, whatever runs beside it, if the engine has timing. It
        writes into `job.scratch` alone and leaves no process. Raises Failed, with the console so
        far and a reason: PointTimeout when `job.timeout_s` has passed, a GuestPanic or GuestError
        that the console shows (see `hear`), or an EngineError. `finished` reads the console and
        makes the outcome.
        """

    def image(self, directory: Path, known: Stamps | None = None) -> Image:
        """What this engine boots: the image in `directory`, or nothing. Raises ImageError.

        Files that fit their stamp in `known` are not hashed again.
        """
        return load_image(directory, known) if self.boots_image else no_image(directory)


def hear(console: GuestConsole, said: bytes) -> None:
    """Feeds what a guest said next to its console; what an engine reads of it goes through here.

    Raises Failed for what ends the run, as GuestConsole.feed tells it.
    """
    try:
        console.feed(said)
    except OsgapError as error:
        raise Failed(error, console.text) from None


def finished(
    console: str,
    stats: Callable[[int], str],
    simulator_s: float,
    files: Mapping[str, str] | None = None,
) -> Outcome:
    """The outcome of a run whose console is complete; the one place where it is parsed.

    `stats` gives stats.txt for a number of regions. Raises Failed for what either finds wrong.
    """
    try:
        transcript = protocol.parse(console)
        text = stats(len(transcript.samples))
    except OsgapError as error:
        raise Failed(error, console) from None
    return Outcome(console, transcript, text, simulator_s, files or {})


def latency_cycles(system: System, least: int, allowed: str) -> int:
    """The memory's latency in core cycles, of which engines simulate whole ones.

    Raises EngineError, which ends with what is `allowed`, for fewer than `least` and for a
    latency that is not WHOLE_CYCLES.
    """
    exact = system.memory.latency_ns * system.clock_mhz / 1000
    whole = units.cycles(system.memory.latency_ns, system.clock_mhz)
    off = abs(whole - exact)
    if whole < least or off > max(_LATENCY_ERROR * exact, _LATENCY_ERROR_CYCLES):
        raise EngineError(
            f"memory.latency_ns: found {system.memory.latency_ns:g} ns, {exact:.2f} cycles at "
            f"{system.clock_mhz:g} MHz; allowed by {allowed}"
        )
    return whole


def stats_text(regions: Iterable[Mapping[str, Value]]) -> str:
    """stats.txt of regions given as names and numbers, one dump each, in gem5's layout.

    Raises FiguresError for a region that cannot be analysed.
    """
    stream = io.StringIO()
    write_dumps(stream, (_dump(number, region) for number, region in enumerate(regions)))
    return stream.getvalue()


def _dump(number: int, region: Mapping[str, Value]) -> Dump:
    figures(region, f"region {number}")
    rows = (
        StatLine(name=name, cells=(Cell(value),), description=f"({_UNITS.get(name, 'Count')})")
        for name, value in region.items()
    )
    return Dump(rows=tuple(rows))
