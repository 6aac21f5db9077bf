# SPDX-License-Identifier: BSD-3-Clause
"""Runs a planned sweep: Snakemake drives the points; shows progress and names failures."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from osgap.errors import OsgapError
from osgap.points.owner import VARIABLE as OWNER_VARIABLE
from osgap.points.owner import owner

_POLL_S = 0.5
_PACKAGE_ROOT = Path(__file__).resolve().parents[2]


class SweepError(OsgapError):
    """A sweep that did not finish; finished points are kept."""


@dataclass(frozen=True)
class Host:
    """What the sweep runs on: workers, and where the image and the cache are."""

    jobs: int
    image: Path
    cache: Path


def drive(run: Path, keys: Sequence[str], host: Host, console: Console) -> None:
    """Runs the unfinished points of `run`. Raises SweepError naming those that failed."""
    with _locked(run):
        todo = [key for key in keys if not _done(run, key)]
        if not todo:
            console.print(f"{run.name}: all {len(keys)} points were finished before")
            return
        for leftover in (run / "points").glob(".*.partial"):
            shutil.rmtree(leftover)
        status = _watch(run, keys, _start(run, host), console)
        failures = [failure for key in todo if (failure := _failure(run, key))]
        if failures or status:
            raise SweepError(_report(run, keys, failures))


def _done(run: Path, key: str) -> bool:
    return (run / "points" / key / "done.json").is_file()


@contextmanager
def _locked(run: Path) -> Iterator[None]:
    """Two sweeps on one run directory would run points twice."""
    with (run / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SweepError(f"{run}: another sweep is running on this directory") from None
        yield


def _start(run: Path, host: Host) -> subprocess.Popen[bytes]:
    arguments = [
        *(sys.executable, "-m", "snakemake"),
        *("--snakefile", str(Path(__file__).parent / "Snakefile")),
        *("--directory", str(run), "--cores", str(host.jobs)),
        *("--config", f"image={host.image}", f"cache={host.cache}"),
        *("--keep-going", "--nolock", "--rerun-incomplete", "--rerun-triggers", "mtime"),
    ]
    environment = {**os.environ, "PYTHONPATH": _python_path(), OWNER_VARIABLE: owner()}
    # Snakemake's own words go to a log: the points' failures are told from their records.
    (run / "logs").mkdir(exist_ok=True)
    with (run / "logs" / "snakemake.log").open("wb") as log:
        return subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environment,
            start_new_session=True,
        )


def _python_path() -> str:
    inherited = os.environ.get("PYTHONPATH")
    return os.pathsep.join([str(_PACKAGE_ROOT), *([inherited] if inherited else [])])


def _watch(
    run: Path, keys: Sequence[str], process: subprocess.Popen[bytes], console: Console
) -> int:
    """Shows progress until Snakemake ends; its exit status."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("ETA {task.fields[eta]}"),
    )
    before = sum(_done(run, key) for key in keys)
    began = time.monotonic()
    try:
        with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
            task = progress.add_task("points", total=len(keys), completed=before, eta="?")
            while process.poll() is None:
                done = sum(_done(run, key) for key in keys)
                eta = _eta(done - before, len(keys) - done, time.monotonic() - began)
                progress.update(task, completed=done, eta=eta)
                time.sleep(_POLL_S)
            progress.update(task, completed=sum(_done(run, key) for key in keys), eta="0 s")
    except KeyboardInterrupt:
        # Snakemake would wait for its points: they and their simulators are told themselves.
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()
        raise SweepError(f"{run}: interrupted; run the same command again to go on") from None
    return process.returncode


def _eta(finished: int, left: int, elapsed_s: float) -> str:
    """Time left when the rest costs what the finished points did; unknown before the first."""
    if finished == 0:
        return "?"
    seconds = elapsed_s / finished * left
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"


def _failure(run: Path, key: str) -> Mapping[str, str] | None:
    if _done(run, key):
        return None
    path = run / "failed" / f"{key}.json"
    if path.is_file():
        record: Mapping[str, str] = json.loads(path.read_text(encoding="utf-8"))
        return record
    return {"point": key, "failure": "Unfinished", "reason": f"see {run / 'logs'}"}


def _report(run: Path, keys: Sequence[str], failures: Sequence[Mapping[str, str]]) -> str:
    done = sum(_done(run, key) for key in keys)
    told = "; ".join(f"{f['point']}: {f['failure']}: {f['reason']}" for f in failures)
    return f"{run}: {done} of {len(keys)} points finished, {len(failures)} failed: {told}"
