# SPDX-License-Identifier: BSD-3-Clause
"""Finds gem5, checks its version, and runs it so that it never outlives its caller."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from osgap.base import durable
from osgap.base.processes import die_with, environment, program_path
from osgap.base.quoting import shortened, visible
from osgap.base.suggestions import no_directory
from osgap.engines.contract import EngineError, PointTimeout

VARIABLE = "GEM5"
NAMES = ("gem5", "gem5.fast", "gem5.opt")
OLDEST = (24, 0)
GUIDE = "https://www.gem5.org/documentation/general_docs/building"
LARGEST_LOG = 16 << 20
"""Most bytes of gem5's output: a warning that a guest causes must not fill the disk."""
_QUERY_TIMEOUT_S = 120.0
_POLL_S = 0.2
_ANSWER = re.compile(r"^osgap: gem5 version=\S*?(\d+(?:\.\d+)*)\S* riscv=(\d)", re.MULTILINE)
_FATAL = re.compile(r"^(?:\S+:\d+: )?((?:fatal|panic): .*)", re.MULTILINE)
_PYTHON_ERROR = re.compile(r"^\S*(?:Error|Exception): .*", re.MULTILINE)


@dataclass(frozen=True)
class Gem5Program:
    """The path and version of a gem5 that can run the study."""

    path: Path
    version: str


@dataclass(frozen=True)
class Gem5Exit:
    """The status of a gem5 process, and its output on stdout and stderr."""

    status: int
    log: str


def find() -> Path:
    """Returns the path of $GEM5, else of the first of NAMES on PATH. Raises EngineError."""
    variable = os.environ.get(VARIABLE)
    candidates = [variable] if variable else NAMES
    for name in candidates:
        path = program_path(name)
        if path is not None:
            return Path(path).resolve()
    none = f"none of {', '.join(NAMES)} is on PATH"
    missing = f"{variable} is no program" if variable else none
    if variable and os.sep in variable and not Path(variable).exists():
        missing = no_directory(Path(variable), "file")
    raise EngineError(
        f"gem5 was not found: {missing}; give --gem5 PATH or set ${VARIABLE} "
        f"(how to build it for RISC-V: {GUIDE})"
    )


def identify(script: Path) -> Gem5Program:
    """Returns the gem5 that `find` finds. Raises EngineError for another version or ISA."""
    path = find()
    answer = _ANSWER.search(_ask(path, script))
    if answer is None:
        raise EngineError(f"{path}: did not say which gem5 it is when it ran {script}")
    version, riscv = answer.groups()
    numbers = tuple(int(part) for part in version.split("."))
    if numbers < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise EngineError(f"{path}: found gem5 {version}; allowed: {oldest} or newer ({GUIDE})")
    if riscv != "1":
        raise EngineError(f"{path}: this gem5 was built without the RISC-V ISA ({GUIDE})")
    return Gem5Program(path, version)


def _ask(path: Path, script: Path) -> str:
    with durable.scratch("osgap-gem5") as scratch:
        command: list[str | Path] = [path, "--outdir", scratch, script]
        try:
            return subprocess.run(
                command, capture_output=True, text=True, timeout=_QUERY_TIMEOUT_S, env=environment()
            ).stdout
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EngineError(f"{path}: cannot be asked for its version: {error}") from None


def run(
    command: Sequence[str | Path], log: Path, timeout_s: float, watch: Callable[[], None]
) -> Gem5Exit:
    """Runs gem5 to its end with its output in `log`; calls `watch` regularly, and at the end.

    Kills gem5 and raises PointTimeout, the error of `watch`, or EngineError for a large log.
    """
    deadline = time.monotonic() + timeout_s
    with log.open("wb") as stream:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            env=environment(),
            preexec_fn=partial(die_with, os.getpid()),
        )
        try:
            while (status := _status(process, deadline - time.monotonic())) is None:
                watch()
                check_size(log, LARGEST_LOG)
                if time.monotonic() > deadline:
                    raise PointTimeout(f"no end after {timeout_s:g} s on the host")
        finally:
            process.kill()
            process.wait()
    watch()
    check_size(log, LARGEST_LOG)
    return Gem5Exit(status, log.read_text(encoding="utf-8", errors="replace"))


def _status(process: subprocess.Popen[bytes], left_s: float) -> int | None:
    try:
        return process.wait(max(0.0, min(_POLL_S, left_s)))
    except subprocess.TimeoutExpired:
        return None


def check_size(file: Path, largest: int) -> None:
    """Raises EngineError if a file of gem5 has over `largest` bytes."""
    size = file.stat().st_size if file.is_file() else 0
    if size > largest:
        raise EngineError(f"gem5's {file.name}: found {size} bytes; allowed: {largest}")


def failure(process_exit: Gem5Exit) -> EngineError:
    """Returns the reason of gem5's failure, with the line of its output that names it."""
    fatal, error = _FATAL.search(process_exit.log), _PYTHON_ERROR.findall(process_exit.log)
    if fatal:
        return EngineError(f"gem5 stopped: {_quoted_line(fatal.group(1))}")
    if process_exit.status < 0:
        return EngineError(f"gem5 was killed by {signal.Signals(-process_exit.status).name}")
    # The last line of a Python traceback has the error.
    lines = error or process_exit.log.strip().splitlines() or ["it said nothing"]
    return EngineError(f"gem5 stopped with status {process_exit.status}: {_quoted_line(lines[-1])}")


def _quoted_line(line: str) -> str:
    return shortened(visible(line.strip()))
