# SPDX-License-Identifier: BSD-3-Clause
"""What osgap costs its user: time, memory and scaling, measured on this host."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from osgap.engines.base import load_image
from osgap.engines.rvsim import Rvsim
from osgap.errors import OsgapError
from osgap.faults import VICTIMS, kill_rounds
from osgap.machine import load_machine, system
from osgap.paths import cache_directory, project_root

# Points alike in cost: one clock, several perturbed starts.
_POINTS = ("--cpu-mhz", "160", "--seeds", "1,2,3,4", "--fs", "unix")
_KILLED = (
    *("--cpu-mhz", "80,160,320", "--memory", "fixed,scaled", "--jobs", "2"),
    *("--run", "ousterhout/getpid,ousterhout/cswitch"),
)
_WORK = ("--run", "checks,ousterhout")


class BenchError(OsgapError):
    """A measured command failed."""


@dataclass(frozen=True)
class Row:
    """One line of the table; `limit` is what the project promises."""

    what: str
    measured: str
    limit: str


def points() -> Iterator[Row]:
    """Ready, scaling over workers, cost outside the simulator, and memory of points."""
    yield _ready()
    with tempfile.TemporaryDirectory(prefix="osgap-bench-") as directory:
        one = _sweep(Path(directory) / "one", 1)
        two = _sweep(Path(directory) / "two", 2)
        alone = _records(Path(directory) / "one")
        every = [*alone, *_records(Path(directory) / "two")]
    outside = max(1 - r["simulator_s"] / r["total_s"] for r in every)
    books = 1 - sum(r["simulator_s"] for r in alone) / one
    yield Row("throughput of two workers against one", f"{one / two:.2f} x", "1.85 x or more")
    yield Row("a point's cost outside the simulator (worst)", f"{outside:.1%}", "under 5 %")
    yield Row(
        f"bookkeeping: part of a sweep's time outside its {len(alone)} simulations (one worker)",
        f"{books:.1%}", "under 2 %",
    )  # fmt: skip
    peak = max(r["peak_mib"] for r in every)
    yield Row("memory of a point (peak)", f"{peak:.0f} MiB", "under 1 GiB")


def kills(rounds: int, engine: str) -> Iterator[Row]:
    """`rounds` sweeps of `engine` with one process killed outright, beside one left alone."""
    script = str(project_root() / "scripts" / "sweep.py")

    def command(run: Path) -> list[str]:
        axes = ("--engine", engine, "--output", str(run), *_KILLED)
        return [sys.executable, script, *axes]

    with tempfile.TemporaryDirectory(prefix="osgap-bench-") as directory:
        done = list(kill_rounds(command, Path(directory), rounds, seed=rounds))
    for victim in VICTIMS:
        own = [r for r in done if r.victim == victim]
        same = sum(r.same and not r.left for r in own)
        lost = sum(r.lost for r in own)
        yield Row(
            f"{engine}: the {victim} killed, {len(own)} rounds",
            f"{same} survived, {lost} of {sum(r.before for r in own)} finished points lost",
            "all, none",
        )


def study(kind: str) -> Iterator[Row]:
    """`scripts/study` from a fresh clone with a cold cache; `kind` is quick or default."""
    arguments = ["--quick"] if kind == "quick" else []
    limit = {"quick": "under 12 min", "default": "under 30 min"}[kind]
    with tempfile.TemporaryDirectory(prefix="osgap-bench-") as directory:
        clone = Path(directory) / "osgap"
        _run(["git", "clone", "-q", str(project_root()), str(clone)], os.environ)
        environment = {**os.environ, "OSGAP_CACHE": str(Path(directory) / "cache")}
        spent = _run(["bash", str(clone / "scripts" / "study"), *arguments], environment)
    name = " ".join(["scripts/study", *arguments])
    yield Row(f"`{name}`, fresh clone, cold cache", f"{spent / 60:.1f} min", limit)


def markdown(rows: Iterator[Row]) -> Iterator[str]:
    """The rows as lines of a Markdown table."""
    yield "| what | measured | promised |"
    yield "|---|---|---|"
    for row in rows:
        yield f"| {row.what} | {row.measured} | {row.limit} |"


def _ready() -> Row:
    root = project_root()
    image = load_image(root / "build" / "image")
    base = system(load_machine(root / "configs" / "machines" / "base.toml"))
    engine, cache = Rvsim(), cache_directory()
    engine.prepare(image, base, cache, lambda text: None)
    _, ready = engine.ready_instructions(image, base, cache)
    return Row("instructions from kernel to ready", f"{ready / 1e6:.1f} M", "under 25 M")


def _sweep(run: Path, jobs: int) -> float:
    script = str(project_root() / "scripts" / "sweep.py")
    options = ["--jobs", str(jobs), "--output", str(run), *_POINTS, *_WORK]
    return _run([sys.executable, script, *options], os.environ)


def _records(run: Path) -> list[dict[str, float]]:
    return [json.loads(path.read_text("utf-8")) for path in (run / "records").glob("*.json")]


def _run(command: list[str], environment: os._Environ[str] | dict[str, str]) -> float:
    began = time.monotonic()
    result = subprocess.run(command, env=dict(environment), capture_output=True, text=True)
    if result.returncode:
        last = (result.stderr.strip().splitlines() or ["no message"])[-1]
        raise BenchError(f"{command[0]} ended with status {result.returncode}: {last}")
    return time.monotonic() - began
