# SPDX-License-Identifier: BSD-3-Clause
"""Measures osgap's costs on this host (time, memory, scaling, kills) for docs/development/costs.md.

Run from a checkout: `.venv/bin/python tools/costs.py --help`. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))

from boot_kills import FileKill, boot_kills, report_kills
from kills import VICTIMS, finish, sweep_kills

from osgap import engines
from osgap.base import durable, output
from osgap.base.errors import OsgapError
from osgap.base.paths import cache_directory, project_root
from osgap.base.processes import environment, osgap_command
from osgap.base.progress import say
from osgap.cli import guard
from osgap.cli.options import positive
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
_SWEEP = (*osgap_command("osgap"), "sweep")
_BOOTED = ("--cpu-mhz", "160", "--run", "ousterhout/getpid")
_WORK = ("--run", "checks,ousterhout")
# By level: the option, and the promised times with an empty cache and with a full one.
_TESTS = {
    "quick": ("--quick", "", "under 1 min"),
    "usual": ("", "under 12 min", "under 6 min"),
    "all": ("--all", "under 40 min", "under 30 min"),
}
LEVELS = tuple(_TESTS)


class CostsError(OsgapError):
    """A measured command failed."""


@dataclass(frozen=True)
class Row:
    """One line of the table: a cost, its measured value and the promised limit."""

    cost: str
    measured: str
    limit: str


def points() -> Iterator[Row]:
    """Costs of points: boot, scaling over workers, time outside the simulator, memory."""
    yield _ready()
    with durable.scratch("osgap-costs") as directory:
        one_worker_s = _sweep(directory / "one", 1)
        two_workers_s = _sweep(directory / "two", 2)
        alone = _records(directory / "one")
        records = [*alone, *_records(directory / "two")]
    outside = max(1 - r["simulator_s"] / r["total_s"] for r in records)
    bookkeeping = 1 - sum(r["simulator_s"] for r in alone) / one_worker_s
    speedup = one_worker_s / two_workers_s
    yield Row("throughput of two workers against one", f"{speedup:.2f} x", "1.85 x or more")
    yield Row("a point's cost outside the simulator (worst)", f"{outside:.1%}", "under 5 %")
    yield Row(
        f"bookkeeping: part of a sweep's time outside its {len(alone)} simulations (one worker)",
        f"{bookkeeping:.1%}",
        "under 2 %",
    )
    peak = max(r["peak_mib"] for r in records)
    yield Row("memory of a point (peak)", f"{peak:.0f} MiB", "under 1 GiB")


def kills(rounds: int, engine: str) -> Iterator[Row]:
    """Kills one process in each of `rounds` sweeps of `engine`, and compares the results."""

    def command(run: Path) -> list[str]:
        return [*_SWEEP, "--engine", engine, "--output", str(run), *_KILLED]

    with durable.scratch("osgap-costs") as directory:
        sweeps = list(sweep_kills(command, directory, rounds, seed=rounds))
    for victim in VICTIMS:
        hit = [kill for kill in sweeps if kill.victim == victim]
        same = sum(kill.same and not kill.left for kill in hit)
        lost = sum(kill.lost for kill in hit)
        finished = sum(kill.finished for kill in hit)
        yield Row(
            f"{engine}: the {victim} killed, {len(hit)} rounds",
            f"{same} survived, {lost} of {finished} finished points lost",
            "all, none",
        )


def boots(rounds: int, engine: str) -> Iterator[Row]:
    """Kills a sweep of `engine` `rounds` times while its guest boots."""

    def command(run: Path) -> list[str]:
        return [*_SWEEP, "--engine", engine, "--output", str(run), *_BOOTED]

    with durable.scratch("osgap-costs") as directory:
        yield _kills_row(f"{engine}: killed in its boot", boot_kills(command, directory, rounds))


def reports(rounds: int) -> Iterator[Row]:
    """Kills `osgap analyze` and `osgap plot` of a fake run `rounds` times each."""
    with durable.scratch("osgap-costs") as directory:
        _timed([*_SWEEP, "--engine", "fake", "--output", str(directory / "run"), *_KILLED])
        for name in ("analyze", "plot"):
            command = [*osgap_command("osgap"), name]
            files = report_kills(lambda run: [*command, str(run)], directory, rounds)  # noqa: B023
            yield _kills_row(f"{name} killed", files)
            finish([*command, str(directory / "run")])


def _kills_row(title: str, files: Iterator[FileKill]) -> Row:
    kills = list(files)
    survived = sum(kill.same for kill in kills)
    torn = sum(kill.torn for kill in kills)
    measured = f"{survived} survived, {torn} files torn or lost"
    return Row(f"{title}, {len(kills)} rounds", measured, "all, none")


def study(kind: str) -> Iterator[Row]:
    """Times `scripts/study` and its stages from a fresh clone with a cold cache.

    `kind` is quick or default.
    """
    arguments = ["--quick"] if kind == "quick" else []
    limit = {"quick": "under 9 min", "default": "under 30 min"}[kind]
    name = " ".join(["scripts/study", *arguments])
    with _clone() as (clone, variables):
        spent, errors = _timed(["bash", str(clone / "scripts" / "study"), *arguments], variables)
    yield Row(f"`{name}`, fresh clone, cold cache", f"{spent / 60:.1f} min", limit)
    for stage, seconds in stage_seconds(errors, spent):
        yield Row(f"of it: {stage}", f"{seconds:.0f} s", "")


def tests(level: str) -> Iterator[Row]:
    """Times `scripts/test` from a fresh clone with a cold cache, then again; `level`: of LEVELS."""
    option, cold_limit, warm_limit = _TESTS[level]
    arguments = [option] if option else []
    name = " ".join(["scripts/test", *arguments])
    with _clone() as (clone, variables):
        command = ["bash", str(clone / "scripts" / "test"), *arguments]
        for state, limit in (("cold", cold_limit), ("warm", warm_limit)):
            spent, _ = _timed(command, variables)
            yield Row(f"`{name}`, {state} cache", f"{spent / 60:.1f} min", limit)


def stage_seconds(errors: str, spent: float) -> list[tuple[str, float]]:
    """Stages in the lines of osgap.base.progress.say, and their seconds; `spent`: all seconds."""
    lines = re.findall(r"^(\d\d):(\d\d):(\d\d) (.*)$", errors, re.MULTILINE)
    stages = [(int(h) * 3600 + int(m) * 60 + int(s), text) for h, m, s, text in lines]
    if not stages:
        return []
    ends = [start for start, _ in stages[1:]] + [stages[0][0] + spent]
    return [(text, (end - start) % 86400) for (start, text), end in zip(stages, ends, strict=True)]


@contextmanager
def _clone() -> Iterator[tuple[Path, Mapping[str, str]]]:
    """A fresh clone of this checkout's commit, and the variable for an empty cache."""
    with durable.scratch("osgap-costs") as directory:
        clone = directory / "osgap"
        _timed(["git", "clone", "-q", str(project_root()), str(clone)])
        yield clone, {"OSGAP_CACHE": str(directory / "cache")}


def markdown(rows: Iterator[Row]) -> Iterator[str]:
    """The rows as lines of a Markdown table."""
    yield "| cost | measured | promised |"
    yield "|---|---|---|"
    for row in rows:
        yield f"| {row.cost} | {row.measured} | {row.limit} |"


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


def _timed(command: list[str], variables: Mapping[str, str] | None = None) -> tuple[float, str]:
    """Seconds that a command took with these variables, and its standard error."""
    say(f"Running {shlex.join(command)}")
    began = time.monotonic()
    result = subprocess.run(command, env=environment(variables), capture_output=True, text=True)
    if result.returncode:
        lines = (result.stderr.strip() or result.stdout.strip()).splitlines() or ["no message"]
        raise CostsError(f"{command[0]} ended with status {result.returncode}: {lines[-1]}")
    return time.monotonic() - began, result.stderr


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure osgap's costs as a Markdown table.")
    add = parser.add_argument
    add("--study", choices=("quick", "default"), help="time scripts/study from a fresh clone")
    add("--tests", choices=LEVELS, help="time scripts/test from a fresh clone, twice")
    add("--kills", type=positive, metavar="N", help="kill one process in each of N sweeps")
    add("--boots", type=positive, metavar="N", help="kill a sweep N times while its guest boots")
    add("--reports", type=positive, metavar="N", help="kill analyze and plot, N times each")
    add("--engine", default="rvsim", help="for --kills and --boots (default: rvsim)")
    return parser


def rows(args: argparse.Namespace) -> Iterator[Row]:
    """The rows of one measurement. Raises OsgapError for an unknown engine."""
    engines.load(args.engine)
    if args.study:
        return study(args.study)
    if args.tests:
        return tests(args.tests)
    if args.kills:
        return kills(args.kills, args.engine)
    if args.boots:
        return boots(args.boots, args.engine)
    if args.reports:
        return reports(args.reports)
    return points()


def main() -> int:
    """Measures and prints row by row."""
    for line in markdown(rows(_options().parse_args())):
        output.print_line(line)
        output.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(guard.guarded("costs", main))
