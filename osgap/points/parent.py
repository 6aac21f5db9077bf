# SPDX-License-Identifier: BSD-3-Clause
"""Tells a worker whether its sweep still runs, so that it ends even after a killed sweep."""

from __future__ import annotations

import os
import platform

from osgap.base import processes

VARIABLE = "OSGAP_SWEEP"


def owner() -> str:
    """This process as host, process id and start time: the value of `VARIABLE` for its children."""
    return f"{platform.node()}:{os.getpid()}:{processes.start_time(os.getpid())}"


def is_gone() -> bool:
    """True if the sweep that started this process ran on this host and has ended."""
    host, _, process = os.environ.get(VARIABLE, "").rpartition(":")[0].rpartition(":")
    ticks = os.environ.get(VARIABLE, "").rpartition(":")[2]
    if host != platform.node() or not process.isdigit():
        return False
    return processes.start_time(int(process)) != ticks
