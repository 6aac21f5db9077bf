# SPDX-License-Identifier: BSD-3-Clause
"""What osgap costs its user: time, memory and scaling, measured on this host."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from osgap.engines.base import load_image
from osgap.engines.rvsim import Rvsim
from osgap.errors import OsgapError
from osgap.faults import VICTIMS, kill_rounds
from osgap.machine import load_machine, system
from osgap.paths import cache_directory, project_root
from osgap.stages import say

# Points alike in cost: one clock, several perturbed starts.
_POINTS = ("--cpu-mhz", "160", "--seeds", "1,2,3,4", "--fs", "unix")
_KILLED = (
    *("--cpu-mhz", "80,160,320", "--memory", "fixed,scaled", "--jobs", "2"),
    *("--run", "ousterhout/getpid,ousterhout/cswitch"),
)
_WORK = ("--run", "checks,ousterhout")
# By level: the option, and what is promised with an empty cache and with a full one.
_TESTS = {
    "quick": ("--quick", "", "under 1 min"),
    "usual": ("", "under 12 min", "under 6 min"),
    "all": ("--all", "under 40 min", "under 30 min"),
}
LEVELS = tuple(_TESTS)


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
    """`scripts/study` from a fresh clone with a cold cache, and its stages.

    `kind` is quick or default.
    """
    arguments = ["--quick"] if kind == "quick" else []
    limit = {"quick": "under 9 min", "default": "under 30 min"}[kind]
    name = " ".join(["scripts/study", *arguments])
    with _clone() as (clone, environment):
        spent, said = _timed(["bash", str(clone / "scripts" / "study"), *arguments], environment)
    yield Row(f"`{name}`, fresh clone, cold cache", f"{spent / 60:.1f} min", limit)
    for stage, seconds in stage_seconds(said, spent):
        yield Row(f"of it: {stage}", f"{seconds:.0f} s", "")


def tests(level: str) -> Iterator[Row]:
    """`scripts/test` from a fresh clone with a cold cache, then again; `level` as in LEVELS."""
    option, cold_limit, warm_limit = _TESTS[level]
    arguments = [option] if option else []
    name = " ".join(["scripts/test", *arguments])
    with _clone() as (clone, environment):
        command = ["bash", str(clone / "scripts" / "test"), *arguments]
        for which, limit in (("cold", cold_limit), ("warm", warm_limit)):
            spent, _ = _timed(command, environment)
            yield Row(f"`{name}`, {which} cache", f"{spent / 60:.1f} min", limit)


def stage_seconds(said: str, spent: float) -> list[tuple[str, float]]:
    """What osgap.stages.say printed, and the seconds to the next; `spent` is those of all."""
    found = re.findall(r"^(\d\d):(\d\d):(\d\d) (.*)$", said, re.MULTILINE)
    begun = [(int(h) * 3600 + int(m) * 60 + int(s), text) for h, m, s, text in found]
    if not begun:
        return []
    ends = [at for at, _ in begun[1:]] + [begun[0][0] + spent]
    return [(text, (end - at) % 86400) for (at, text), end in zip(begun, ends, strict=True)]


@contextmanager
def _clone() -> Iterator[tuple[Path, dict[str, str]]]:
    """A fresh clone of this checkout's commit, and an environment with an empty cache for it."""
    with tempfile.TemporaryDirectory(prefix="osgap-bench-") as directory:
        clone = Path(directory) / "osgap"
        _timed(["git", "clone", "-q", str(project_root()), str(clone)], dict(os.environ))
        yield clone, {**os.environ, "OSGAP_CACHE": str(Path(directory) / "cache")}


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
    return _timed([sys.executable, script, *options], dict(os.environ))[0]


def _records(run: Path) -> list[dict[str, float]]:
    return [json.loads(path.read_text("utf-8")) for path in (run / "records").glob("*.json")]


def _timed(command: list[str], environment: dict[str, str]) -> tuple[float, str]:
    """Seconds that a command took, and its standard error."""
    say(f"Running {shlex.join(command)}")
    began = time.monotonic()
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode:
        said = (result.stderr.strip() or result.stdout.strip()).splitlines() or ["no message"]
        raise BenchError(f"{command[0]} ended with status {result.returncode}: {said[-1]}")
    return time.monotonic() - began, result.stderr
