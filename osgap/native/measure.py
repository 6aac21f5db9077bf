# SPDX-License-Identifier: BSD-3-Clause
"""Runs workloads/native/measure.sh on this machine, within a limit of time, and leaves nothing."""

from __future__ import annotations

import os
import platform
import struct
import subprocess
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from threading import Thread

from osgap.base import durable
from osgap.base.errors import about
from osgap.base.paths import project_root
from osgap.base.processes import die_with, end_group, environment
from osgap.base.progress import say
from osgap.native.returned import NativeError

ARCHITECTURES = ("x86_64", "aarch64", "riscv64")
DEFAULT_SECONDS = 40.0
RATING = ("checks/empty_loop", "checks/integer_mix")
"""What every measurement has: without it there is no MIPS."""
DEFAULT_RUN = ("ousterhout", "mcvoy", "byte", "checks")
_PATIENCE_S = 15.0
"""For what writes to a slow disk when it is told to end."""
_LIMIT_S = 60.0
_TIMES = 4
"""The whole takes no longer than _LIMIT_S and this many times the seconds asked for."""


def check_host() -> None:
    """Raises NativeError on a machine that the benchmarks are not for."""
    bits, machine = struct.calcsize("P") * 8, platform.machine()
    if platform.system() != "Linux" or bits != 64 or machine not in ARCHITECTURES:
        raise NativeError(
            f"this machine: found {platform.system()} on {machine}, {bits} bits; allowed: Linux on "
            f"{', '.join(ARCHITECTURES)}, 64 bits"
        )
    if platform.libc_ver()[0] != "glibc":
        raise NativeError(
            "this machine: found a C library that is not glibc; allowed: glibc, or a static "
            "program from another machine (osgap native --bundle)"
        )


def scratch_in(folder: Path, *, given: bool) -> Path:
    """The directory for the benchmarks' files: one that is `given` has to be there.

    Raises NativeError, or OSError where it cannot be made.
    """
    if given and not folder.is_dir():
        raise NativeError(f"--scratch {folder}: is no directory; allowed: one that is there")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def with_rating(run: Sequence[str]) -> tuple[str, ...]:
    """The suites and benchmarks `run`, and RATING where it is not among them."""
    own = () if "checks" in run else tuple(name for name in RATING if name not in run)
    return (*run, *own)


def measure(program: Path, scratch: Path, seconds: float, run: Sequence[str]) -> str:
    """What measure.sh prints; the benchmarks work in a directory of their own below `scratch`.

    `program` is build/host/osgap-bench. `seconds` are asked for; it ends by itself after a few
    more, and is ended after `limit_s`. Raises NativeError where it fails, or is ended; OSError
    where nothing can be written.
    """
    workloads = project_root() / "workloads"
    own = {
        "OSGAP_BENCH": str(program),
        "OSGAP_ANDREW": str(workloads / "andrew"),
        "OSGAP_BYTE": str(workloads / "byte" / "data"),
    }
    with about(scratch), durable.scratch("osgap-native", scratch) as work:
        command = ["sh", str(workloads / "native" / "measure.sh"), "--scratch", str(work)]
        command += ["--seconds", f"{seconds:.0f}", "--run", ",".join(run)]
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
            env=environment(own),
            preexec_fn=partial(die_with, os.getpid()),
        ) as process:
            try:
                said, words = _watch(process, limit_s(seconds))
            finally:
                end_group(process.pid, _PATIENCE_S)
        if process.returncode:
            last = words[-1] if words else f"measure.sh ended with status {process.returncode}"
            raise NativeError(last)
        return "".join(said)


def limit_s(seconds: float) -> float:
    """After which a measurement that was to take `seconds` is ended."""
    return _LIMIT_S + _TIMES * seconds


def _watch(process: subprocess.Popen[str], limit: float) -> tuple[list[str], list[str]]:
    """What it prints, and what it tells people, which is passed on. Raises NativeError after the
    limit."""
    said: list[str] = []
    words: list[str] = []

    def listen() -> None:
        for line in process.stderr or ():
            words.append(line.strip())
            say(words[-1])

    listeners = [
        Thread(target=listen, daemon=True),
        Thread(target=lambda: said.extend(process.stdout or ()), daemon=True),
    ]
    for one in listeners:
        one.start()
    try:
        process.wait(timeout=limit)
    except subprocess.TimeoutExpired:
        raise NativeError(f"it was not done after {limit:.0f} s") from None
    for one in listeners:
        one.join(_PATIENCE_S)
    return said, words
