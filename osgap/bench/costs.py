# SPDX-License-Identifier: BSD-3-Clause
"""What osgap costs its user: time, memory and scaling, measured on this host."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from osgap.base import durable
from osgap.base.errors import OsgapError
from osgap.base.paths import cache_directory, project_root
from osgap.base.processes import environment, own_command
from osgap.base.progress import say
from osgap.bench.cuts import Cut, boot_cuts, report_cuts
from osgap.bench.faults import VICTIMS, finish, kill_rounds
from osgap.engines.rvsim import Rvsim
from osgap.image.files import load_image
from osgap.machines.machine import load_machine
from osgap.machines.system import system

# Points alike in cost: one clock, several perturbed starts.
_POINTS = ("--cpu-mhz", "160", "--seeds", "1,2,3,4", "--fs", "unix")
_KILLED = (
    *("--cpu-mhz", "80,160,320", "--memory", "fixed,scaled", "--jobs", "2"),
    *("--run", "ousterhout/getpid,ousterhout/cswitch"),
)
_SWEEP = (*own_command("osgap"), "sweep")
_BOOTED = ("--cpu-mhz", "160", "--run", "ousterhout/getpid")
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
    with durable.scratch("osgap-bench") as directory:
        one = _sweep(directory / "one", 1)
        two = _sweep(directory / "two", 2)
        alone = _records(directory / "one")
        every = [*alone, *_records(directory / "two")]
    outside = max(1 - r["simulator_s"] / r["total_s"] for r in every)
    books = 1 - sum(r["simulator_s"] for r in alone) / one
    yield Row("throughput of two workers against one", f"{one / two:.2f} x", "1.85 x or more")
    yield Row("a point's cost outside the simulator (worst)", f"{outside:.1%}", "under 5 %")
    yield Row(
        f"bookkeeping: part of a sweep's time outside its {len(alone)} simulations (one worker)",
        f"{books:.1%}",
        "under 2 %",
    )
    peak = max(r["peak_mib"] for r in every)
    yield Row("memory of a point (peak)", f"{peak:.0f} MiB", "under 1 GiB")


def kills(rounds: int, engine: str) -> Iterator[Row]:
    """`rounds` sweeps of `engine` with one process killed outright, beside one left alone."""

    def command(run: Path) -> list[str]:
        return [*_SWEEP, "--engine", engine, "--output", str(run), *_KILLED]

    with durable.scratch("osgap-bench") as directory:
        done = list(kill_rounds(command, directory, rounds, seed=rounds))
    for victim in VICTIMS:
        own = [r for r in done if r.victim == victim]
        same = sum(r.same and not r.left for r in own)
        lost = sum(r.lost for r in own)
        yield Row(
            f"{engine}: the {victim} killed, {len(own)} rounds",
            f"{same} survived, {lost} of {sum(r.before for r in own)} finished points lost",
            "all, none",
        )


def boots(rounds: int, engine: str) -> Iterator[Row]:
    """One sweep of `engine`, killed `rounds` times while the guest boots, beside one left alone."""

    def command(run: Path) -> list[str]:
        return [*_SWEEP, "--engine", engine, "--output", str(run), *_BOOTED]

    with durable.scratch("osgap-bench") as directory:
        yield _cut_row(f"{engine}: killed in its boot", boot_cuts(command, directory, rounds))


def reports(rounds: int) -> Iterator[Row]:
    """analyze and plot of a run of the engine `fake`, each killed `rounds` times."""
    with durable.scratch("osgap-bench") as directory:
        _timed([*_SWEEP, "--engine", "fake", "--output", str(directory / "run"), *_KILLED])
        for name in ("analyze", "plot"):
            command = [*own_command("osgap"), name]
            cuts = report_cuts(lambda run: [*command, str(run)], directory, rounds)  # noqa: B023
            yield _cut_row(f"{name} killed", cuts)
            finish([*command, str(directory / "run")])


def _cut_row(what: str, cuts: Iterator[Cut]) -> Row:
    done = list(cuts)
    whole = sum(cut.same for cut in done)
    torn = sum(cut.torn for cut in done)
    measured = f"{whole} survived, {torn} files torn or lost"
    return Row(f"{what}, {len(done)} rounds", measured, "all, none")


def study(kind: str) -> Iterator[Row]:
    """`scripts/study` from a fresh clone with a cold cache, and its stages.

    `kind` is quick or default.
    """
    arguments = ["--quick"] if kind == "quick" else []
    limit = {"quick": "under 9 min", "default": "under 30 min"}[kind]
    name = " ".join(["scripts/study", *arguments])
    with _clone() as (clone, own):
        spent, said = _timed(["bash", str(clone / "scripts" / "study"), *arguments], own)
    yield Row(f"`{name}`, fresh clone, cold cache", f"{spent / 60:.1f} min", limit)
    for stage, seconds in stage_seconds(said, spent):
        yield Row(f"of it: {stage}", f"{seconds:.0f} s", "")


def tests(level: str) -> Iterator[Row]:
    """`scripts/test` from a fresh clone with a cold cache, then again; `level` as in LEVELS."""
    option, cold_limit, warm_limit = _TESTS[level]
    arguments = [option] if option else []
    name = " ".join(["scripts/test", *arguments])
    with _clone() as (clone, own):
        command = ["bash", str(clone / "scripts" / "test"), *arguments]
        for which, limit in (("cold", cold_limit), ("warm", warm_limit)):
            spent, _ = _timed(command, own)
            yield Row(f"`{name}`, {which} cache", f"{spent / 60:.1f} min", limit)


def stage_seconds(said: str, spent: float) -> list[tuple[str, float]]:
    """Stages that osgap.base.progress.say told, and their seconds; `spent` is those of all."""
    found = re.findall(r"^(\d\d):(\d\d):(\d\d) (.*)$", said, re.MULTILINE)
    begun = [(int(h) * 3600 + int(m) * 60 + int(s), text) for h, m, s, text in found]
    if not begun:
        return []
    ends = [at for at, _ in begun[1:]] + [begun[0][0] + spent]
    return [(text, (end - at) % 86400) for (at, text), end in zip(begun, ends, strict=True)]


@contextmanager
def _clone() -> Iterator[tuple[Path, Mapping[str, str]]]:
    """A fresh clone of this checkout's commit, and the variable that gives it an empty cache."""
    with durable.scratch("osgap-bench") as directory:
        clone = directory / "osgap"
        _timed(["git", "clone", "-q", str(project_root()), str(clone)])
        yield clone, {"OSGAP_CACHE": str(directory / "cache")}


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
    options = ["--jobs", str(jobs), "--output", str(run), *_POINTS, *_WORK]
    return _timed([*_SWEEP, *options])[0]


def _records(run: Path) -> list[dict[str, float]]:
    return [json.loads(path.read_text("utf-8")) for path in (run / "records").glob("*.json")]


def _timed(command: list[str], own: Mapping[str, str] | None = None) -> tuple[float, str]:
    """Seconds that a command took with `own` variables, and its standard error."""
    say(f"Running {shlex.join(command)}")
    began = time.monotonic()
    result = subprocess.run(command, env=environment(own), capture_output=True, text=True)
    if result.returncode:
        said = (result.stderr.strip() or result.stdout.strip()).splitlines() or ["no message"]
        raise BenchError(f"{command[0]} ended with status {result.returncode}: {said[-1]}")
    return time.monotonic() - began, result.stderr
