# SPDX-License-Identifier: BSD-3-Clause
"""The tools that build rvsim: finds them, runs them to their end, and ends them with their caller.

A tool that is missing or fails is an EngineError of one sentence.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from osgap.base import processes
from osgap.base.processes import environment, program_path
from osgap.base.progress import is_watched
from osgap.base.quoting import shortened, visible
from osgap.engines.contract import EngineError, Progress

RUST = "install Rust with rustup: https://rustup.rs"
_PATIENCE_S = 5.0
_TAIL_LINES = 200
_HEAD = re.compile(r"^(?:error(?:\[\w+\])?: |ERROR: )(.*)")
_WORKING = ("Compiling ", "Downloading ")


@dataclass(frozen=True)
class RustTools:
    """The programs, the compiler's version in one line, and the target that it compiles for."""

    cargo: str
    rustc_version: str
    target: str
    profdata: Path


def rust_tools() -> RustTools:
    """Returns the tools on PATH. Raises EngineError with the missing one, and how to get it."""
    cargo, rustc = _program("cargo", RUST), _program("rustc", RUST)
    _program("cc", "install the package gcc, whose linker Rust needs")
    if importlib.util.find_spec("pip") is None:
        raise EngineError(f"pip: is not installed; run: {sys.executable} -m ensurepip")
    lines = run_step([rustc, "-vV"]).splitlines()
    fields = dict(line.split(": ", 1) for line in lines if ": " in line)
    if "host" not in fields:
        raise EngineError(f"{rustc}: did not say for which host it compiles")
    return RustTools(cargo, lines[0].strip(), fields["host"], _profdata(rustc, fields))


def _program(name: str, remedy: str) -> str:
    path = program_path(name)
    if path is None:
        raise EngineError(f"{name}: is not on PATH; {remedy}")
    return path


def _profdata(rustc: str, fields: Mapping[str, str]) -> Path:
    """Returns the llvm-profdata of rustc's own LLVM: no other reads its profiles."""
    libraries = Path(run_step([rustc, "--print", "target-libdir"]).strip())
    beside = libraries.parent / "bin" / "llvm-profdata"
    if beside.is_file():
        return beside
    major = fields.get("LLVM version", "").partition(".")[0]
    other = program_path(f"llvm-profdata-{major}") if major else None
    if other is None:
        raise EngineError(
            f"llvm-profdata: {beside} is not there; install it with: "
            "rustup component add llvm-tools"
        )
    return Path(other)


def run_step(
    command: Sequence[str | Path],
    folder: Path | None = None,
    variables: Mapping[str, str] | None = None,
    say: Progress | None = None,
) -> str:
    """Runs a tool; returns what it printed. On a terminal it says what the tool compiles.

    The tool and its children end with this process, and before an error leaves this function.
    """
    lines: deque[str] = deque(maxlen=_TAIL_LINES)
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=environment(variables),
            start_new_session=True,
            preexec_fn=partial(processes.die_with, os.getpid()),
        )
    except OSError as error:
        raise EngineError(f"{command[0]}: cannot be run: {error.strerror}") from None
    try:
        for line in process.stdout or ():
            lines.append(line)
            if say and is_watched() and line.strip().startswith(_WORKING):
                say(line.strip())
        status = process.wait()
    except BaseException:
        processes.end_group(process.pid, _PATIENCE_S)
        raise
    finally:
        if process.stdout:
            process.stdout.close()
        process.wait()
    if status:
        raise EngineError(f"{_named(command)} ended with status {status}: {_reason(lines)}")
    return "".join(lines)


def _named(command: Sequence[str | Path]) -> str:
    words = [Path(command[0]).name, *map(str, command[1:4])]
    return " ".join(word for word in words if not word.startswith(("/", "-P", "-q")))


def _reason(lines: Sequence[str]) -> str:
    """Returns the first line that says it is an error, else the last one."""
    marked = [match.group(1) for match in map(_HEAD.match, lines) if match]
    printed = [line for line in lines if line.strip()] or ["it said nothing"]
    return shortened(visible((marked or printed[-1:])[0].strip()))
