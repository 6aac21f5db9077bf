# SPDX-License-Identifier: BSD-3-Clause
"""Runs one point in the process that its supervisor watches, and reports the result to it."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from osgap.base import durable
from osgap.base.errors import OsgapError
from osgap.base.output import print_error_lines, print_line
from osgap.engines import host_allocator, load
from osgap.engines.contract import Engine, EngineError, Failed, Job, PointTimeout
from osgap.guest import protocol
from osgap.image.files import Image, Stamps
from osgap.points.record import State
from osgap.rundir.point import Spec
from osgap.rundir.pointfiles import write_done, write_point


@dataclass(frozen=True)
class Workspace:
    """The directories of a point's work: the image, the cache, results, temporary files; and the
    file for a failed run's console.
    """

    image: Path
    stamps: Stamps
    cache: Path
    pending: Path
    scratch: Path
    console: Path


@dataclass(frozen=True)
class Booted:
    """Report that the guest is ready: the point's time limit starts.

    `build` is the simulator's, `allocator` that of this process; "" if the engine tells none.
    """

    build: str = ""
    allocator: str = ""

    def fields(self) -> dict[str, str | None]:
        """The fields of the point's record."""
        return {"build": self.build or None, "allocator": self.allocator or None}


@dataclass(frozen=True)
class PointResult:
    """Report of the end: the state, its reason, and the host's seconds inside the simulator."""

    state: State
    line: str = ""
    simulator_s: float | None = None


Report = Callable[[Booted | PointResult], None]


def work(spec: Spec, workspace: Workspace, report: Report) -> None:
    """Runs the point, writes its files to `workspace.pending` and reports the end. Never raises."""
    try:
        simulator_s = _fill(spec, workspace, report)
    except Failed as failure:
        report(_failed(failure.reason, failure.console, workspace))
    except OsgapError as error:
        report(_failed(error, "", workspace))
    except MemoryError:
        report(PointResult(State.OUT_OF_MEMORY, "Python ran out of memory"))
    except OSError as error:
        report(
            PointResult(State.SIMULATOR_ERROR, f"{error.strerror}: {error.filename or spec.key}")
        )
    except BaseException as error:
        print_error_lines(traceback.format_exc())
        report(PointResult(State.SIMULATOR_ERROR, f"{type(error).__name__}: {error}"))
    else:
        report(PointResult(State.DONE, simulator_s=simulator_s))


def state_of(reason: OsgapError) -> State:
    """The state of a point after this error."""
    for kind, state in (
        (PointTimeout, State.TIMED_OUT),
        (protocol.GuestPanic, State.GUEST_PANIC),
        (protocol.BenchmarkFailed, State.GUEST_ERROR),
        (protocol.GuestError, State.GUEST_ERROR),
        (protocol.NoEndMarker, State.GUEST_ERROR),
    ):
        if isinstance(reason, kind):
            return state
    return State.SIMULATOR_ERROR


def _failed(reason: OsgapError, console: str, workspace: Workspace) -> PointResult:
    if console:
        # On a full disk the console is lost; the state is still reported.
        with suppress(OSError):
            durable.write_text(workspace.console, console.encode(errors="replace").decode())
    return PointResult(state_of(reason), str(reason))


def _fill(spec: Spec, workspace: Workspace, report: Report) -> float:
    engine = load(spec.engine)
    image = engine.image(workspace.image, workspace.stamps)
    _check_unchanged(spec, engine, image)
    orders = spec.guest_orders(engine.marks)
    job = Job(image, spec.system, orders, workspace.cache, workspace.scratch, spec.timeout_s)
    engine.prepare(image, spec.system, workspace.cache, print)
    report(_booted(engine))
    began = time.perf_counter()
    outcome = engine.run(job)
    write_point(workspace.pending, spec, outcome)
    write_done(workspace.pending)
    print_line(f"{spec.key}: done in {time.perf_counter() - began:.1f} s")
    return outcome.simulator_s


def _booted(engine: Engine) -> Booted:
    build = engine.build()
    return Booted(build, host_allocator.describe(host_allocator.in_use()) if build else "")


def _check_unchanged(spec: Spec, engine: Engine, image: Image) -> None:
    """Raises EngineError if engine or image are not those in the point's key."""
    for part, planned, present in (
        ("engine", spec.engine_version, engine.version()),
        ("image", spec.image_digest, image.digest),
    ):
        if present != planned:
            raise EngineError(
                f"the {part} changed since the sweep was planned: found {present}; the point is of "
                f"{planned}; repeat the sweep's command"
            )
