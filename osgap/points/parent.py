# SPDX-License-Identifier: BSD-3-Clause
"""A point's worker ends when the sweep that wanted it is gone, even if that was killed."""

from __future__ import annotations

import os
import platform

from osgap.base import processes

VARIABLE = "OSGAP_SWEEP"


def owner() -> str:
    """This process, for `VARIABLE` of those it starts: host, process id and its start time."""
    return f"{platform.node()}:{os.getpid()}:{processes.start_time(os.getpid())}"


def is_gone() -> bool:
    """Whether this process has an owner on this host, and it is gone."""
    host, _, process = os.environ.get(VARIABLE, "").rpartition(":")[0].rpartition(":")
    ticks = os.environ.get(VARIABLE, "").rpartition(":")[2]
    if host != platform.node() or not process.isdigit():
        return False
    return processes.start_time(int(process)) != ticks
