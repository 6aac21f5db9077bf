# SPDX-License-Identifier: BSD-3-Clause
"""Starts, identifies, measures and ends processes and their descendants."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import shutil
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path

_PR_SET_PDEATHSIG = 1  # Linux: prctl(2)
_BYTES_PER_MIB = 1 << 20
_START = Path(__file__).resolve().parents[1] / "start.py"


def environment(
    changes: Mapping[str, str] | None = None, base: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Returns the environment for a child: `base` (None: this process's), with `changes`.

    No code comes from the current directory, which may be a run's or the user's: PATH keeps only
    absolute folders, and Python ignores the current directory and PYTHONPATH.
    """
    variables = dict(os.environ if base is None else base)
    variables.pop("PYTHONPATH", None)
    variables["PYTHONSAFEPATH"] = "1"
    folders = [
        folder for folder in variables.pop("PATH", "").split(os.pathsep) if os.path.isabs(folder)
    ]
    if folders:
        variables["PATH"] = os.pathsep.join(folders)
    return {**variables, **(changes or {})}


def program_path(program: str) -> str | None:
    """Returns the path of a program, by the PATH of `environment`; None if there is none."""
    return shutil.which(program, path=environment().get("PATH", os.defpath))


def osgap_command(module: str, *words: str) -> list[str]:
    """Returns the command that runs a module of this osgap by this Python, in any directory."""
    return [sys.executable, "-P", str(_START), module, *words]


def start_time(process: int) -> str:
    """Returns a process's start in clock ticks since boot, field 22 of proc(5)'s stat.

    "" if it is gone. Number and start identify a process, whatever the wall clock does.
    """
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    fields = text.rpartition(")")[2].split()
    return "" if fields[0] == "Z" else fields[19]


def boot() -> str:
    """Returns the identifier of this boot; process numbers of an earlier boot are void."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return platform.node()


def die_with(parent: int) -> None:
    """Makes this child of `parent` get SIGKILL when `parent` ends, however that ends."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def signal_group(leader: int, number: signal.Signals) -> None:
    """Sends a signal to a process group, if it still exists."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def kernel_oom_kills() -> int:
    """Returns the number of the kernel's out-of-memory kills since boot; 0 if unknown."""
    try:
        text = Path("/proc/vmstat").read_text(encoding="ascii")
    except OSError:
        return 0
    counts = dict(line.split() for line in text.splitlines())
    return int(counts.get("oom_kill", 0))


class MemoryMeter:
    """Measures resident memory of a process and its descendants; remembers the peak."""

    def __init__(self, process: int) -> None:
        self._root = process
        self.peak_mib = 0

    def mib(self) -> int:
        """Returns the resident MiB of the process and its descendants; 0 when they are gone."""
        resident = sum(_resident(process) for process in tree(self._root)) // _BYTES_PER_MIB
        self.peak_mib = max(self.peak_mib, resident)
        return resident


def tree(process: int) -> list[int]:
    """Returns a process and its living descendants.

    Reads the kernel's lists of children, not every process of the host, because it is called often.
    """
    family, pending = [], [process]
    while pending:
        family.append(member := pending.pop())
        for task in _entries(Path(f"/proc/{member}/task")):
            pending += map(int, _read(task / "children").split())
    return family


def _entries(directory: Path) -> list[Path]:
    try:
        return list(directory.iterdir())
    except OSError:
        return []


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""


def _resident(process: int) -> int:
    pages = _read(Path(f"/proc/{process}/statm")).split()[1:2]
    return int(pages[0]) * os.sysconf("SC_PAGESIZE") if pages else 0


def command_line(process: int) -> list[str]:
    """Returns a process's command line; empty if it is gone."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text(errors="replace").split("\0")
    except OSError:
        return []


def end_group(leader: int, patience_s: float) -> None:
    """Sends SIGTERM to a process group, and SIGKILL to the rest of it after `patience_s`."""
    signal_group(leader, signal.SIGTERM)
    deadline = time.monotonic() + patience_s
    while _group_exists(leader) and time.monotonic() < deadline:
        time.sleep(0.02)
    signal_group(leader, signal.SIGKILL)


def _group_exists(leader: int) -> bool:
    try:
        os.killpg(leader, 0)
    except OSError:
        return False
    return True
