# SPDX-License-Identifier: BSD-3-Clause
"""A point's process ends when the sweep that wanted it is gone, even if that was killed."""

from __future__ import annotations

import os
import platform
import signal
import threading
import time
from pathlib import Path

VARIABLE = "OSGAP_SWEEP"
_POLL_S = 1.0


def owner() -> str:
    """This process, for `VARIABLE` of those it starts: host, process id and its start time."""
    return f"{platform.node()}:{os.getpid()}:{_started(os.getpid())}"


def watch_owner() -> None:
    """Sends this process SIGTERM when its owner, on this host, is gone; no-op without one."""
    host, _, process = os.environ.get(VARIABLE, "").rpartition(":")[0].rpartition(":")
    started = os.environ.get(VARIABLE, "").rpartition(":")[2]
    if host == platform.node() and process.isdigit():
        threading.Thread(target=_watch, args=(int(process), started), daemon=True).start()


def _watch(process: int, started: str) -> None:
    while _started(process) == started:
        time.sleep(_POLL_S)
    os.kill(os.getpid(), signal.SIGTERM)


def _started(process: int) -> str:
    """Start time in clock ticks since boot, field 22 of proc(5)'s stat; "" when it is gone."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    fields = text.rpartition(")")[2].split()
    return "" if fields[0] == "Z" else fields[19]
