# SPDX-License-Identifier: BSD-3-Clause
"""The host of a sweep: its image, its cluster profile, and how many points run at once."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
from rich.console import Console

from osgap.base.config import ConfigError
from osgap.engines.contract import Engine
from osgap.image.variants import DEFAULT, image_directory, is_built

_CGROUP = Path("/sys/fs/cgroup")
_BYTES_PER_MIB = 1 << 20


@dataclass(frozen=True)
class Host:
    """Settings of the host that runs points.

    `jobs` is the number of points at once (None: as many as cores and memory allow). `profile` is
    the directory of a Snakemake profile, for a cluster; there a job has `points_per_job` points
    (None: as many as make a job of a useful length). `command` is the typed command line, `again`
    the one that goes on after an interruption.
    """

    jobs: int | None
    image: Path
    cache: Path
    profile: Path | None = None
    points_per_job: int | None = None
    command: tuple[str, ...] = ()
    again: tuple[str, ...] = ()

    def with_variant(self, engine: Engine, variant: str) -> Host:
        """This host with the image of `variant` in place of the default one.

        Raises ConfigError if that is not built and `engine` boots images.
        """
        directory = self.image if variant == DEFAULT else image_directory(variant)
        if variant != DEFAULT and engine.boots_image and not is_built(directory):
            raise ConfigError(
                f"{directory}: not there; build it with: scons image variant={variant}"
            )
        return replace(self, image=directory)


@dataclass(frozen=True)
class SweepContext:
    """The surroundings of a sweep or of one of its runs.

    `run` is the directory for results; `console` shows messages to the user.
    """

    run: Path
    host: Host
    console: Console


def workers(memory_limit_mib: int) -> int:
    """The number of points that fit on this machine, at least 1; each needs a core and memory."""
    return max(1, min(cores(), free_mib() // memory_limit_mib))


def cores() -> int:
    """Cores that this process may use, within its affinity and its cgroup's quota (v2)."""
    allowed = len(os.sched_getaffinity(0))
    quota, _, period = _read("cpu.max").partition(" ")
    if quota.isdigit() and period.isdigit():
        allowed = min(allowed, max(1, int(quota) // int(period)))
    return allowed


def free_mib() -> int:
    """MiB of memory that can be allocated without swapping, within the cgroup's limit (v2)."""
    free = int(psutil.virtual_memory().available)
    limit, used = _read("memory.max"), _read("memory.current")
    if limit.isdigit() and used.isdigit():
        free = min(free, max(0, int(limit) - int(used) + _cached()))
    return free // _BYTES_PER_MIB


def _cached() -> int:
    """Bytes of the cgroup's memory that only cache files and can be reclaimed."""
    rows = dict(line.split() for line in _read("memory.stat").splitlines())
    return int(rows.get("inactive_file", 0))


def _read(name: str) -> str:
    """The text of a file of this process's cgroup; "" where there is none."""
    try:
        text = Path("/proc/self/cgroup").read_text(encoding="ascii")
        cgroup = text.partition("0::/")[2].strip()
        return (_CGROUP / cgroup / name).read_text(encoding="ascii").strip()
    except OSError:
        return ""
