# SPDX-License-Identifier: BSD-3-Clause
"""Runs a finished run's points again, from what the run says of itself, and compares numerically.

Needs the run's own image (RUN/inputs/image, or one of the same digest) and its engine's version.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from osgap import engines
from osgap.csvfile import read_csv
from osgap.engines.base import Engine, EngineError, image_for
from osgap.errors import OsgapError
from osgap.machine import Frozen
from osgap.points import files
from osgap.points.spec import Spec, read_spec
from osgap.results import (
    DISK_COLUMNS,
    SAMPLE_COLUMNS,
    load_point,
)
from osgap.stats.gem5text import read_dumps
from osgap.sweep import manifest
from osgap.sweep.command import run_plan
from osgap.sweep.drive import locked
from osgap.sweep.host import Host
from osgap.sweep.plan import Plan
from osgap.sweep.progress import keys_of
from osgap.told import COUNTER_COLUMNS, MODE_COLUMNS, read_counters, read_modes
from osgap.variant import DEFAULT, image_directory

Values = Mapping[str, float]


class ReplayError(OsgapError):
    """A run that cannot be run again here, with the reason."""


class Asked(Frozen):
    """What a replay's run.json says that it is."""

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


def replay(
    run: Path, point: str | None, output: Path, host: Host, console: Console
) -> list[Difference]:
    """Runs the finished points of `run` whose key begins with `point` (None: all) into `output`.

    Raises OsgapError when something that the points depend on is not here.
    """
    specs = _specs(run, point)
    engine = engines.load(specs[0].engine)
    _check_engine(engine, specs)
    here = Host(
        host.jobs, _image(run, engine, specs[0], host.image), host.cache, command=host.command
    )
    keys = tuple(spec.key for spec in specs)
    asked = Asked(description="a replay", replay_of=run.name, points=keys)
    _check_output(run, output)
    with locked(output):
        run_plan(output, asked, Plan(tuple(specs), {}), engine, here, console, {})
    return [compare(key, run / "points" / key, output / "points" / key) for key in keys]


def compare(key: str, first: Path, second: Path) -> Difference:
    """Every number of two directories of one point: samples, disk use and statistics."""
    ours, theirs = values(first), values(second)
    names = sorted({*ours, *theirs})
    apart = {name: _apart(ours.get(name), theirs.get(name)) for name in names}
    worst = max(apart, key=lambda name: apart[name], default="")
    differing = sum(value > 0 for value in apart.values())
    return Difference(key, len(names), differing, apart.get(worst, 0.0), worst if differing else "")


def values(point: Path) -> Values:
    """The numbers of a point's directory by name. Raises OsgapError for a damaged file."""
    found: dict[str, float] = {}
    tables = (
        ("samples", SAMPLE_COLUMNS, read_csv(point / "samples.csv", SAMPLE_COLUMNS)),
        ("disk", DISK_COLUMNS, read_csv(point / "disk.csv", DISK_COLUMNS)),
        ("modes", MODE_COLUMNS, read_modes(point)),
        ("counters", COUNTER_COLUMNS, read_counters(point)),
    )
    for table, columns, frame in tables:
        for row, line in enumerate(frame.to_dict("records")):
            for column, kind in columns:
                if kind is not str:
                    found[f"{table}.csv row {row + 1} {column}"] = float(line[column])
    for name in ("stats.txt", "stats.txt.xz"):
        if (point / name).is_file():
            for region, dump in enumerate(read_dumps(point / name)):
                for row_name, value in dump.scalars().items():
                    found[f"stats.txt region {region} {row_name}"] = float(value)
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
    if not (output / "run.json").exists():
        return
    try:
        asked = json.loads((output / "run.json").read_text(encoding="utf-8"))["sweep"]
        mine = output != run and asked["replay_of"] == run.name
    except (OSError, ValueError, RecursionError, TypeError, KeyError):
        mine = False
    if not mine:
        raise ReplayError(f"{output}: holds a run that is no replay of {run.name}")


def _specs(run: Path, point: str | None) -> list[Spec]:
    keys = [key for key in keys_of(run) if files.is_done(run, key)]
    chosen = [key for key in keys if point is None or key.startswith(point)]
    if not chosen:
        known = ", ".join(keys) or "none"
        asked = "" if point is None else f" that begins with {point!r}"
        raise ReplayError(f"{run}: has no finished point{asked}; finished: {known}")
    for key in chosen:
        load_point(run / "points" / key, key)  # for its checks
    return [read_spec(run / "points" / key / "point.json") for key in chosen]


def _check_engine(engine: Engine, specs: Sequence[Spec]) -> None:
    found = engine.version()
    for spec in specs:
        if spec.engine_version != found:
            raise ReplayError(
                f"point {spec.key} was run on {engine.name} {spec.engine_version}; found here: "
                f"{found}; a replay needs the same"
            )


def _image(run: Path, engine: Engine, spec: Spec, fallback: Path) -> Path:
    """The run's own image, else `fallback` or its variant's, if it is what the points booted."""
    found = ""
    of = manifest.variant(run)
    built: tuple[Path, ...] = () if of == DEFAULT else (image_directory(of),)
    for directory in (run / "inputs" / "image", fallback, *built):
        try:
            found = image_for(engine.name, directory).digest
        except EngineError as error:
            found = str(error)
            continue
        if found == spec.image_digest:
            return directory
    raise ReplayError(
        f"the image of {run.name} is not here: its digest is {spec.image_digest}; found: {found}"
    )
