# SPDX-License-Identifier: BSD-3-Clause
"""What a sweep runs on: how many points at once, from the machine's cores and memory."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from osgap.base.config import ConfigError
from osgap.engines.contract import Engine
from osgap.image.variants import DEFAULT, image_directory, is_built

_CGROUP = Path("/sys/fs/cgroup")
_BYTES_PER_MIB = 1 << 20


@dataclass(frozen=True)
class Host:
    """Where and how to run points.

    `jobs` is how many at once, None for what the machine has room for. `profile` is a Snakemake
    profile's directory, for a cluster, where `points_per_job` points make a job (None: as many as
    make one of a useful length). `command` is what the user typed, `again` what goes on with it.
    """

    jobs: int | None
    image: Path
    cache: Path
    profile: Path | None = None
    points_per_job: int | None = None
    command: tuple[str, ...] = ()
    again: tuple[str, ...] = ()

    def with_variant(self, engine: Engine, variant: str) -> Host:
        """This host with the image of `variant`; `image` is the default's.

        Raises ConfigError where it is not built, if `engine` boots one.
        """
        directory = self.image if variant == DEFAULT else image_directory(variant)
        if variant != DEFAULT and engine.boots_image and not is_built(directory):
            raise ConfigError(
                f"{directory}: not there; build it with: scons image variant={variant}"
            )
        return replace(self, image=directory)


def workers(memory_limit_mib: int) -> int:
    """How many points fit on this machine: a core and their memory limit each, and at least one."""
    return max(1, min(cores(), free_mib() // memory_limit_mib))


def cores() -> int:
    """Cores that this process may use; a cgroup's quota counts where there is one (v2)."""
    allowed = len(os.sched_getaffinity(0))
    quota, _, period = _read("cpu.max").partition(" ")
    if quota.isdigit() and period.isdigit():
        allowed = min(allowed, max(1, int(quota) // int(period)))
    return allowed


def free_mib() -> int:
    """MiB of memory that can be taken without swapping, within a cgroup's limit (v2)."""
    free = int(psutil.virtual_memory().available)
    limit, used = _read("memory.max"), _read("memory.current")
    if limit.isdigit() and used.isdigit():
        free = min(free, max(0, int(limit) - int(used) + _cached()))
    return free // _BYTES_PER_MIB


def _cached() -> int:
    """Bytes of the cgroup's memory that hold files which nobody needs."""
    rows = dict(line.split() for line in _read("memory.stat").splitlines())
    return int(rows.get("inactive_file", 0))


def _read(name: str) -> str:
    """A file of this process's own cgroup."""
    try:
        own = Path("/proc/self/cgroup").read_text(encoding="ascii").partition("0::/")[2].strip()
        return (_CGROUP / own / name).read_text(encoding="ascii").strip()
    except OSError:
        return ""
