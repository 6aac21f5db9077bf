# SPDX-License-Identifier: BSD-3-Clause
"""RUN/.jobs/jobs.json: what Snakemake's jobs are to run. A job is known by its number alone, so
that no name from a file is ever on a command line."""

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
    """The points of each job, in order, and where the image and the cache are.

    `stamps` are of the image's files, which points do not hash again while they fit.
    """

    image: str
    stamps: dict[str, FileStamp] = Field(default_factory=dict)
    cache: str
    bundles: tuple[tuple[str, ...], ...]
    memory_mib: int
    minutes: int


def write_jobs(run: Path, jobs: Jobs) -> None:
    """Writes the jobs of `run`, the first to be started first. Raises OSError.

    Snakemake starts the job with the largest input first: each job has one, which says nothing.
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
    """The image's stamps of the last start of `run`; none where it has none."""
    try:
        return read_jobs(run).stamps
    except ConfigError:
        return {}
