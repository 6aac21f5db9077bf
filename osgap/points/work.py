# SPDX-License-Identifier: BSD-3-Clause
"""Runs one point inside the process that its supervisor watches, and tells it how that went."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from osgap import guest
from osgap.engines import load
from osgap.engines.base import Engine, EngineError, Failed, Image, Job, PointTimeout, image_for
from osgap.errors import OsgapError
from osgap.points.files import write_done, write_point
from osgap.points.record import State
from osgap.points.spec import Spec


@dataclass(frozen=True)
class Place:
    """Where a point works: its image's directory, the cache, and directories of its own.

    `pending` takes the results, `scratch` what is thrown away, `console` a failed run's console.
    """

    image: Path
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
        traceback.print_exc()
        tell(Ended(State.SIMULATOR_ERROR, f"{type(error).__name__}: {error}"))
    else:
        tell(Ended(State.DONE, simulator_s=simulator_s))


def state_of(reason: OsgapError) -> State:
    """The state that a named failure leaves its point in."""
    for kind, state in (
        (PointTimeout, State.TIMED_OUT),
        (guest.GuestPanic, State.GUEST_PANIC),
        (guest.BenchmarkFailed, State.GUEST_ERROR),
        (guest.GuestError, State.GUEST_ERROR),
        (guest.NoEndMarker, State.GUEST_ERROR),
    ):
        if isinstance(reason, kind):
            return state
    return State.SIMULATOR_ERROR


def _failed(reason: OsgapError, console: str, place: Place) -> Ended:
    if console:
        # On a full disk the verdict counts, not the console.
        with suppress(OSError):
            place.console.write_text(console, encoding="utf-8", errors="replace")
    return Ended(state_of(reason), str(reason))


def _fill(spec: Spec, place: Place, tell: Tell) -> float:
    engine = load(spec.engine)
    image = image_for(engine.name, place.image)
    _check_unchanged(spec, engine, image)
    job = Job(image, spec.resolved, spec.guest_orders(), place.cache, place.scratch, spec.timeout_s)
    engine.prepare(image, spec.resolved, place.cache, print)
    tell(Booted())
    began = time.perf_counter()
    outcome = engine.run(job)
    try:
        transcript = guest.parse(outcome.console)
    except OsgapError as error:
        raise Failed(error, outcome.console) from None
    write_point(place.pending, spec, outcome, transcript)
    write_done(place.pending)
    print(f"{spec.key}: done in {time.perf_counter() - began:.1f} s")
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
