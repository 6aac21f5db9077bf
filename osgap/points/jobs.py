# SPDX-License-Identifier: BSD-3-Clause
"""Writes and reads RUN/.jobs/jobs.json, the points of each of Snakemake's jobs.

A command line has a job's number only, so no name from a file reaches a shell.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from osgap.base import durable
from osgap.base.config import ConfigError, read_json_model
from osgap.base.frozen import Frozen
from osgap.image.files import FileStamp, Stamps

_NAME = Path(".jobs") / "jobs.json"
_TURNS = "turns"


class Jobs(Frozen):
    """The points of each job, in order, and the directories of the image and the cache.

    `stamps` are those of the image's files; points hash no file that matches its stamp.
    `memory_mib` and `minutes` are the limits of one job. `slots` is the folder whose files limit
    how many points run at once (osgap.points.slots).
    """

    image: str
    stamps: dict[str, FileStamp] = Field(default_factory=dict)
    cache: str
    bundles: tuple[tuple[str, ...], ...]
    memory_mib: int
    minutes: int
    slots: Path | None = None


def write_jobs(run: Path, jobs: Jobs) -> None:
    """Writes the jobs of `run`, in the order of their start. Raises OSError.

    Snakemake starts the job with the largest input first: each gets a dummy input file.
    """
    turns = run / _NAME.parent / _TURNS
    turns.mkdir(parents=True, exist_ok=True)
    for number in range(len(jobs.bundles)):
        with (turns / str(number)).open("wb") as file:
            file.truncate(len(jobs.bundles) - number)
    durable.write_json(run / _NAME, jobs.model_dump(mode="json"))


def read_jobs(run: Path) -> Jobs:
    """The jobs of `run`. Raises ConfigError."""
    return read_json_model(run / _NAME, Jobs)


def known_stamps(run: Path) -> Stamps:
    """The stamps of the image at the last start of `run`; empty before the first."""
    try:
        return read_jobs(run).stamps
    except ConfigError:
        return {}
