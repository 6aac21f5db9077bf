# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps on the fake engine, as a user starts them."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from forks import osgap

from osgap.base.paths import project_root

SWEEP = project_root() / "scripts" / "sweep.py"


def command(run: Path, *arguments: str) -> list[str]:
    """A sweep into `run`, of the fake engine unless the arguments name another."""
    return [sys.executable, str(SWEEP), "--engine", "fake", "--output", str(run), *arguments]


def paused(
    directory: Path,
    pause_ms: int,
    clocks: str = "20, 40, 80, 160",
    machine: str | Sequence[str] = "base",
    memory: Sequence[str] = ("fixed", "scaled"),
) -> list[str]:
    """Options of a sweep whose points take `pause_ms` each: two a clock but one, by default."""
    path = directory / "paused.toml"
    path.write_text(
        f'description = "slow"\nmachine = {json.dumps(machine)}\nengine = "fake"\n'
        f"clock_mhz = [{clocks}]\nmemory = {json.dumps(memory)}\n"
        f"sets = {{ pause_ms = {pause_ms} }}\n"
    )
    return ["--sweep", str(path), "--jobs", "2"]


def sweep(run: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A sweep to its end, in a fork; with further variables in a process of its own."""
    words = command(run, *arguments)
    if environment:
        return _process(words, 600, environment)
    return osgap("sweep", *words[2:], timeout=600)


def finished(run: Path, *arguments: str) -> None:
    """As `sweep`, which has to succeed."""
    told = sweep(run, *arguments)
    assert told.returncode == 0, told.stderr


def tell(
    name: str, run: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """`osgap NAME RUN`: status, resume or retry; in a fork, as `sweep`."""
    if environment:
        return _process([sys.executable, str(SWEEP), name, str(run), *arguments], 120, environment)
    return osgap(name, str(run), *arguments)


def _process(
    words: list[str], timeout: float, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**os.environ, **environment},
    )


def status(run: Path) -> dict:
    told = tell("status", run, "--json")
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


def states(run: Path) -> dict[str, str]:
    """Point -> state."""
    return {point["key"]: point["state"] for point in status(run)["points"]}


def listening() -> None:
    """Signals as in a terminal, even where the tests themselves run under nohup."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def start(run: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(run, *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=listening,
    )


def wait_until(condition: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def done(run: Path) -> list[str]:
    """The finished points."""
    return [path.parent.name for path in (run / "points").glob("[!.]*/done.json")]


def nothing_half_done(run: Path) -> None:
    assert not list((run / "points").glob(".*")) and not list(run.rglob("*.partial"))


def running(run: Path) -> bool:
    busy = {record["key"] for record in records(run) if record["state"] == "running"}
    return bool(busy - set(done(run)))


def records(run: Path) -> list[dict]:
    return [json.loads(path.read_text()) for path in (run / "records").glob("*.json")]
