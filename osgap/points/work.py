# SPDX-License-Identifier: BSD-3-Clause
"""Runs one point of a run directory, leaving all of its results or a named failure."""

from __future__ import annotations

import json
import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from osgap import guest
from osgap.engines import load
from osgap.engines.base import Engine, EngineError, Failed, Image, Job
from osgap.errors import OsgapError
from osgap.points.files import publish, write_done, write_point
from osgap.points.spec import Spec, read_spec


def run_point(run: Path, key: str, image: Image, cache: Path) -> None:
    """Runs point `key` of `run`. Raises OsgapError after recording why in RUN/failed/KEY.*."""
    began = time.perf_counter()
    spec = read_spec(run / "plan" / f"{key}.json")
    target = run / "points" / key
    pending = run / "points" / f".{key}.{os.getpid()}.partial"
    scratch = run / "points" / f".{key}.{os.getpid()}.scratch.partial"
    pending.mkdir(parents=True)
    scratch.mkdir()
    try:
        _fill(pending, spec, Host(image, cache, scratch), began)
        publish(pending, target)
    except Failed as failure:
        _record_failure(run, key, failure.reason, failure.console)
        raise failure.reason from None
    except OsgapError as error:
        _record_failure(run, key, error, "")
        raise
    finally:
        shutil.rmtree(pending, ignore_errors=True)
        shutil.rmtree(scratch, ignore_errors=True)
    for leftover in (run / "failed").glob(f"{key}.*"):
        leftover.unlink()


@dataclass(frozen=True)
class Host:
    """What a point finds on the host: the image, the cache, and a directory for scrap."""

    image: Image
    cache: Path
    scratch: Path


def _fill(pending: Path, spec: Spec, host: Host, began: float) -> None:
    engine = load(spec.engine)
    _check_unchanged(spec, engine, host.image)
    orders = spec.guest_orders()
    job = Job(host.image, spec.resolved, orders, host.cache, host.scratch, spec.timeout_s)
    engine.prepare(host.image, spec.resolved, host.cache, lambda text: None)
    outcome = engine.run(job)
    try:
        transcript = guest.parse(outcome.console)
    except OsgapError as error:
        raise Failed(error, outcome.console) from None
    write_point(pending, spec, outcome, transcript)
    write_done(pending, outcome.simulator_s, time.perf_counter() - began)


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


def _record_failure(run: Path, key: str, reason: OsgapError, console: str) -> None:
    directory = run / "failed"
    directory.mkdir(parents=True, exist_ok=True)
    record = {"point": key, "failure": type(reason).__name__, "reason": str(reason)}
    (directory / f"{key}.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    (directory / f"{key}.console.txt").write_text(console, encoding="utf-8")
