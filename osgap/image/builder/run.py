# SPDX-License-Identifier: BSD-3-Clause
"""Runs build tools: argument lists, one log file per step, failures in one sentence."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from osgap.base import durable
from osgap.base.errors import OsgapError
from osgap.base.processes import environment

Argv: TypeAlias = Sequence[str | Path]


# Tool messages are parsed and hashed, so they must not depend on the user's locale.
_LOCALE = {"LC_ALL": "C"}


def run(
    argv: Argv,
    *,
    log: Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
) -> None:
    """Runs a tool and appends its output to `log`. Raises OsgapError with reason and log."""
    words = [str(word) for word in argv]
    log.parent.mkdir(parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    with open(durable.open_regular(log, flags), "a", encoding="utf-8") as out:
        out.write(f"$ {' '.join(words)}\n")
        out.flush()
        try:
            done = subprocess.run(
                words,
                cwd=cwd,
                env=environment({**_LOCALE, **(env or {})}),
                input=stdin,
                text=True,
                stdout=out,
                stderr=subprocess.STDOUT,
                check=False,
            )
        except FileNotFoundError as error:
            raise OsgapError(f"{error.filename} cannot be run: is it installed?") from error
    if done.returncode:
        raise OsgapError(f"{words[0]} failed ({_reason(log)}); see {log}")


def _reason(log: Path) -> str:
    lines = [line.strip() for line in log.read_text("utf-8", "replace").splitlines()]
    marks = ("error", "***", "hunk failed", "hunks failed", "hunk ignored", "hunks ignored")
    errors = [line for line in lines if any(mark in line.lower() for mark in marks)]
    reasons = [line for line in errors if not line.startswith("make")] or errors or lines
    return reasons[-1][:200] if reasons else "no output"


def output(argv: Argv, env: Mapping[str, str] | None = None) -> str:
    """Returns the standard output of a tool. Raises OsgapError if it fails."""
    words = [str(word) for word in argv]
    try:
        done = subprocess.run(
            words,
            env=environment({**_LOCALE, **(env or {})}),
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise OsgapError(f"{words[0]} cannot be run: is it installed?") from error
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no output"]
        raise OsgapError(f"{words[0]} failed: {lines[-1]}")
    return done.stdout
