# SPDX-License-Identifier: BSD-3-Clause
"""Runs that no test changes are loaded and analysed once a process, whoever asks for them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from unittest.mock import patch

import pandas as pd

from osgap.analysis import analyze, runs
from osgap.analysis.suite import Suite
from osgap.base.paths import project_root
from osgap.rundir.load import Run, load_run

UNCHANGED = {project_root() / "results" / "locked"}
"""Directories below which no file changes; fixtures add theirs."""
_load = lru_cache(maxsize=40)(load_run)


@dataclass(frozen=True)
class _Analysis:
    """A run, and the suites that analyse it: a suite is known by its name."""

    path: Path
    names: tuple[str, ...]
    suites: Sequence[Suite] = field(compare=False)


@lru_cache(maxsize=40)
def _tables(analysis: _Analysis) -> dict[str, pd.DataFrame]:
    return analyze(_load(analysis.path), analysis.suites)


@contextmanager
def remembered() -> Iterator[None]:
    """`osgap.analysis.runs` loads and analyses a run of UNCHANGED once; its tables are copies."""

    def load(path: Path) -> Run:
        return _load(path) if _is_unchanged(path) else load_run(path)

    def tables(run: Run, suites: Sequence[Suite]) -> dict[str, pd.DataFrame]:
        if not _is_unchanged(run.path):
            return analyze(run, suites)
        names = tuple(suite.name for suite in suites)
        remembered = _tables(_Analysis(run.path, names, suites))
        return {name: rows.copy() for name, rows in remembered.items()}

    with patch.object(runs, "load_run", load), patch.object(runs, "analyze", tables):
        yield


def _is_unchanged(path: Path) -> bool:
    return not UNCHANGED.isdisjoint((path, *path.parents))
