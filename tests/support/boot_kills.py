# SPDX-License-Identifier: BSD-3-Clause
"""Kills commands while they boot a guest or write reports, and counts damaged files."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kills import Command, CommandFailedError, finish, results

from osgap.base import durable, processes
from osgap.base.paths import cache_directory
from osgap.engines import checkpoints

_POLL_S = 0.01
_CACHE = "OSGAP_CACHE"


@dataclass(frozen=True)
class FileKill:
    """One command killed after `after_s` seconds, and the consequences for its files.

    `torn` files were gone or had neither their old nor their new content; `left` partial files
    outlived the command's repetition; `same` says whether all files then equal those of an
    undisturbed command.
    """

    after_s: float
    torn: int
    left: int
    same: bool


def report_kills(command: Command, directory: Path, rounds: int) -> Iterator[FileKill]:
    """Kills `command(run)` `rounds` times, each on a fresh copy of `directory`/run.

    The moment is random from start to end. Raises CommandFailedError when the command itself fails.
    """
    run, draw = directory / "run", random.Random(rounds)
    before = durable.digests(run)
    undisturbed = _copy(run, directory / "undisturbed")
    began = time.monotonic()
    finish(command(undisturbed))
    longest = time.monotonic() - began
    expected = durable.digests(undisturbed)
    for _ in range(rounds):
        again = _copy(run, directory / "again")
        after_s = draw.uniform(0, longest)
        _kill(command(again), after_s)
        torn = _torn(durable.digests(again), before, expected)
        finish(command(again))
        same = durable.digests(again) == expected
        yield FileKill(after_s, torn, len(_partial(again)), same)


def boot_kills(
    command: Command, directory: Path, rounds: int, within_s: float | None = None
) -> Iterator[FileKill]:
    """Kills the sweep `command(run)` `rounds` times while its guest boots, then lets it finish.

    The sweep has a new, empty cache. The moments are random in a boot, which is timed on another
    empty cache; with `within_s` in its first seconds, and the undisturbed sweep may find the guest
    booted. Raises CommandFailedError when the sweep itself fails.
    """
    draw = random.Random(rounds)
    undisturbed, undisturbed_cache = directory / "undisturbed", directory / "undisturbed-cache"
    run, cache = directory / "again", directory / "cache"
    if within_s is None:
        within_s = _boot_s(command(undisturbed), undisturbed_cache)
    else:
        undisturbed_cache = cache_directory()
        finish(command(undisturbed))
    kills: list[tuple[float, int]] = []
    while len(kills) < rounds:
        after_s = draw.uniform(0, within_s)
        _kill(command(run), after_s, {_CACHE: str(cache)}, lambda: _booting(cache))
        booted = _checkpoints(cache)
        torn = sum(bool(checkpoints.damage(checkpoint)) for checkpoint in booted)
        if torn or not booted:
            kills.append((after_s, torn))
        for checkpoint in booted:  # The kill came after the boot, which is to be hit.
            shutil.rmtree(checkpoint)
    finish(command(run), {_CACHE: str(cache)})
    same = results(run) == results(undisturbed) != {}
    same &= set() < _checkpoint_names(cache) <= _checkpoint_names(undisturbed_cache)
    left = len(_partial(cache)) + len(_partial(run))
    yield from (FileKill(after_s, torn, left, same) for after_s, torn in kills)


def _boot_s(command: Sequence[str], cache: Path) -> float:
    """Seconds that the guest of a sweep with an empty cache boots."""
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, env=processes.environment({_CACHE: str(cache)})
    ) as process:
        while process.poll() is None and not (_booting(cache) or _checkpoints(cache)):
            time.sleep(_POLL_S)
        began = time.monotonic()
        while process.poll() is None and not _checkpoints(cache):
            time.sleep(_POLL_S)
        spent = time.monotonic() - began
    if process.returncode:
        raise CommandFailedError(f"the sweep failed by itself, with status {process.returncode}")
    return spent


def _copy(source: Path, target: Path) -> Path:
    shutil.rmtree(target, ignore_errors=True)
    return Path(shutil.copytree(source, target))


def _kill(
    command: Sequence[str],
    after_s: float,
    variables: Mapping[str, str] | None = None,
    ready: Callable[[], bool] = lambda: True,
) -> None:
    """Starts a command and kills it `after_s` after it was `ready`, unless it has ended."""
    with subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=processes.environment(variables),
    ) as process:
        while process.poll() is None and not ready():
            time.sleep(_POLL_S)
        moment = time.monotonic() + after_s
        while process.poll() is None and time.monotonic() < moment:
            time.sleep(_POLL_S)
        process.kill()


def _torn(after: Mapping[str, str], before: Mapping[str, str], expected: Mapping[str, str]) -> int:
    damaged = [
        name
        for name, digest in after.items()
        if not _is_partial(Path(name)) and digest not in (before.get(name), expected.get(name))
    ]
    return len(damaged) + len(before.keys() - after.keys())


def _is_partial(path: Path) -> bool:
    return any(part.endswith(durable.PARTIAL) for part in path.parts)


def _partial(directory: Path) -> list[Path]:
    return list(directory.rglob("*" + durable.PARTIAL))


def _booting(cache: Path) -> bool:
    return any((cache / "checkpoints").glob(".*" + durable.PARTIAL))


def _checkpoints(cache: Path) -> list[Path]:
    return [path for path in (cache / "checkpoints").glob("[!.]*") if path.is_dir()]


def _checkpoint_names(cache: Path) -> set[str]:
    return {path.name for path in _checkpoints(cache)}
