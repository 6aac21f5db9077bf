# SPDX-License-Identifier: BSD-3-Clause
"""The QEMU engine: functional runs without timing, so samples but no statistics."""

from __future__ import annotations

import os
import select
import subprocess
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

from osgap.base.processes import die_with, environment, program_path
from osgap.engines.contract import (
    Engine,
    EngineError,
    Failed,
    Job,
    Outcome,
    PointTimeout,
    Progress,
    finished,
    hear,
)
from osgap.guest import protocol
from osgap.guest.console import GuestConsole
from osgap.image.files import Image
from osgap.machines.system import System

PROGRAM = "qemu-system-riscv64"
_SLICE_S = 0.05
_CHUNK = 1 << 16


class Qemu(Engine):
    """Boots QEMU's virt machine for every run, in under a second."""

    name = "qemu"
    description = "QEMU: runs and checks every benchmark quickly, without timing"
    marks = "none"
    boots_image = True
    has_timing = False

    def version(self) -> str:
        process = subprocess.run(
            [_program(), "--version"], capture_output=True, text=True, check=True, env=environment()
        )
        return process.stdout.splitlines()[0].split()[3]

    def check(self, system: System) -> None:
        _program()

    def prepare(self, image: Image, system: System, cache: Path, say: Progress) -> str:
        """Does nothing: QEMU boots in half a second."""
        return ""

    def run(self, job: Job) -> Outcome:
        began = time.perf_counter()
        deadline = time.monotonic() + job.timeout_s
        with subprocess.Popen(
            _arguments(job),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment(),
            preexec_fn=partial(die_with, os.getpid()),
        ) as process:
            try:
                console = _converse(process, job.orders.text(), deadline)
            finally:
                process.kill()
        return finished(console, lambda regions: "", time.perf_counter() - began)


def _program() -> str:
    path = program_path(PROGRAM)
    if path is None:
        raise EngineError(f"{PROGRAM} is not installed (Debian package qemu-system-misc)")
    return path


def _arguments(job: Job) -> list[str]:
    memory, harts = str(job.system.memory.size_mib), str(job.system.harts)
    return [
        *(_program(), "-M", "virt", "-m", memory, "-nographic", "-no-reboot", "-smp", harts),
        *("-bios", str(job.image.firmware), "-kernel", str(job.image.kernel)),
        # The kernel unpacks them as it boots.
        *(("-initrd", str(job.image.programs)) if job.image.programs else ()),
    ]


def _converse(process: subprocess.Popen[bytes], orders: str, deadline: float) -> str:
    """Waits for ready, types the orders, and reads until the machine is off. Raises Failed."""
    assert process.stdin is not None and process.stdout is not None
    console, typed = GuestConsole(), False
    while True:
        data = _read(process.stdout.fileno())
        if data is not None:
            hear(console, data)
        if console.ready and not typed:
            # A machine that is off by now breaks the pipe; its end is seen below.
            with suppress(BrokenPipeError):
                os.write(process.stdin.fileno(), orders.encode())
            typed = True
        if data == b"":
            break
        if time.monotonic() > deadline:
            raise Failed(PointTimeout("no end within the time limit"), console.text)
    if not console.ready:
        reason = protocol.NoEndMarker("the guest stopped before it was ready")
        raise Failed(reason, console.text)
    return console.text


def _read(stream: int) -> bytes | None:
    """Returns the guest's output within _SLICE_S: None if none, b"" when the machine is off."""
    ready, _, _ = select.select([stream], [], [], _SLICE_S)
    return os.read(stream, _CHUNK) if ready else None
