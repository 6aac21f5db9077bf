# SPDX-License-Identifier: BSD-3-Clause
"""Runs one point inside the process that its supervisor watches, and tells it how that went."""

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
from osgap.engines import load
from osgap.engines.contract import Engine, EngineError, Failed, Job, PointTimeout
from osgap.guest import protocol
from osgap.image.files import Image, Stamps
from osgap.points.record import State
from osgap.rundir.point import Spec
from osgap.rundir.pointfiles import write_done, write_point


@dataclass(frozen=True)
class Place:
    """Where a point works: its image's directory, the cache, and directories of its own.

    `stamps` are of the image's files, as its sweep hashed them. `pending` takes the results,
    `scratch` what is thrown away, `console` a failed run's console.
    """

    image: Path
    stamps: Stamps
    cache: Path
    pending: Path
    scratch: Path
    console: Path


@dataclass(frozen=True)
class Booted:
    """Told when the guest is ready: the point's own time begins."""


@dataclass(frozen=True)
class Ended:
    """Told at the end: done, or why not. `simulator_s` is host time inside the simulator."""

    state: State
    line: str = ""
    simulator_s: float | None = None


Tell = Callable[[Booted | Ended], None]


def work(spec: Spec, place: Place, tell: Tell) -> None:
    """Runs the point, fills `place.pending` with all of its files, and tells its end. Never raises.

    An exception that is not osgap's own is a simulator error, with its traceback on stderr.
    """
    try:
        simulator_s = _fill(spec, place, tell)
    except Failed as failure:
        tell(_failed(failure.reason, failure.console, place))
    except OsgapError as error:
        tell(_failed(error, "", place))
    except MemoryError:
        tell(Ended(State.OUT_OF_MEMORY, "Python ran out of memory"))
    except OSError as error:
        tell(Ended(State.SIMULATOR_ERROR, f"{error.strerror}: {error.filename or spec.key}"))
    except BaseException as error:
        print_error_lines(traceback.format_exc())
        tell(Ended(State.SIMULATOR_ERROR, f"{type(error).__name__}: {error}"))
    else:
        tell(Ended(State.DONE, simulator_s=simulator_s))


def state_of(reason: OsgapError) -> State:
    """The state that a named failure leaves its point in."""
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


def _failed(reason: OsgapError, console: str, place: Place) -> Ended:
    if console:
        # On a full disk the verdict counts, not the console.
        with suppress(OSError):
            durable.write_text(place.console, console.encode(errors="replace").decode())
    return Ended(state_of(reason), str(reason))


def _fill(spec: Spec, place: Place, tell: Tell) -> float:
    engine = load(spec.engine)
    image = engine.image(place.image, place.stamps)
    _check_unchanged(spec, engine, image)
    orders = spec.guest_orders(engine.marks)
    job = Job(image, spec.system, orders, place.cache, place.scratch, spec.timeout_s)
    engine.prepare(image, spec.system, place.cache, print)
    tell(Booted())
    began = time.perf_counter()
    outcome = engine.run(job)
    write_point(place.pending, spec, outcome)
    write_done(place.pending)
    print_line(f"{spec.key}: done in {time.perf_counter() - began:.1f} s")
    return outcome.simulator_s


def _check_unchanged(spec: Spec, engine: Engine, image: Image) -> None:
    """A point's key holds its image and engine: another of either would be a wrong result."""
    for what, planned, found in (
        ("engine", spec.engine_version, engine.version()),
        ("image", spec.image_digest, image.digest),
    ):
        if found != planned:
            raise EngineError(
                f"the {what} changed since the sweep was planned: found {found}; the point is of "
                f"{planned}; repeat the sweep's command"
            )
