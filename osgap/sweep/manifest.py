# SPDX-License-Identifier: BSD-3-Clause
"""A run's manifest (run.json) and inputs: all that is needed to know it, move it and run it again.

RUN/inputs holds the image that its points boot and the machine files; points read no other.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path

import psutil

from osgap import durable
from osgap.engines.base import IMAGE_FILES, Engine, EngineError, Image, image_for
from osgap.variant import DEFAULT, VARIANT_NAME

_RECORDS = ("image.json", "contents.json")
Manifest = dict[str, object]


def keep_image(run: Path, engine: Engine, source: Path) -> tuple[Image, Path]:
    """The image for `engine`, copied from `source` to RUN/inputs/image, and its directory.

    An equal and whole copy from before is left alone. Raises EngineError for a damaged source.
    """
    wanted = image_for(engine.name, source)
    if wanted.digest == "none":
        return wanted, source
    target = run / "inputs" / "image"
    if not _same(engine, target, wanted):
        _copy(source, target)
    return image_for(engine.name, target), target


def _same(engine: Engine, target: Path, wanted: Image) -> bool:
    try:
        return image_for(engine.name, target).digest == wanted.digest
    except EngineError:
        return False


def _copy(source: Path, target: Path) -> None:
    pending = target.with_name(".image.partial")
    shutil.rmtree(pending, ignore_errors=True)
    pending.mkdir(parents=True)
    for name in (*IMAGE_FILES, *_RECORDS):
        if (source / name).is_file():
            shutil.copyfile(source / name, pending / name)
    durable.sync(pending)
    shutil.rmtree(target, ignore_errors=True)
    pending.rename(target)


def keep_files(run: Path, files: Mapping[str, Path]) -> None:
    """Copies configuration files to RUN/inputs, by their names there."""
    for name, source in files.items():
        target = run / "inputs" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        durable.write_text(target, source.read_text(encoding="utf-8"))


def describe(run: Path, engine: Engine, image: Image) -> Manifest:
    """What a run's points are made of: digests of the image and of the inputs, and versions."""
    directory = image.kernel.parent
    contents = _read(directory / "contents.json")
    files = contents if isinstance(contents, list) else []
    recorded = _read(directory / "image.json")
    inputs = run / "inputs"
    return {
        "image": {"digest": image.digest, **(recorded if isinstance(recorded, dict) else {})},
        "workloads": {entry["path"]: entry["sha256"] for entry in files if "sha256" in entry},
        "inputs": durable.digests(inputs) if inputs.is_dir() else {},
        "versions": {
            "engine": f"{engine.name} {engine.version()}",
            "python": platform.python_version(),
            **{d.name: d.version for d in sorted(distributions(), key=lambda d: d.name.lower())},
        },
    }


def start(command: tuple[str, ...], checkpoint: str) -> Manifest:
    """One start of a sweep: the command line, the host, and the checkpoint that points go from."""
    return {
        "command": list(command),
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "checkpoint": checkpoint,
        "host": {
            "name": platform.node(),
            "system": platform.platform(),
            "processor": _processor(),
            "cores": os.cpu_count(),
            "memory_mib": psutil.virtual_memory().total >> 20,
        },
    }


def starts(run: Path) -> list[object]:
    """The starts that RUN/run.json has so far."""
    recorded = _read(run / "run.json")
    found = recorded.get("starts", []) if isinstance(recorded, dict) else []
    return list(found) if isinstance(found, list) else []


def variant(run: Path) -> str:
    """The image variant that RUN/run.json says it is of."""
    recorded = _read(run / "run.json")
    asked = recorded.get("sweep") if isinstance(recorded, dict) else None
    found = asked.get("variant") if isinstance(asked, dict) else None
    name = str(found[0]) if isinstance(found, list) and found else DEFAULT
    # It becomes a path: none may lead out of the folder of images.
    return name if re.fullmatch(VARIANT_NAME, name) else DEFAULT


def _read(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor()
    names = (line.partition(":")[2] for line in text.splitlines() if line.startswith("model name"))
    return next(names, platform.processor()).strip()
