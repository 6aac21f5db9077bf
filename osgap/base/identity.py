# SPDX-License-Identifier: BSD-3-Clause
"""Identifies a process among those of all hosts and name spaces, and tells whether it lives."""

from __future__ import annotations

import os
import platform

from osgap.base import processes
from osgap.base.frozen import Frozen


class Process(Frozen):
    """A process: its host, boot, PID name space, number, and start in ticks since the boot.

    The host's name is for people: several hosts may have one name.
    """

    host: str = ""
    boot: str = ""
    space: str = ""
    pid: int = 0
    pid_ticks: str = ""

    def lives(self) -> bool | None:
        """True if the process lives; None if it cannot be seen from here."""
        here = this_process()
        if not here.space or (self.boot, self.space) != (here.boot, here.space):
            return None
        return processes.start_time(self.pid) == self.pid_ticks

    def same_as(self, other: Process) -> bool:
        """True if both are one process, whose host may have got another name."""
        return all(
            getattr(self, name) == getattr(other, name)
            for name in ("boot", "space", "pid", "pid_ticks")
        )

    def __str__(self) -> str:
        """The process as sentences name it."""
        if not self.pid:
            return "another process"
        hidden = self.boot == processes.boot() and self.lives() is None
        return f"process {self.pid} on {self.host}" + " in another PID name space" * hidden


def this_process() -> Process:
    """This process. Its name space is "" where /proc shows another one's processes."""
    try:
        space = (
            os.readlink("/proc/self/ns/pid")
            if os.readlink("/proc/self") == str(os.getpid())
            else ""
        )
    except OSError:
        space = ""
    return Process(
        host=platform.node(),
        boot=processes.boot(),
        space=space,
        pid=os.getpid(),
        pid_ticks=processes.start_time(os.getpid()),
    )
