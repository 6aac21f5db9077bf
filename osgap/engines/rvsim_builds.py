# SPDX-License-Identifier: BSD-3-Clause
"""Builds of rvsim: the wheel of PyPI, or one that osgap.engines.rvsim_optimise made in the cache.

All are of the same source and give the same numbers. They differ in the library `rvsim._core`
alone, which is loaded before Python's part of the package.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import platform
import shutil
import stat
import sys
from dataclasses import dataclass
from functools import cache
from importlib.machinery import ExtensionFileLoader
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as package_version
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import Field

from osgap.base import durable, inputs
from osgap.base.config import read_json_model
from osgap.base.digest import content_key
from osgap.base.errors import OsgapError
from osgap.base.frozen import Frozen
from osgap.base.paths import cache_directory
from osgap.engines import checkpoints
from osgap.engines.contract import EngineError

PACKAGE = "rvsim"
CORE = "rvsim._core"
LIBRARY = "_core.abi3.so"
RECORD = "build.json"
WHEEL = "wheel"


class Build(Frozen):
    """An optimised build: of which version and source, by which compiler, for which processor.

    `built` is its time in seconds since 1970.
    """

    version: str
    source_sha256: str
    rustc: str
    processor: str
    built: float = Field(ge=0)

    def __str__(self) -> str:
        """The build as records and lists name it."""
        return f"optimised, {self.rustc}"


@dataclass(frozen=True)
class Library:
    """The imported package rvsim; `build` is None for the wheel."""

    module: Any
    build: Build | None


def folder(cache_folder: Path) -> Path:
    """Returns the folder of optimised builds in a cache."""
    return cache_folder / "engines"


def installed_version() -> str:
    """Returns the version of the installed package. Raises EngineError without one."""
    try:
        return package_version(PACKAGE)
    except PackageNotFoundError:
        raise EngineError(
            f"{PACKAGE}: is not installed; install it with: {sys.executable} -m pip install "
            f"{PACKAGE}"
        ) from None


def host_processor() -> str:
    """Returns the processor's model, and a digest of the instruction sets that it has here."""
    try:
        text = inputs.read_text(Path("/proc/cpuinfo"), errors="replace")
    except OSError:
        text = ""
    rows = (line.partition(":") for line in text.split("\n\n")[0].splitlines())
    fields = {key.strip(): value.strip() for key, _, value in rows}
    sets = fields.get("flags") or fields.get("Features") or ""
    model = fields.get("model name") or platform.machine()
    return f"{model}, {content_key(platform.machine(), model, sorted(sets.split()))}"


def fitting(cache_folder: Path) -> Path | None:
    """Returns the newest undamaged build for the installed version and this host; None if none.

    A build is code: in a cache that several users share, another user's is left alone.
    """
    here = installed_version(), host_processor()
    fits = [
        (build.built, path)
        for path, build in builds(cache_folder)
        if (build.version, build.processor) == here
        and _is_trusted(path)
        and not checkpoints.damage(path)
    ]
    return max(fits)[1] if fits else None


def _is_trusted(path: Path) -> bool:
    """Returns True if only this user or root could have written the build."""
    try:
        states = [file.lstat() for file in (path, path / LIBRARY)]
    except OSError:
        return False
    users = (0, os.geteuid())
    return all(s.st_uid in users and not s.st_mode & stat.S_IWOTH for s in states)


def builds(cache_folder: Path) -> list[tuple[Path, Build]]:
    """Returns the builds in a cache, with their directories."""
    readable = []
    for path in sorted(folder(cache_folder).glob(f"{PACKAGE}-*")):
        try:
            durable.refuse_strange(path, directory=True)
            readable.append((path, read_json_model(path / RECORD, Build)))
        except OsgapError:  # not a build, or a damaged one
            continue
    return readable


def remove(cache_folder: Path, keep: Path | None = None) -> int:
    """Removes this processor's builds, except `keep`; returns their number. Raises OSError."""
    processor = host_processor()
    old = [
        path
        for path, build in builds(cache_folder)
        if build.processor == processor and path != keep
    ]
    for path in old:
        shutil.rmtree(path)
    return len(old)


@cache
def library() -> Library:
    """Imports rvsim, of the fitting build in the cache, else the wheel's. Raises EngineError."""
    installed_version()
    build = None
    if CORE not in sys.modules and (path := fitting(cache_directory())) is not None:
        build = read_json_model(path / RECORD, Build)
        if not _loads(path / LIBRARY):
            build = None
    module: Any = importlib.import_module(PACKAGE)
    module._core = sys.modules[CORE]  # Python sets it only for a module that it looked up
    return Library(module, build)


def _loads(path: Path) -> bool:
    try:
        load_core(path)
    except (ImportError, OSError):  # of another C library, for example
        return False
    return True


def use_wheel() -> Path:
    """Loads the wheel's library, whatever the cache has; returns its path."""
    return Path(str(importlib.import_module(CORE).__file__))


def load_core(path: Path) -> ModuleType:
    """Loads the library at `path` as rvsim's own. Raises ImportError."""
    loader = ExtensionFileLoader(CORE, str(path))
    spec = importlib.util.spec_from_file_location(CORE, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    sys.modules[CORE] = module
    return module
