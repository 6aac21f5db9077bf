# SPDX-License-Identifier: BSD-3-Clause
"""Processes: which one a number meant, what a tree of them holds, and how none is left behind."""

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
    own: Mapping[str, str] | None = None, of: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The variables of each process that osgap starts: those `of` this one, with `own` over them.

    No code is taken from a current directory, which may be a run's or the user's: PATH has
    absolute folders alone, and Python looks neither there nor where the user's PYTHONPATH says.
    """
    given = dict(os.environ if of is None else of)
    given.pop("PYTHONPATH", None)
    given["PYTHONSAFEPATH"] = "1"
    folders = [one for one in given.pop("PATH", "").split(os.pathsep) if os.path.isabs(one)]
    if folders:
        given["PATH"] = os.pathsep.join(folders)
    return {**given, **(own or {})}


def which(program: str) -> str | None:
    """The path of a program, by the PATH that `environment` gives; None where there is none."""
    return shutil.which(program, path=environment().get("PATH", os.defpath))


def own_command(module: str, *words: str) -> list[str]:
    """The command line that runs a module of this osgap, from any directory, by this Python."""
    return [sys.executable, "-P", str(_START), module, *words]


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
    """Resident memory of a process and its descendants, and the most that it has been."""

    def __init__(self, process: int) -> None:
        self._root = process
        self.peak_mib = 0

    def mib(self) -> int:
        """MiB that the tree holds now; 0 when it is gone."""
        held = sum(_resident(process) for process in tree(self._root)) // _BYTES_PER_MIB
        self.peak_mib = max(self.peak_mib, held)
        return held


def tree(process: int) -> list[int]:
    """A process and its descendants, as far as they are still there.

    The kernel's own lists of children are read, not every process of the host: it is done often.
    """
    found, todo = [], [process]
    while todo:
        found.append(one := todo.pop())
        for task in _entries(Path(f"/proc/{one}/task")):
            todo += map(int, _read(task / "children").split())
    return found


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


def words(process: int) -> list[str]:
    """A process's command line; empty when it is gone."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text(errors="replace").split("\0")
    except OSError:
        return []


def end_group(leader: int, patience_s: float) -> None:
    """SIGTERM for a process group, SIGKILL for what is left of it after `patience_s`."""
    signal_group(leader, signal.SIGTERM)
    deadline = time.monotonic() + patience_s
    while _group_is_there(leader) and time.monotonic() < deadline:
        time.sleep(0.02)
    signal_group(leader, signal.SIGKILL)


def _group_is_there(leader: int) -> bool:
    try:
        os.killpg(leader, 0)
    except OSError:
        return False
    return True
