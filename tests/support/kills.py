# SPDX-License-Identifier: BSD-3-Clause
"""Kills processes of a running sweep at random moments, and counts what was lost."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from osgap.base import durable, processes
from osgap.base.errors import OsgapError

SNAKEMAKE = "osgap.sweep.local_snakemake"
VICTIMS = ("sweep", "snakemake", "worker", "simulator")
_POLL_S = 0.01
_GONE_S = 30.0
Command = Callable[[Path], Sequence[str]]


class CommandFailedError(OsgapError):
    """A command that nobody killed failed."""


@dataclass(frozen=True)
class SweepKill:
    """One process killed in a sweep after `after_s` seconds, and the consequences.

    `finished` points had results when the sweep ended; `lost` of their files had other bytes
    afterwards; `left` processes outlived the sweep; `same` says whether the run, finished by
    repeating its command, equals the undisturbed one byte for byte.
    """

    victim: str
    after_s: float
    finished: int
    lost: int
    left: int
    same: bool


def sweep_kills(command: Command, directory: Path, rounds: int, seed: int) -> Iterator[SweepKill]:
    """Runs the sweep `command(run)` undisturbed, then `rounds` times with a kill in it.

    Victims take turns; the moment is random from the first simulator's start on. Raises
    CommandFailedError when an undisturbed or repeated sweep fails.
    """
    draw = random.Random(seed)
    undisturbed = subprocess.Popen(
        command(directory / "undisturbed"),
        stdout=subprocess.DEVNULL,
        env=processes.environment(),
    )
    _wait_for(undisturbed, "simulator")
    began = time.monotonic()
    if status := undisturbed.wait():
        raise CommandFailedError(f"the sweep failed by itself, with status {status}")
    longest = time.monotonic() - began
    expected = results(directory / "undisturbed")
    for number in range(rounds):
        victim = VICTIMS[number % len(VICTIMS)]
        kill = None
        while kill is None:
            run = directory / f"round-{number}"
            shutil.rmtree(run, ignore_errors=True)
            kill = _sweep_kill(command, run, victim, draw.uniform(0, longest), expected)
        yield kill


def results(run: Path) -> dict[str, str]:
    """Digests of the files of a run's finished points."""
    points = [path.parent for path in (run / "points").glob("[!.]*/done.json")]
    return {
        f"{point.name}/{name}": digest
        for point in points
        for name, digest in durable.digests(point).items()
    }


def _sweep_kill(
    command: Command, run: Path, victim: str, after_s: float, expected: dict[str, str]
) -> SweepKill | None:
    """Kills one process of a sweep; None when the sweep ended before the moment came."""
    killed = False
    with subprocess.Popen(
        command(run),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=processes.environment(),
    ) as sweep:
        _wait_for(sweep, "simulator")
        moment = time.monotonic() + after_s
        while time.monotonic() < moment and sweep.poll() is None:
            time.sleep(_POLL_S)
        targets = _wait_for(sweep, victim)
        family = {process: processes.start_time(process) for process in processes.tree(sweep.pid)}
        if targets:
            killed = _kill(targets[0])
        sweep.wait()
    if not killed:
        return None
    left = _still_there(family)
    before = results(run)
    finish(command(run))
    after = results(run)
    lost = sum(after.get(name) != digest for name, digest in before.items())
    points = len({name.partition("/")[0] for name in before})
    return SweepKill(victim, after_s, points, lost, left, after == expected)


def finish(command: Sequence[str], variables: Mapping[str, str] | None = None) -> None:
    """Runs a command to its end. Raises CommandFailedError when it fails."""
    environment = processes.environment(variables)
    ended = subprocess.run(command, capture_output=True, text=True, env=environment)
    if ended.returncode:
        raise CommandFailedError(f"{command[0]} failed by itself: {ended.stderr.strip()[-500:]}")


def _wait_for(sweep: subprocess.Popen[bytes], victim: str) -> list[psutil.Process] | None:
    """Waits for processes of the kind `victim`; None when the sweep has ended."""
    while sweep.poll() is None:
        if victims := _victims(sweep.pid, victim):
            return victims
        time.sleep(_POLL_S)
    return None


def _victims(sweep: int, victim: str) -> list[psutil.Process]:
    family = _family(sweep)
    if victim == "sweep":
        return [psutil.Process(sweep)]
    if victim == "snakemake":
        return [p for p in family if SNAKEMAKE in processes.command_line(p.pid)]
    workers = [p for p in family if _is_worker(p) and not _is_worker(_parent(p))]
    if victim == "worker":
        return workers
    return [leaf for worker in workers for leaf in _family(worker.pid) if not _family(leaf.pid)]


def _is_worker(process: psutil.Process | None) -> bool:
    return process is not None and "osgap.points" in processes.command_line(process.pid)


def _parent(process: psutil.Process) -> psutil.Process | None:
    try:
        return process.parent()
    except psutil.Error:
        return None


def _family(process: int) -> list[psutil.Process]:
    try:
        return list(psutil.Process(process).children(recursive=True))
    except psutil.Error:
        return []


def _kill(process: psutil.Process) -> bool:
    try:
        process.kill()
    except psutil.Error:
        return False
    return True


def _still_there(family: Mapping[int, str]) -> int:
    """Counts members of `family` (process -> start) that outlive the sweep by over _GONE_S."""

    def alive() -> int:
        return sum(
            processes.start_time(process) == start != "" for process, start in family.items()
        )

    deadline = time.monotonic() + _GONE_S
    while alive() and time.monotonic() < deadline:
        time.sleep(_POLL_S * 10)
    return alive()
