# SPDX-License-Identifier: BSD-3-Clause
"""Each suite's host side, a folder each: its suite.py declares SUITE (osgap.analysis.suite)."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pandas as pd

from osgap import analysis
from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.runs import analyze_runs
from osgap.analysis.suite import CombinedTable, Suite
from osgap.base.errors import OsgapError
from osgap.rundir.load import Run

# Tables list the sets of these first, in this order; other suites follow by name.
_ORDER = ("ousterhout", "hohmuth", "raveling", "kennaway")


def suites() -> tuple[Suite, ...]:
    """Every suite that has a folder here.  Raises OsgapError for one that declares no SUITE."""
    names = sorted(path.parent.name for path in Path(__file__).parent.glob("*/suite.py"))
    ordered = [name for name in _ORDER if name in names]
    return tuple(
        _load(name) for name in [*ordered, *(name for name in names if name not in _ORDER)]
    )


def _load(name: str) -> Suite:
    suite = getattr(import_module(f"{__name__}.{name}.suite"), "SUITE", None)
    if not isinstance(suite, Suite) or suite.name != name:
        raise OsgapError(f"osgap/suites/{name}/suite.py: declares no SUITE of the name {name}")
    return suite


def analyze(run: Run) -> dict[str, pd.DataFrame]:
    """Every table of a run (osgap.analysis.analyze), with all suites."""
    return analysis.analyze(run, suites())


def load_runs(paths: Sequence[Path]) -> list[AnalysedRun]:
    """Analyse every run in and below `paths`, with all suites.

    Raises ResultsError or ConfigError.
    """
    return analyze_runs(paths, suites())


def combined_tables() -> dict[str, CombinedTable]:
    """The tables over several runs that the suites offer, by name."""
    return {name: table for suite in suites() for name, table in suite.combined.items()}


def main_sets() -> dict[str, Suite]:
    """The set whose mean stands for a suite -> that suite."""
    return {suite.main_set: suite for suite in suites() if suite.main_set is not None}
