# SPDX-License-Identifier: BSD-3-Clause
"""Kills commands outright while they boot a guest or write reports, and sees what that cost."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from osgap.base import durable, processes
from osgap.bench.faults import Command, FaultError, finish, results
from osgap.engines import checkpoints

_POLL_S = 0.01
_CACHE = "OSGAP_CACHE"


@dataclass(frozen=True)
class Cut:
    """One kill, after how many seconds, and what came of it.

    `torn` files had their own names then, but neither their old nor their new content, or were
    gone; `left` were still there of the killed command when it had been repeated; `same` says
    whether then all files are those of a command that was left alone.
    """

    after_s: float
    torn: int
    left: int
    same: bool


def report_cuts(command: Command, directory: Path, rounds: int) -> Iterator[Cut]:
    """Kills `command(run)` `rounds` times, each on a fresh copy of `directory`/run.

    The moment is random from its start to its end. Raises FaultError when it fails by itself.
    """
    run, draw = directory / "run", random.Random(rounds)
    before = durable.digests(run)
    whole = _copy(run, directory / "undisturbed")
    began = time.monotonic()
    finish(command(whole))
    longest = time.monotonic() - began
    wanted = durable.digests(whole)
    for _ in range(rounds):
        again = _copy(run, directory / "again")
        after_s = draw.uniform(0, longest)
        _cut(command(again), after_s)
        torn = _torn(durable.digests(again), before, wanted)
        finish(command(again))
        found = durable.digests(again)
        yield Cut(after_s, torn, len(_partial(again)), found == wanted)


def boot_cuts(command: Command, directory: Path, rounds: int) -> Iterator[Cut]:
    """Kills the sweep `command(run)` `rounds` times while its guest boots, then lets it finish.

    The cache is one of its own, empty at first. Raises FaultError when it fails by itself.
    """
    draw = random.Random(rounds)
    whole, run, cache, other = (directory / name for name in ("whole", "again", "cache", "other"))
    boot_s = _boot_s(command(whole), other)
    cut: list[tuple[float, int]] = []
    while len(cut) < rounds:
        after_s = draw.uniform(0, boot_s)
        _cut(command(run), after_s, {_CACHE: str(cache)}, lambda: _booting(cache))
        made = _made(cache)
        torn = sum(bool(checkpoints.damage(one)) for one in made)
        if torn or not made:
            cut.append((after_s, torn))
        for one in made:  # The kill came after the boot, which is to be hit.
            shutil.rmtree(one)
    finish(command(run), {_CACHE: str(cache)})
    same = results(run) == results(whole) != {}
    same &= {one.name for one in _made(cache)} == {one.name for one in _made(other)}
    left = len(_partial(cache)) + len(_partial(run))
    yield from (Cut(after_s, torn, left, same) for after_s, torn in cut)


def _boot_s(command: Sequence[str], cache: Path) -> float:
    """Runs a sweep with an empty cache; how long its guest booted."""
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, env=processes.environment({_CACHE: str(cache)})
    ) as process:
        while process.poll() is None and not (_booting(cache) or _made(cache)):
            time.sleep(_POLL_S)
        began = time.monotonic()
        while process.poll() is None and not _made(cache):
            time.sleep(_POLL_S)
        spent = time.monotonic() - began
    if process.returncode:
        raise FaultError(f"the sweep failed by itself, with status {process.returncode}")
    return spent


def _copy(source: Path, target: Path) -> Path:
    shutil.rmtree(target, ignore_errors=True)
    return Path(shutil.copytree(source, target))


def _cut(
    command: Sequence[str],
    after_s: float,
    own: Mapping[str, str] | None = None,
    ready: Callable[[], bool] = lambda: True,
) -> None:
    """Starts a command and kills it `after_s` after it was `ready`, if it has not ended."""
    with subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=processes.environment(own),
    ) as process:
        while process.poll() is None and not ready():
            time.sleep(_POLL_S)
        moment = time.monotonic() + after_s
        while process.poll() is None and time.monotonic() < moment:
            time.sleep(_POLL_S)
        process.kill()


def _torn(found: Mapping[str, str], before: Mapping[str, str], wanted: Mapping[str, str]) -> int:
    new = [
        name
        for name, digest in found.items()
        if not _is_partial(Path(name)) and digest not in (before.get(name), wanted.get(name))
    ]
    return len(new) + len(before.keys() - found.keys())


def _is_partial(path: Path) -> bool:
    return any(part.endswith(durable.PARTIAL) for part in path.parts)


def _partial(directory: Path) -> list[Path]:
    return list(directory.rglob("*" + durable.PARTIAL))


def _booting(cache: Path) -> bool:
    return any((cache / "checkpoints").glob(".*" + durable.PARTIAL))


def _made(cache: Path) -> list[Path]:
    return [one for one in (cache / "checkpoints").glob("[!.]*") if one.is_dir()]
