# SPDX-License-Identifier: BSD-3-Clause
"""Cancels a run's jobs on Slurm, found by a prefix of their names, so that none outlives its sweep.

Snakemake's executor does not: on SIGTERM it cancels no job, on SIGINT it misses new submissions.
"""

from __future__ import annotations

import hashlib
import subprocess
import time
from pathlib import Path

from osgap.base import processes
from osgap.base.errors import OsgapError

_POLL_S = 0.3
# Seconds until a submission that Snakemake began before it was killed is visible.
_IN_FLIGHT_S = 2.0
_GIVE_UP_S = 120.0


def arguments(run: Path) -> tuple[str, ...]:
    """Options for Snakemake's Slurm executor, in addition to its profile."""
    logs = str(run / "logs" / "slurm")
    return ("--slurm-jobname-prefix", _prefix(run), "--slurm-logdir", logs)


def cancel(run: Path) -> int:
    """Cancels every job of `run` and waits until they are gone; the number of jobs.

    Raises OsgapError.
    """
    cancelled: set[str] = set()
    deadline = time.monotonic() + _GIVE_UP_S
    quiet_since = time.monotonic()
    while time.monotonic() - quiet_since < _IN_FLIGHT_S:
        if left := _jobs(run):
            _ask("scancel", *left)
            cancelled.update(left)
            quiet_since = time.monotonic()
        if time.monotonic() > deadline:
            raise OsgapError(f"Slurm has not ended jobs {', '.join(left)} in {_GIVE_UP_S:g} s")
        time.sleep(_POLL_S)
    return len(cancelled)


def leftovers(run: Path) -> int:
    """Cancels jobs that a killed sweep left; their number. Returns at once if there is none."""
    return cancel(run) if _jobs(run) else 0


def _prefix(run: Path) -> str:
    return "osgap-" + hashlib.sha256(str(run).encode()).hexdigest()[:12]


def _jobs(run: Path) -> list[str]:
    rows = [line.split() for line in _ask("squeue", "--me", "--noheader", "--format=%i %j")]
    return [row[0] for row in rows if len(row) > 1 and row[1].startswith(_prefix(run))]


def _ask(*command: str) -> list[str]:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=60, env=processes.environment()
        )
    except FileNotFoundError:
        raise OsgapError(f"{command[0]} is not installed: is this a Slurm cluster?") from None
    except subprocess.TimeoutExpired:
        raise OsgapError(f"{command[0]} did not answer for 60 s") from None
    # scancel fails harmlessly if a job has just ended.
    if done.returncode and command[0] == "squeue":
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise OsgapError(f"squeue failed: {last}")
    return done.stdout.splitlines()
