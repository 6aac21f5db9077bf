# SPDX-License-Identifier: BSD-3-Clause
"""Runs a finished run's points again, from what the run says of itself, and compares numerically.

Needs the run's own image (RUN/inputs/image, or one of the same digest) and its engine's version.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from osgap import engines
from osgap.base.errors import OsgapError
from osgap.base.frozen import Frozen
from osgap.base.quoting import quoted
from osgap.engines.contract import Engine
from osgap.gem5stats.gem5text import parse
from osgap.guest import records
from osgap.image.files import Image, ImageError, image_record
from osgap.image.variants import DEFAULT, image_directory
from osgap.rundir import commits, manifest
from osgap.rundir.directory import MANIFEST, POINTS
from osgap.rundir.files import PointFiles, finished_points, is_done
from osgap.rundir.frames import csv_columns, read_record
from osgap.rundir.load import load_point
from osgap.rundir.output import claim
from osgap.rundir.point import STATS, Spec
from osgap.sweep.host import Host, SweepContext
from osgap.sweep.plan import Plan
from osgap.sweep.progress import keys_of
from osgap.sweep.run import PlannedRun, run_plan
from osgap.sweep.snakemake import locked

Values = Mapping[str, float]


class ReplayError(OsgapError):
    """A run that cannot be run again here, with the reason."""


class ReplayRequest(Frozen):
    """The part `sweep` of a replay's run.json."""

    description: str
    replay_of: str
    points: tuple[str, ...]


@dataclass(frozen=True)
class Difference:
    """One point against its replay: numbers compared, those that differ, and the one most so.

    `worst` is relative to the larger of the two (1 where one is missing), `name` where it is.
    """

    key: str
    values: int
    differing: int
    worst: float
    name: str


def replay(run: Path, point: str | None, context: SweepContext) -> list[Difference]:
    """Runs the finished points of `run` again, into the context's directory, and compares them.

    `point` selects those whose key begins with it (None: all). Raises OsgapError when something
    that the points depend on is not here.
    """
    output, host = context.run, context.host
    specs = _specs(run, point)
    engine = engines.load(specs[0].engine)
    _check_engine(engine, specs)
    image = _image(run, engine, specs[0], host.image)
    host = Host(host.jobs, image.directory, host.cache, command=host.command)
    keys = tuple(spec.key for spec in specs)
    request = ReplayRequest(description="a replay", replay_of=run.name, points=keys)
    _check_output(run, output)
    output = claim(output)
    planned = PlannedRun(request, Plan(tuple(specs), {}), engine, image)
    with locked(output):
        run_plan(SweepContext(output, host, context.console), planned)
    return [
        compare(key, files, PointFiles(output / POINTS / key))
        for key, files in finished_points(run, keys)
    ]


def compare(key: str, first: PointFiles, second: PointFiles) -> Difference:
    """Every number of one point, run twice: the guest's records and the statistics."""
    ours, theirs = values(first), values(second)
    names = sorted({*ours, *theirs})
    apart = {name: _apart(ours.get(name), theirs.get(name)) for name in names}
    worst = max(apart, key=lambda name: apart[name], default="")
    differing = sum(value > 0 for value in apart.values())
    return Difference(key, len(names), differing, apart.get(worst, 0.0), worst if differing else "")


def values(point: PointFiles) -> Values:
    """The numbers of a point by name. Raises OsgapError for a damaged file."""
    found: dict[str, float] = {}
    for record in records.RECORDS:
        rows = read_record(point, record).to_dict("records")
        numbers = [name for name, kind in csv_columns(record) if kind is not str]
        for at, row in enumerate(rows, 1):
            for column in numbers:
                found[f"{records.file_name(record)} row {at} {column}"] = float(row[column])
    if STATS in point:
        with point.open(STATS) as stream:
            for region, dump in enumerate(parse(stream, str(point.path / STATS))):
                for name, value in dump.scalars().items():
                    found[f"{STATS} region {region} {name}"] = float(value)
    return found


def _apart(one: float | None, other: float | None) -> float:
    if one is None or other is None:
        return 1.0
    if one == other or (math.isnan(one) and math.isnan(other)):
        return 0.0
    largest = max(abs(one), abs(other))
    return abs(one - other) / largest if math.isfinite(largest) else 1.0


def _check_output(run: Path, output: Path) -> None:
    """The replay's directory is new, or an earlier replay's of the same run."""
    if not (output / MANIFEST).exists():
        return
    try:
        request = manifest.read(output).request(output)
        is_replay = output != run and request.replay_of == run.name
    except OsgapError:
        is_replay = False
    if not is_replay:
        raise ReplayError(f"{output}: holds a run that is no replay of {run.name}")


def _specs(run: Path, point: str | None) -> list[Spec]:
    keys = [key for key in keys_of(run) if is_done(run, key)]
    chosen = [key for key in keys if point is None or key.startswith(point)]
    if not chosen:
        known = ", ".join(keys) or "none"
        asked = "" if point is None else f" that begins with {quoted(point)}"
        raise ReplayError(f"{run}: has no finished point{asked}; finished: {known}")
    return [load_point(files, key).record for key, files in finished_points(run, chosen)]


def _check_engine(engine: Engine, specs: Sequence[Spec]) -> None:
    found = engine.version()
    for spec in specs:
        if spec.engine_version != found:
            raise ReplayError(
                f"point {spec.key} was run on {engine.name} {spec.engine_version}; found here: "
                f"{found}; a replay needs the same"
            )


def _image(run: Path, engine: Engine, spec: Spec, fallback: Path) -> Image:
    """The run's own image, else `fallback` or its variant's, if it is what the points booted."""
    found = other = ""
    of = manifest.variant(run)
    built: tuple[Path, ...] = () if of == DEFAULT else (image_directory(of),)
    for directory in (run / "inputs" / "image", fallback, *built):
        try:
            image = engine.image(directory)
        except ImageError as error:
            found = str(error)
            continue
        if image.digest == spec.image_digest:
            return image
        found, other = image.digest, _kernel(image_record(image))
    own = _kernel(manifest.read(run).image)
    kernels = f"; another kernel: {other}, the run's is {own}" if other not in ("", own) else ""
    builder = commits.commits().hint(spec.image_digest)
    raise ReplayError(
        f"the image of {run.name} is not here: its digest is {spec.image_digest}; found: "
        f"{found}{kernels}{builder and '; '}{builder}"
    )


def _kernel(record: Mapping[str, Any]) -> str:
    """The version that an image's record tells, "" where it tells none."""
    kernel = record.get("kernel")
    return str(kernel.get("version", "")) if isinstance(kernel, Mapping) else ""
