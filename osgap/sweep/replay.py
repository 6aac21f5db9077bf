# SPDX-License-Identifier: BSD-3-Clause
"""Runs a finished run's points again, from the run's own records, and compares all numbers.

A replay needs the same image (RUN/inputs/image, or one of its digest) and version of the engine.
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
from osgap.sweep.locking import locked
from osgap.sweep.plan import Plan
from osgap.sweep.progress import keys_of
from osgap.sweep.run import PlannedRun, run_plan

Values = Mapping[str, float]


class ReplayRequest(Frozen):
    """The part `sweep` of a replay's run.json."""

    description: str
    replay_of: str
    points: tuple[str, ...]


@dataclass(frozen=True)
class PointDifference:
    """A point compared with its replay: how many numbers there are, and how many differ.

    `worst` is the largest difference, relative to the larger number (1 if one is missing); `name`
    says which number that is.
    """

    key: str
    values: int
    differing: int
    worst: float
    name: str


def replay(run: Path, point: str | None, context: SweepContext) -> list[PointDifference]:
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


def compare(key: str, first: PointFiles, second: PointFiles) -> PointDifference:
    """Compares all numbers of a point, run twice: the guest's records and the statistics."""
    before, after = values(first), values(second)
    names = sorted({*before, *after})
    apart = {name: _difference(before.get(name), after.get(name)) for name in names}
    worst = max(apart, key=lambda name: apart[name], default="")
    differing = sum(value > 0 for value in apart.values())
    return PointDifference(
        key, len(names), differing, apart.get(worst, 0.0), worst if differing else ""
    )


def values(point: PointFiles) -> Values:
    """The numbers of a point by file, row and column. Raises OsgapError for a damaged file."""
    numbers: dict[str, float] = {}
    for record in records.RECORDS:
        rows = read_record(point, record).to_dict("records")
        columns = [name for name, kind in csv_columns(record) if kind is not str]
        for number, row in enumerate(rows, 1):
            for column in columns:
                numbers[f"{records.file_name(record)} row {number} {column}"] = float(row[column])
    if STATS in point:
        with point.open(STATS) as stream:
            for region, dump in enumerate(parse(stream, str(point.path / STATS))):
                for name, value in dump.scalars().items():
                    numbers[f"{STATS} region {region} {name}"] = float(value)
    return numbers


def _difference(first: float | None, second: float | None) -> float:
    """The difference relative to the larger number; 1 if one is missing or infinite."""
    if first is None or second is None:
        return 1.0
    if first == second or (math.isnan(first) and math.isnan(second)):
        return 0.0
    largest = max(abs(first), abs(second))
    return abs(first - second) / largest if math.isfinite(largest) else 1.0


def _check_output(run: Path, output: Path) -> None:
    """Raises OsgapError unless `output` is new, or an earlier replay of the same run."""
    if not (output / MANIFEST).exists():
        return
    try:
        request = manifest.read(output).request(output)
        is_replay = output != run and request.replay_of == run.name
    except OsgapError:
        is_replay = False
    if not is_replay:
        raise OsgapError(f"{output}: holds a run that is not a replay of {run.name}")


def _specs(run: Path, point: str | None) -> list[Spec]:
    keys = [key for key in keys_of(run) if is_done(run, key)]
    chosen = [key for key in keys if point is None or key.startswith(point)]
    if not chosen:
        finished = ", ".join(keys) or "none"
        prefix = "" if point is None else f" that begins with {quoted(point)}"
        raise OsgapError(f"{run}: has no finished point{prefix}; finished: {finished}")
    return [load_point(files, key).record for key, files in finished_points(run, chosen)]


def _check_engine(engine: Engine, specs: Sequence[Spec]) -> None:
    version = engine.version()
    for spec in specs:
        if spec.engine_version != version:
            raise OsgapError(
                f"point {spec.key} was run on {engine.name} {spec.engine_version}; found here: "
                f"{version}; a replay needs the same"
            )


def _image(run: Path, engine: Engine, spec: Spec, fallback: Path) -> Image:
    """The image that the points booted: the run's copy, `fallback`, or its variant's image."""
    result = kernel = ""
    variant = manifest.variant(run)
    built: tuple[Path, ...] = () if variant == DEFAULT else (image_directory(variant),)
    for directory in (run / "inputs" / "image", fallback, *built):
        try:
            image = engine.image(directory)
        except ImageError as error:
            result = str(error)
            continue
        if image.digest == spec.image_digest:
            return image
        result, kernel = image.digest, _kernel(image_record(image))
    run_kernel = _kernel(manifest.read(run).image)
    other = kernel not in ("", run_kernel)
    kernels = f"; another kernel: {kernel}, the run's is {run_kernel}" if other else ""
    builder = commits.commits().hint(spec.image_digest)
    raise OsgapError(
        f"the image of {run.name} is not here: its digest is {spec.image_digest}; found: "
        f"{result}{kernels}{builder and '; '}{builder}"
    )


def _kernel(record: Mapping[str, Any]) -> str:
    """The kernel's version in an image's record, "" if it has none."""
    kernel = record.get("kernel")
    return str(kernel.get("version", "")) if isinstance(kernel, Mapping) else ""
