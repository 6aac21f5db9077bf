# SPDX-License-Identifier: BSD-3-Clause
"""Runs workloads/native/measure.sh on this machine within a time limit and removes its files."""

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
from osgap.native.output import NativeError
from osgap.native.text import cpu_list

ARCHITECTURES = ("x86_64", "aarch64", "riscv64")
DEFAULT_SECONDS = 60
"""Seconds for all of a measurement: building, choosing the sizes of batches, rounds."""
RATING = ("checks/empty_loop", "checks/integer_mix")
"""Benchmarks that every measurement includes: the MIPS rating is computed from them."""
DEFAULT_RUN = ("ousterhout", "mcvoy", "byte", "checks")
_PATIENCE_S = 15.0
"""Time to end for a benchmark that is writing to a slow disk."""
_LEAST_GRACE_S = 5.0
_GRACE = 0.25
"""A last round may take longer than those before: this part of the seconds, or _LEAST_GRACE_S."""


def check_host() -> None:
    """Raises NativeError on a machine that cannot run the benchmarks."""
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


def check_cpu(cpu: int | None) -> None:
    """Raises NativeError for a CPU that this process may not use."""
    allowed = os.sched_getaffinity(0)
    if cpu is not None and cpu not in allowed:
        listed = cpu_list(allowed).partition(" ")[2]
        raise NativeError(f"--cpu: found {cpu}; allowed: {listed} (CPUs that osgap may use)")


def with_rating(run: Sequence[str]) -> tuple[str, ...]:
    """The suites and benchmarks in `run`, completed by those of RATING."""
    return with_rows(run, RATING)


def with_rows(run: Sequence[str], rows: Sequence[str]) -> tuple[str, ...]:
    """The suites and benchmarks in `run`, completed by those of `rows`, SUITE/NAME each."""
    missing = (row for row in rows if row not in run and row.partition("/")[0] not in run)
    return (*run, *missing)


def measure(
    program: Path, scratch: Path, seconds: float, run: Sequence[str], cpu: int | None = None
) -> str:
    """Runs measure.sh and returns its output; the benchmarks use a new directory in `scratch`.

    `program` is build/host/osgap-bench. measure.sh ends by itself after about `seconds`. Raises
    NativeError if it fails or is killed, OSError if `scratch` cannot be written.
    """
    workloads = project_root() / "workloads"
    variables = {
        "OSGAP_BENCH": str(program),
        "OSGAP_ANDREW": str(workloads / "andrew"),
        "OSGAP_BYTE": str(workloads / "byte" / "data"),
    }
    with about(scratch), durable.scratch("osgap-native", scratch) as work:
        command = ["sh", str(workloads / "native" / "measure.sh"), "--scratch", str(work)]
        command += ["--seconds", f"{seconds:.0f}", "--run", ",".join(run)]
        command += [] if cpu is None else ["--cpu", f"{cpu:d}"]
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
            env=environment(variables),
            preexec_fn=partial(die_with, os.getpid()),
        ) as process:
            try:
                stdout, stderr = _watch(process, limit_s(seconds))
            finally:
                end_group(process.pid, _PATIENCE_S)
        if process.returncode:
            last = stderr[-1] if stderr else f"measure.sh ended with status {process.returncode}"
            raise NativeError(last)
        return "".join(stdout)


def limit_s(seconds: float) -> float:
    """Seconds after which a measurement of `seconds` is killed."""
    return seconds + max(_LEAST_GRACE_S, _GRACE * seconds)


def _watch(process: subprocess.Popen[str], limit: float) -> tuple[list[str], list[str]]:
    """The lines of standard output and error. Raises NativeError after `limit` seconds."""
    stdout: list[str] = []
    stderr: list[str] = []

    def listen() -> None:
        for line in process.stderr or ():
            stderr.append(line.strip())
            say(stderr[-1])

    listeners = [
        Thread(target=listen, daemon=True),
        Thread(target=lambda: stdout.extend(process.stdout or ()), daemon=True),
    ]
    for listener in listeners:
        listener.start()
    try:
        process.wait(timeout=limit)
    except subprocess.TimeoutExpired:
        raise NativeError(
            f"it was not done after {limit:.0f} s; allowed: more --seconds, or fewer benchmarks "
            "(--run)"
        ) from None
    for listener in listeners:
        listener.join(_PATIENCE_S)
    return stdout, stderr
