# SPDX-License-Identifier: BSD-3-Clause
"""A run's manifest (run.json) and inputs: all that is needed to know it, move it and run it again.

run.json is written and read here alone. RUN/inputs holds the image that its points
boot and the machine files; points read no other.
"""

from __future__ import annotations

import math
import os
import platform
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path
from typing import Annotated, Any, Self

import psutil
from pydantic import AfterValidator, ConfigDict, Field, field_validator, model_validator

from osgap.base import durable, inputs
from osgap.base.config import validate
from osgap.base.errors import OsgapError
from osgap.base.frozen import Exact, Frozen
from osgap.base.patterns import PatternText
from osgap.base.validation import out_of_range
from osgap.engines.contract import Engine
from osgap.guest.protocol import CALLS
from osgap.image.files import Image, image_contents, image_record
from osgap.image.variants import DEFAULT, VARIANT_NAME
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.directory import INPUTS, MANIFEST, PointKey
from osgap.rundir.jsonfile import Versioned, parse_record


class Asked(Exact):
    """What is the same for all points of a run, as its sweep asked for it."""

    model_config = ConfigDict(extra="ignore")

    machine: str = "unknown"
    variant: Annotated[str, Field(pattern=VARIANT_NAME)] = DEFAULT
    calls: str = CALLS[0]
    replay_of: str = ""
    pattern: tuple[PatternText, ...] = ()

    @field_validator("machine", "variant", "calls", mode="before")
    @classmethod
    def _only_one(cls, value: object) -> object:
        return value[0] if isinstance(value, list) and len(value) == 1 else value


class StartHost(Frozen):
    """The host of a start."""

    name: str
    system: str
    processor: str
    cores: int | None
    memory_mib: int


class Start(Frozen):
    """One start of a sweep: the command line, the host, and the checkpoint that points go from."""

    command: tuple[str, ...]
    when: str
    checkpoint: str
    host: StartHost


class Aim(Frozen):
    """Of a sweep that is predicted in part: which of its points are simulated.

    Without a `tolerance` (a part of each mean of R) those that determine the rest; with one, more
    until all are within it, or `budget_s` seconds are spent.
    """

    tolerance: Annotated[float, Field(gt=0, le=1)] | None = None
    budget_s: Annotated[float, Field(gt=0)] | None = None


def _each_once(points: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(points)) != len(points):
        twice = next(key for key, times in Counter(points).items() if times > 1)
        raise out_of_range(twice, "each point once")
    return points


def _clock(series: str, text: str) -> float:
    try:
        clock = float(text)
    except ValueError:
        clock = math.nan
    if not (math.isfinite(clock) and clock > 0):
        raise out_of_range(text, "a clock in MHz", _at(series))
    return clock


def _at(series: str) -> str:
    return f"series {series}"


class Manifest(Versioned):
    """run.json. What a run of before did not say stays unsaid when it is written again.

    `sweep` is what was asked for, `series` is series -> clock -> key. `image` has the image's
    digest and its own record; `workloads` and `inputs` are digests by path. With `predict` the
    points of `sweep` that are not among `points` are predicted from those.
    """

    name: str
    sweep: dict[str, Any]
    points: Annotated[tuple[PointKey, ...], AfterValidator(_each_once)]
    series: dict[str, dict[str, str]]
    image: dict[str, Any] = Field(default_factory=dict)
    workloads: dict[str, str] = Field(default_factory=dict)
    inputs: dict[str, str] = Field(default_factory=dict)
    versions: dict[str, str] = Field(default_factory=dict)
    starts: tuple[Start, ...] = ()
    predict: Aim | None = None

    @model_validator(mode="after")
    def _series_name_points(self) -> Self:
        """Each series gives points of the run, at clocks that are numbers."""
        known = set(self.points)
        for name, keys in self.series.items():
            clocks = [_clock(name, clock) for clock in keys]
            if len(set(clocks)) != len(clocks):
                raise out_of_range(sorted(keys), "each clock once", _at(name))
            for key in keys.values():
                if key not in known:
                    raise out_of_range(key, "a key of `points`", _at(name))
        return self

    def asked(self, where: Path) -> Asked:
        """What is read of `sweep`. Raises ConfigError, naming the run `where`."""
        return validate(self.sweep, Asked, f"{where / MANIFEST}: sweep")


def read(run: Path) -> Manifest:
    """RUN/run.json. Raises ConfigError or ResultsError."""
    path = run / MANIFEST
    try:
        content = inputs.read_bytes(path)
    except OSError as error:
        raise ResultsError(f"{path}: cannot be read: {error.strerror}") from error
    return parse_record(content, Manifest, str(path))


def write(run: Path, manifest: Manifest) -> None:
    """Writes RUN/run.json, unless it says the same already. Raises OSError."""
    durable.write_json(run / MANIFEST, manifest.model_dump(mode="json", exclude_unset=True))


def note_start(run: Path, start: Start) -> None:
    """Adds a start to RUN/run.json. Raises OsgapError."""
    known = read(run)
    write(run, known.model_copy(update={"starts": (*known.starts, start)}))


def keep_files(run: Path, files: Mapping[str, Path]) -> None:
    """Copies configuration files to RUN/inputs, by their names there."""
    for name, source in files.items():
        target = run / "inputs" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        durable.write_text(target, inputs.read_text(source))


def describe(run: Path, engine: Engine, image: Image) -> dict[str, object]:
    """What a run's points are made of: digests of the image and of the inputs, and versions."""
    kept = run / INPUTS
    return {
        "image": {"digest": image.digest, **image_record(image)},
        "workloads": image_contents(image),
        "inputs": durable.digests(kept, computed=_kept(image)) if kept.is_dir() else {},
        "versions": {
            "engine": f"{engine.name} {engine.version()}",
            "python": platform.python_version(),
            **{d.name: d.version for d in sorted(distributions(), key=lambda d: d.name.lower())},
        },
    }


def _kept(image: Image) -> dict[str, str]:
    """The digests of the files in RUN/inputs/image, which were hashed when they were kept."""
    return {f"image/{name}": stamp.sha256 for name, stamp in image.stamps.items()}


def start(command: tuple[str, ...], checkpoint: str) -> Start:
    """A start now and here."""
    host = StartHost(
        name=platform.node(),
        system=platform.platform(),
        processor=_processor(),
        cores=os.cpu_count(),
        memory_mib=psutil.virtual_memory().total >> 20,
    )
    when = datetime.now(UTC).isoformat(timespec="seconds")
    return Start(command=command, when=when, checkpoint=checkpoint, host=host)


def starts(run: Path) -> tuple[Start, ...]:
    """The starts that RUN/run.json has so far; none where the file is missing or damaged."""
    try:
        return read(run).starts
    except OsgapError:
        return ()


def variant(run: Path) -> str:
    """The image variant that RUN/run.json says it is of. Raises OsgapError."""
    return read(run).asked(run).variant


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor()
    names = (line.partition(":")[2] for line in text.splitlines() if line.startswith("model name"))
    return next(names, platform.processor()).strip()
