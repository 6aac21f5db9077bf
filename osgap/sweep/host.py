# SPDX-License-Identifier: BSD-3-Clause
"""The host of a sweep: its image, its cluster profile, and how many points run at once."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
from rich.console import Console

from osgap.base import cgroups
from osgap.base.config import ConfigError
from osgap.engines.contract import Engine
from osgap.image.variants import DEFAULT, image_directory, is_built

_BYTES_PER_MIB = 1 << 20


@dataclass(frozen=True)
class Host:
    """Settings of the host that runs points.

    `jobs` is the number of points at once (None: as many as cores and memory allow). `profile` is
    the directory of a Snakemake profile, for a cluster; there a job has `points_per_job` points
    (None: as many as make a job of a useful length). `command` is the typed command line, `again`
    the one that goes on after an interruption. `slots` is the folder of the slots that the points
    of several runs share (osgap.points.slots).
    """

    jobs: int | None
    image: Path
    cache: Path
    profile: Path | None = None
    points_per_job: int | None = None
    command: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    slots: Path | None = None

    def points_at_once(self, memory_limit_mib: int) -> int:
        """Points that run at once on this machine, each with this limit of memory."""
        return self.jobs or workers(memory_limit_mib)

    def sharing(self, slots: Path, count: int) -> Host:
        """This host for one of several runs, whose points share the `count` slots of a folder."""
        return replace(self, slots=slots, jobs=count)

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
    """Cores that this process may use, within its affinity and its cgroups' quota."""
    quota = cgroups.cpu_quota()
    allowed = len(os.sched_getaffinity(0))
    return allowed if quota is None else min(allowed, max(1, int(quota)))


def free_mib() -> int:
    """MiB of memory that can be allocated without swapping, within its cgroups' limit."""
    free, limit = int(psutil.virtual_memory().available), cgroups.free_memory()
    return (free if limit is None else min(free, limit)) // _BYTES_PER_MIB
