# SPDX-License-Identifier: BSD-3-Clause
"""Builds rvsim's own source for this processor, with the profile of a training run (PGO).

The source is the package's, of the version and digests in requirements.lock, unchanged. A build
gets its name in the cache only after it gave the same bytes as the wheel.
"""

from __future__ import annotations

import json
import shutil
import sys
import tarfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from osgap.base import durable, inputs
from osgap.base.digest import content_key
from osgap.base.paths import project_root
from osgap.base.processes import osgap_command
from osgap.engines import checkpoints, host_allocator, rvsim_builds
from osgap.engines.contract import EngineError, Progress
from osgap.engines.rvsim_builds import LIBRARY, PACKAGE, RECORD, WHEEL, Build
from osgap.engines.rvsim_toolchain import RustTools, run_step, rust_tools
from osgap.image.files import Image

COMMAND = "osgap engine rvsim --optimise"
SHARE = "four fifths"
"""CPU time of a point with an optimised build, of the wheel's: docs/development/costs.md."""
_STEPS = 6
# As maturin builds the wheel: rvsim's pyproject.toml. Its rust-version is newer than it needs.
_BUILD = ("build", "--release", "--locked", "--ignore-rust-version")
_CRATE = ("--package", "rvsim-bindings", "--features", "extension,commit-log")
_BUILT = "lib_core.so"


@dataclass(frozen=True)
class Pin:
    """A package's version, and its lines in requirements.lock with the digests of its files."""

    version: str
    lines: str


@dataclass(frozen=True)
class Workshop:
    """The tools, the image and the cache of a build, and its temporary directory."""

    tools: RustTools
    image: Path
    cache: Path
    scratch: Path
    say: Progress

    def step(self, number: int, action: str) -> None:
        """Says which step begins."""
        self.say(f"{PACKAGE}: step {number} of {_STEPS}: {action}")


def advice(build: Build | None) -> str:
    """Returns one sentence on how rvsim would be quicker on this host; "" if it is not known."""
    gains = []
    if build is None:
        gains.append(f"about {SHARE} of its time after `{COMMAND}`")
    if host_allocator.find() is None:
        gains.append(f"about a tenth less with the package {host_allocator.PACKAGE}")
    return f"a point takes {', and '.join(gains)}; its numbers stay the same" if gains else ""


def optimise(image: Image, cache: Path, say: Progress) -> str:
    """Makes the build for this host unless it is in the cache; returns a sentence.

    Raises EngineError for what is missing or has failed, and OSError.
    """
    pin = pinned(inputs.read_text(project_root() / "requirements.lock"))
    if (installed := rvsim_builds.installed_version()) != pin.version:
        raise EngineError(
            f"{PACKAGE}: found version {installed}; allowed: {pin.version}, as in requirements.lock"
        )
    tools, processor = rust_tools(), rvsim_builds.host_processor()
    key = content_key(pin.version, pin.lines, tools.rustc_version, processor)
    target = rvsim_builds.folder(cache) / f"{PACKAGE}-{key}"

    def make(pending: Path) -> None:
        with durable.scratch(PACKAGE, target.parent) as scratch:
            workshop = Workshop(tools, image.directory, cache, scratch, say)
            workshop.step(1, f"downloading the source of {pin.version}")
            source = _fetch(workshop, pin)
            shutil.copyfile(_library(workshop, source), pending / LIBRARY)
            build = Build(
                version=pin.version,
                source_sha256=durable.sha256(source),
                rustc=tools.rustc_version,
                processor=processor,
                built=time.time(),
            )
        (pending / RECORD).write_text(build.model_dump_json(indent=1) + "\n", encoding="utf-8")

    checkpoints.ensure(target, make, say, f"building {PACKAGE} {pin.version} for this processor")
    rvsim_builds.remove(cache, keep=target)
    return f"{PACKAGE} {pin.version}, optimised by {tools.rustc_version}: {target}"


def pinned(lock: str) -> Pin:
    """Returns the pin of rvsim in the text of requirements.lock. Raises EngineError without."""
    lines = lock.splitlines()
    for number, line in enumerate(lines):
        if line.startswith(f"{PACKAGE}=="):
            rest = [row for row in lines[number + 1 :] if row.strip()]
            count = next((n for n, row in enumerate(rest) if "--hash" not in row), len(rest))
            version = line.removeprefix(f"{PACKAGE}==").split()[0]
            return Pin(version, "\n".join([line, *rest[:count]]) + "\n")
    raise EngineError(f"requirements.lock: has no {PACKAGE}; allowed: a line {PACKAGE}==VERSION")


def _fetch(workshop: Workshop, pin: Pin) -> Path:
    """Downloads the package's source by pip, which checks its digest; returns the archive."""
    lock, folder = workshop.scratch / "source.lock", workshop.scratch / "download"
    lock.write_text(pin.lines, encoding="utf-8")
    pip = (sys.executable, "-P", "-m", "pip", "download", "--disable-pip-version-check")
    only = ("--no-deps", "--require-hashes", "--no-binary", PACKAGE)
    run_step([*pip, "--quiet", *only, "--requirement", lock, "--dest", folder], workshop.scratch)
    archives = sorted(folder.glob("*.tar.gz"))
    if len(archives) != 1:
        raise EngineError(f"pip: found {len(archives)} sources of {PACKAGE}; allowed: one")
    return archives[0]


def _library(workshop: Workshop, source: Path) -> Path:
    """Builds twice, with the training run between; returns the library that was compared."""
    tree, profiles = _unpack(source, workshop.scratch / "source"), workshop.scratch / "profiles"
    merged = workshop.scratch / "merged.profdata"
    workshop.step(2, "the wheel's results of the training run")
    expected = _run(workshop, WHEEL)
    workshop.step(3, "compiling with counters, which takes minutes")
    counting = _compile(workshop, tree, "counting", f"-Cprofile-generate={profiles}")
    workshop.step(4, "the training run")
    _run(workshop, counting)
    counted = sorted(profiles.glob("*.profraw"))
    run_step([workshop.tools.profdata, "merge", "--output", merged, *counted])
    workshop.step(5, "compiling by the profile, which takes minutes")
    library = _compile(workshop, tree, "optimised", f"-Cprofile-use={merged}")
    workshop.step(6, "comparing its results with the wheel's")
    check(expected, _run(workshop, library))
    return library


def _unpack(source: Path, folder: Path) -> Path:
    """Unpacks the archive; returns the directory that it holds. Raises EngineError."""
    try:
        with tarfile.open(source) as archive:
            archive.extractall(folder, filter="data")
    except (tarfile.TarError, EOFError) as error:
        raise EngineError(f"{source.name}: cannot be unpacked: {error}") from None
    return next(path.parent for path in sorted(folder.glob("*/Cargo.toml")))


def _compile(workshop: Workshop, tree: Path, name: str, flag: str) -> Path:
    """Compiles the source for this processor; returns the library."""
    tools, folder = workshop.tools, workshop.scratch / name
    flags = ("-Ctarget-cpu=native", flag)
    variables = {
        "CARGO_TARGET_DIR": str(folder),
        # Blanks in a path would part RUSTFLAGS. With --target they are not of build scripts.
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags),
        "PYO3_PYTHON": sys.executable,
    }
    command = [tools.cargo, *_BUILD, *_CRATE, "--target", tools.target]
    run_step(command, tree, variables, workshop.say)
    return folder / tools.target / "release" / _BUILT


def _run(workshop: Workshop, library: Path | str) -> Mapping[str, Any]:
    """Runs the training point with a library; returns the digests of its results."""
    scratch = workshop.scratch / "point"
    scratch.mkdir()
    command = osgap_command("osgap.engines.rvsim_training")
    printed = run_step(
        [*command, workshop.image, workshop.cache, scratch, library],
        scratch,
        host_allocator.preload(),
    )
    shutil.rmtree(scratch)
    digests: Mapping[str, Any] = json.loads(printed.splitlines()[-1])["digests"]
    return digests


def check(expected: Mapping[str, str], results: Mapping[str, str]) -> None:
    """Raises EngineError if a build's results are not the wheel's."""
    different = [name for name, digest in expected.items() if results.get(name) != digest]
    if different:
        raise EngineError(
            f"{PACKAGE}: the optimised build gave another {different[0]} than the wheel, so it is "
            "not used; please report the processor and rustc's version"
        )
