# SPDX-License-Identifier: BSD-3-Clause
"""Processes: which one a number meant, what a tree of them holds, and how none is left behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import signal
from pathlib import Path

import psutil

_PR_SET_PDEATHSIG = 1  # Linux: prctl(2)
_BYTES_PER_MIB = 1 << 20


def started(process: int) -> str:
    """Start time in clock ticks since boot, field 22 of proc(5)'s stat; "" when it is gone.

    With the number it names a process for good, whatever the wall clock does.
    """
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    fields = text.rpartition(")")[2].split()
    return "" if fields[0] == "Z" else fields[19]


def boot() -> str:
    """This boot of this host, so that a process number from before a restart means nothing."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return platform.node()


def die_with(parent: int) -> None:
    """In a child of `parent`: SIGKILL for it when its parent is gone, however that was killed."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def signal_group(leader: int, number: signal.Signals) -> None:
    """Sends a signal to a process group, if it is still there."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def kernel_oom_kills() -> int:
    """How often this kernel has killed a process for memory since it booted; 0 if it won't tell."""
    try:
        text = Path("/proc/vmstat").read_text(encoding="ascii")
    except OSError:
        return 0
    counts = dict(line.split() for line in text.splitlines())
    return int(counts.get("oom_kill", 0))


class Memory:
    """Resident memory of a process and its descendants, looked up cheaply enough to poll."""

    _LOOK_AGAIN = 10

    def __init__(self, process: int) -> None:
        self._root = process
        self._tree: list[psutil.Process] = []
        self._looks = 0
        self.peak_mib = 0

    def mib(self) -> int:
        """MiB that the tree holds now; 0 when it is gone. Descendants are searched now and then."""
        if self._looks % self._LOOK_AGAIN == 0:
            self._tree = _tree(self._root)
        self._looks += 1
        held = sum(_resident(process) for process in self._tree) // _BYTES_PER_MIB
        self.peak_mib = max(self.peak_mib, held)
        return held


def _tree(process: int) -> list[psutil.Process]:
    try:
        root = psutil.Process(process)
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return []


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0
