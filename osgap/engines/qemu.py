# SPDX-License-Identifier: BSD-3-Clause
"""QEMU virt: functional runs only. It has no timing, so it gives samples but no statistics."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from functools import partial
from pathlib import Path

from osgap import guest
from osgap.engines.base import EngineError, Failed, Image, Job, Outcome, PointTimeout, Progress
from osgap.machine import System
from osgap.processes import die_with

PROGRAM = "qemu-system-riscv64"
_SLICE_S = 0.05


def engine() -> Qemu:
    """The engine of this module."""
    return Qemu()


class Qemu:
    """See osgap.engines.base.Engine. Boots afresh for every run, in under a second."""

    name = "qemu"

    def version(self) -> str:
        shown = subprocess.run(
            [_program(), "--version"], capture_output=True, text=True, check=True
        )
        return shown.stdout.splitlines()[0].split()[3]

    def check(self, system: System) -> None:
        _program()

    def prepare(self, image: Image, system: System, cache: Path, say: Progress) -> str:
        """Nothing: QEMU boots in half a second."""
        return ""

    def run(self, job: Job) -> Outcome:
        began = time.perf_counter()
        deadline = time.monotonic() + job.timeout_s
        with subprocess.Popen(
            _arguments(job),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            preexec_fn=partial(die_with, os.getpid()),
        ) as process:
            try:
                console = _converse(process, job.orders.text(), deadline)
            finally:
                process.kill()
        return Outcome(console, "", time.perf_counter() - began)


def _program() -> str:
    path = shutil.which(PROGRAM)
    if path is None:
        raise EngineError(f"{PROGRAM} is not installed (Debian package qemu-system-misc)")
    return path


def _arguments(job: Job) -> list[str]:
    memory, harts = str(job.system.memory.size_mib), str(job.system.harts)
    return [
        *(_program(), "-M", "virt", "-m", memory, "-nographic", "-no-reboot", "-smp", harts),
        *("-bios", str(job.image.firmware), "-kernel", str(job.image.kernel)),
    ]


def _converse(process: subprocess.Popen[bytes], orders: str, deadline: float) -> str:
    """Waits for ready, types the orders, and reads until the machine is off. Raises Failed."""
    assert process.stdin is not None and process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    console, typed = "", False
    while True:
        # Asked first: what QEMU writes last must not fall between the reading and the question.
        ended = process.poll() is not None
        chunk = process.stdout.read()
        if chunk:
            console += chunk.decode("utf-8", "replace").replace("\r\n", "\n")
        failure = guest.decisive_failure(console)
        if failure:
            raise Failed(failure, console)
        if not typed and f"{guest.PREFIX}ready" in console:
            process.stdin.write(orders.encode())
            process.stdin.flush()
            typed = True
        if ended and not chunk:
            return console
        if time.monotonic() > deadline:
            raise Failed(PointTimeout("no end within the time limit"), console)
        if not chunk:
            time.sleep(_SLICE_S)
