# SPDX-License-Identifier: BSD-3-Clause
"""Loads runs in notebooks and scripts: `osgap.load_run(path)` (docs/tutorial/notebooks.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path

import pandas as pd

from osgap.rundir import load
from osgap.suites import analyze


@dataclass(frozen=True, eq=False)
class LoadedRun:
    """A run and its tables; `run` is the checked content of its directory or archive."""

    run: load.Run

    @property
    def name(self) -> str:
        """The run's name."""
        return self.run.name

    @property
    def path(self) -> Path:
        """The run's directory."""
        return self.run.path

    @property
    def unfinished(self) -> tuple[str, ...]:
        """Keys of the unfinished points, which the tables lack."""
        return self.run.unfinished

    @property
    def points(self) -> pd.DataFrame:
        """A row for each point and series, with the point's key, clock, policies and rating."""
        return self.tables["points"]

    @cached_property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """Every table by name, computed on first access (docs/reference/run-directory.md).

        Raises ResultsError if no point is finished.
        """
        return analyze(self.run)


def load_run(path: str | PathLike[str]) -> LoadedRun:
    """Loads the run in directory `path`, live or accepted; an archive is read in place.

    Raises ResultsError or ConfigError (both OsgapError), naming the file, for a run that is
    missing or damaged.
    """
    return LoadedRun(load.load_run(Path(path)))
