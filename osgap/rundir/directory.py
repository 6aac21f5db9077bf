# SPDX-License-Identifier: BSD-3-Clause
"""Names of files and folders in a run directory; finds runs below a directory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated

from pydantic import Field

from osgap.base.suggestions import no_directory
from osgap.rundir.csvfile import ResultsError

MANIFEST = "run.json"
POINTS = "points"
RECORDS = "records"
INPUTS = "inputs"
DONE = "done.json"
ARCHIVE = "run.tar.xz"
"""An accepted run has its points, records and inputs in this file."""

# Keys and names become paths: none may lead out of the run's directory.
PointKey = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.+-]*$")]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]


def runs_below(directory: Path) -> list[Path]:
    """The runs in or below `directory`, sorted; those in hidden folders may be half written.

    Unlike Path.rglob, os.walk passes over a folder that a sweep removes meanwhile.
    """
    runs: list[Path] = []
    for folder, below, files in os.walk(directory):
        if MANIFEST in (*below, *files):  # readers say that a folder is no manifest
            runs.append(Path(folder))
        below[:] = (name for name in below if not name.startswith("."))
    return sorted(runs)


def is_archived(run: Path) -> bool:
    """True if `run` was packed: its points are in an archive, and are not run again."""
    return (run / ARCHIVE).is_file()


def is_accepted(run: Path) -> bool:
    """True if `run` is packed or below results/locked: nothing is written into it any more."""
    return is_archived(run) or ("results", "locked") in pairwise(run.resolve().parts)


def run_directories(paths: Sequence[Path]) -> list[Path]:
    """The runs in and below each path, each once. Raises ResultsError for a path without one."""
    runs: list[Path] = []
    for path in paths:
        below = runs_below(path)
        if not below and not path.exists():
            raise ResultsError(no_directory(path))
        if not below:
            raise ResultsError(f"{path}: has no {MANIFEST} in or below it")
        runs += below
    return list(dict.fromkeys(runs))
