# SPDX-License-Identifier: BSD-3-Clause
"""A run's manifest, run.json, and its input files, with which the run can be repeated elsewhere.

No other module reads or writes run.json. RUN/inputs holds the image and the machine files; the
run's points read no others.
"""

from __future__ import annotations

import json
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
from osgap.base.paths import project_root
from osgap.base.patterns import PatternText
from osgap.base.suggestions import no_directory
from osgap.base.validation import out_of_range
from osgap.engines.contract import Engine
from osgap.guest.protocol import CALLS
from osgap.image.files import Image, image_contents, image_record
from osgap.image.variants import DEFAULT, VARIANT_NAME
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.directory import INPUTS, MANIFEST, PointKey
from osgap.rundir.jsonfile import Versioned, parse_record


class RunRequest(Exact):
    """The part of a run's sweep that is the same for all points, read from run.json."""

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
    """One start of a sweep: the command line, the host, and the checkpoint's digest."""

    command: tuple[str, ...]
    when: str
    checkpoint: str
    host: StartHost


class Aim(Frozen):
    """The aim of a sweep that simulates some of its points and predicts the others.

    Without a `tolerance` (a part of each mean of R) it simulates the points that determine the
    others; with one, more points, until all means are within it or `budget_s` seconds are over.
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
        raise out_of_range(text, "a clock in MHz", f"series {series}")
    return clock


class Manifest(Versioned):
    """The content of run.json. Fields missing from an older one stay missing when it is rewritten.

    `sweep` is the request that made the run, `series` maps series -> clock -> key. `image` has the
    image's digest and its record; `workloads` and `inputs` are digests by path. With `predict`,
    points of `sweep` that are not among `points` are predicted from these.
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
        """Checks that each series has points of the run, at clocks that are numbers."""
        points = set(self.points)
        for name, keys in self.series.items():
            clocks = [_clock(name, clock) for clock in keys]
            if len(set(clocks)) != len(clocks):
                raise out_of_range(sorted(keys), "each clock once", f"series {name}")
            for key in keys.values():
                if key not in points:
                    raise out_of_range(key, "a key of `points`", f"series {name}")
        return self

    def request(self, run: Path) -> RunRequest:
        """The values of `sweep` that are read. Raises ConfigError, which names the directory."""
        return validate(self.sweep, RunRequest, f"{run / MANIFEST}: sweep")


def read(run: Path) -> Manifest:
    """Reads RUN/run.json. Raises ConfigError or ResultsError."""
    path = run / MANIFEST
    try:
        content = inputs.read_bytes(path)
    except OSError as error:
        unreadable = f"{path}: cannot be read: {error.strerror}"
        raise ResultsError(unreadable if run.exists() else no_directory(run)) from error
    return parse_record(content, Manifest, str(path))


def write(run: Path, manifest: Manifest) -> None:
    """Writes RUN/run.json, unless its content is the same. Raises OSError.

    Names of files that the locale could not decode become those of UTF-8.
    """
    text = json.dumps(manifest.model_dump(mode="json", exclude_unset=True), ensure_ascii=False)
    utf8 = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    durable.write_json(run / MANIFEST, json.loads(utf8))


def add_start(run: Path, start: Start) -> None:
    """Adds a start to RUN/run.json. Raises OsgapError."""
    manifest = read(run)
    write(run, manifest.model_copy(update={"starts": (*manifest.starts, start)}))


def copy_inputs(run: Path, files: Mapping[str, Path]) -> None:
    """Copies configuration files to RUN/inputs; `files` maps names there to sources."""
    for name, source in files.items():
        target = run / "inputs" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        durable.write_text(target, inputs.read_text(source))


def describe(run: Path, engine: Engine, image: Image) -> dict[str, object]:
    """The manifest's `image`, `workloads`, `inputs` and `versions`: digests, records, versions."""
    folder = run / INPUTS
    # The image's files were hashed before they were copied.
    hashed = {f"image/{name}": stamp.sha256 for name, stamp in image.stamps.items()}
    return {
        "image": {"digest": image.digest, **image_record(image)},
        "workloads": image_contents(image),
        "inputs": durable.digests(folder, computed=hashed) if folder.is_dir() else {},
        "versions": {
            "engine": f"{engine.name} {engine.version()}",
            "python": platform.python_version(),
            **{d.name: d.version for d in sorted(distributions(), key=lambda d: d.name.lower())},
        },
    }


def start(command: tuple[str, ...], checkpoint: str) -> Start:
    """The record of a start on this host at this time, with paths below the checkout from there."""
    checkout = f"{project_root()}/"
    host = StartHost(
        name=platform.node(),
        system=platform.platform(),
        processor=_processor(),
        cores=os.cpu_count(),
        memory_mib=psutil.virtual_memory().total >> 20,
    )
    when = datetime.now(UTC).isoformat(timespec="seconds")
    words = tuple(word.removeprefix(checkout) for word in command)
    return Start(command=words, when=when, checkpoint=checkpoint, host=host)


def starts(run: Path) -> tuple[Start, ...]:
    """The starts in RUN/run.json; none if the file is missing or damaged."""
    try:
        return read(run).starts
    except OsgapError:
        return ()


def variant(run: Path) -> str:
    """The image variant in RUN/run.json. Raises OsgapError."""
    return read(run).request(run).variant


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor()
    names = (line.partition(":")[2] for line in text.splitlines() if line.startswith("model name"))
    return next(names, platform.processor()).strip()
