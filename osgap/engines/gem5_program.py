# SPDX-License-Identifier: BSD-3-Clause
"""Finds gem5, asks it what it is, and runs it so that it never outlives its caller."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from osgap.engines.base import EngineError, PointTimeout

VARIABLE = "GEM5"
NAMES = ("gem5", "gem5.fast", "gem5.opt")
OLDEST = (24, 0)
GUIDE = "https://www.gem5.org/documentation/general_docs/building"
_PR_SET_PDEATHSIG = 1  # Linux: prctl(2)
_QUERY_TIMEOUT_S = 120.0
_DECISIVE = re.compile(r"^(?:fatal|panic): .*|^\S*(?:Error|Exception): .*", re.MULTILINE)


@dataclass(frozen=True)
class Program:
    """A gem5 that can run the study."""

    path: Path
    version: str


@dataclass(frozen=True)
class Ended:
    """How a gem5 process ended, and what it printed on stdout and stderr."""

    status: int
    log: str


def find() -> Path:
    """$GEM5, else the first of NAMES on PATH. Raises EngineError when there is none."""
    named = os.environ.get(VARIABLE)
    candidates = [named] if named else NAMES
    for name in candidates:
        path = shutil.which(name)
        if path is not None:
            return Path(path).resolve()
    missing = f"{named} is no program" if named else f"none of {', '.join(NAMES)} is on PATH"
    raise EngineError(
        f"gem5 was not found: {missing}; give --gem5 PATH or set ${VARIABLE} "
        f"(how to build it for RISC-V: {GUIDE})"
    )


def identify() -> Program:
    """The gem5 found, of a version and ISA that serve. Raises EngineError otherwise."""
    path = find()
    try:
        shown = subprocess.run(
            [path, "--build-info"], capture_output=True, text=True, timeout=_QUERY_TIMEOUT_S
        ).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineError(f"{path}: cannot be asked for its version: {error}") from None
    version = re.search(r"^gem5 version (\d+(?:\.\d+)*)", shown, re.MULTILINE)
    if version is None:
        raise EngineError(f"{path}: its --build-info names no gem5 version")
    numbers = tuple(int(part) for part in version.group(1).split("."))
    if numbers < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise EngineError(
            f"{path}: found gem5 {version.group(1)}; allowed: {oldest} or newer ({GUIDE})"
        )
    if not re.search(r"^\s*USE_RISCV_ISA = (?:True|1|y)\s*$", shown, re.MULTILINE):
        raise EngineError(f"{path}: this gem5 was built without the RISC-V ISA ({GUIDE})")
    return Program(path, version.group(1))


def run(command: Sequence[str | Path], log: Path, timeout_s: float) -> Ended:
    """Runs gem5 to its end with its output in `log`. Raises PointTimeout after killing it."""
    with log.open("wb") as stream:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            preexec_fn=_die_with_parent,
        )
        try:
            status = process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            raise PointTimeout(f"no end after {timeout_s:g} s on the host") from None
        finally:
            process.kill()
            process.wait()
    return Ended(status, log.read_text(encoding="utf-8", errors="replace"))


def failure(ended: Ended) -> EngineError:
    """Why gem5 stopped, with the line that says so."""
    if ended.status < 0 and not _DECISIVE.search(ended.log):
        name = signal.Signals(-ended.status).name
        return EngineError(f"gem5 was killed by {name}")
    lines = _DECISIVE.findall(ended.log) or ended.log.strip().splitlines() or ["it said nothing"]
    # A Python error's own line is the last; a fatal or panic is followed by a backtrace.
    told = next((line for line in lines if line.startswith(("fatal", "panic"))), lines[-1])
    return EngineError(f"gem5 stopped with status {ended.status}: {told.strip()}")


def _die_with_parent() -> None:
    """In the child: a worker that is killed outright must not leave a simulator behind."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
