# SPDX-License-Identifier: BSD-3-Clause
"""Finds the suites: each folder's suite.py declares a SUITE (osgap.analysis.suite)."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from osgap import analysis
from osgap.analysis import variant_costs
from osgap.analysis.analysed import AnalysedRun, Tables
from osgap.analysis.runs import RunCache, analyze_runs
from osgap.analysis.suite import CombinedTable, PublishedMeans, Suite
from osgap.base.errors import OsgapError
from osgap.rundir.load import Run

# Tables list these suites' sets first, in this order; other suites follow by name.
_ORDER = ("ousterhout", "hohmuth", "raveling", "kennaway", "boards")


def suites() -> tuple[Suite, ...]:
    """Returns the suite of each folder here.  Raises OsgapError for one that declares no SUITE."""
    names = sorted(path.parent.name for path in Path(__file__).parent.glob("*/suite.py"))
    first = [name for name in _ORDER if name in names]
    return tuple(map(_load, dict.fromkeys([*first, *names])))


def _load(name: str) -> Suite:
    suite = getattr(import_module(f"{__name__}.{name}.suite"), "SUITE", None)
    if not isinstance(suite, Suite) or suite.name != name:
        raise OsgapError(f"osgap/suites/{name}/suite.py: declares no SUITE of the name {name}")
    return suite


def analyze(run: Run) -> Tables:
    """Returns every table of a run (osgap.analysis.analyze), with all suites."""
    return analysis.analyze(run, suites())


def load_runs(paths: Sequence[Path], cache: RunCache | None = None) -> list[AnalysedRun]:
    """Every run in and below `paths`, with all suites; those in `cache` are not read again.

    Raises ResultsError or ConfigError.
    """
    return analyze_runs(paths, suites(), cache)


def combined_tables() -> dict[str, CombinedTable]:
    """Returns the tables over several runs, of image variants and of each suite, by name."""
    tables = [variant_costs.COMBINED]
    for suite in suites():
        tables += suite.combined
    return {combined.table.name: combined for combined in tables}


def default_tables() -> tuple[str, ...]:
    """Returns the names of the tables of measured machines: those of the first suite with any."""
    return next((suite.default_tables for suite in suites() if suite.default_tables), ())


def reference_set() -> str:
    """Returns the set whose mean represents a run: the main set of the first suite with sets."""
    return next(iter(main_sets()))


def published_means() -> dict[str, PublishedMeans]:
    """Returns the publications' printed means of R, by the set that they average."""
    means = [suite.published for suite in suites() if suite.published is not None]
    return {published.set_name: published for published in means}


def main_sets() -> dict[str, Suite]:
    """Returns the suites by the set whose mean represents them."""
    return {suite.main_set: suite for suite in suites() if suite.main_set is not None}
