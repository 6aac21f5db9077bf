# SPDX-License-Identifier: BSD-3-Clause
"""The runs that a page is about, analysed and unfinished, with the runs to compare them to."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from osgap.analysis.analysed import AnalysedRun, Tables
from osgap.analysis.runs import RunCache
from osgap.base.paths import project_root
from osgap.points.record import State
from osgap.predict.prediction import Prediction
from osgap.printing.headline import gains_of
from osgap.printing.layouts import KnownLayouts, known_layouts
from osgap.printing.predictions import predicted_tables, predictions
from osgap.rundir import manifest
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.directory import run_directories
from osgap.suites import load_runs
from osgap.sweep.progress import Progress, keys_of, survey

FIRST_ENGINE = "rvsim"
"""The engine whose runs come first."""


@dataclass(frozen=True, eq=False)
class Subject:
    """The runs of a page.

    `analysed` are the runs with a finished point, `states` the points of every run. `beside` is the
    second, simulated run; `native` are runs of a measured machine in its place. `layout_runs` are
    runs of other layouts, whose spread gives intervals. `grids` are the predictions of runs that
    were predicted in part, `layouts` the known spreads, `cache` all runs that were analysed.
    """

    path: Path
    analysed: Sequence[AnalysedRun]
    states: Sequence[Progress]
    beside: Path | None
    native: Sequence[AnalysedRun]
    layout_runs: Sequence[Path]
    grids: Mapping[AnalysedRun, Prediction]
    layouts: KnownLayouts
    cache: RunCache = field(default_factory=dict)

    @property
    def is_one(self) -> bool:
        """True for a single run with a finished point."""
        return len(self.states) == 1 and len(self.analysed) == 1

    @property
    def is_simulated(self) -> bool:
        """True if a simulator made the runs; False without a finished point."""
        return bool(self.analysed) and self.analysed[0].is_simulated

    def name_of(self, run: AnalysedRun) -> str:
        """The run's name on the page: its directory relative to the page's."""
        relative = run.path.relative_to(self.path).as_posix() if run.path != self.path else "."
        return run.path.name if relative == "." else relative

    @property
    def menu(self) -> list[AnalysedRun]:
        """The runs as menus list them: those with a gain of faster clocks, then by engine and MIPS.

        A run of one clock has no curve: its only point is the reference, with R = 1.
        """
        return sorted(self.analysed, key=_rank)

    def tables_of(self, run: AnalysedRun) -> Tables:
        """The run's tables, then a prediction's."""
        return ChainMap(predicted_tables(self.grids.get(run)), cast(Any, run.tables))


def clocks_of(run: AnalysedRun) -> list[float]:
    """The clocks of the run's points, MHz, from the slowest."""
    return sorted(map(float, run.tables["relative"]["clock_mhz"].unique()))


def _rank(run: AnalysedRun) -> tuple[bool, bool, float]:
    rating = run.tables["points"]["mips"].max()
    is_first = run.engine == FIRST_ENGINE
    return not gains_of(run.tables), not is_first, float(rating) if rating > 0 else 0.0


def load(
    path: Path,
    beside: Path | None = None,
    layout_runs: Sequence[Path] = (),
    cache: RunCache | None = None,
) -> Subject:
    """Loads and analyses the runs in and below `path`, finished or not. Raises OsgapError.

    `beside` is a run to compare with, or one of a measured machine. Runs in `cache` are not
    analysed again.
    """
    cache = {} if cache is None else cache
    states = [survey(run, keys_of(run)) for run in run_directories([path])]
    begun = [state.run for state in states if state.counts[State.DONE]]
    analysed = load_runs(begun, cache) if begun else []
    other = load_runs([beside], cache) if beside else []
    native = [run for run in other if not run.is_simulated]
    if native and len(native) < len(other):
        raise ResultsError(
            f"{beside}: holds measured machines and simulated runs; allowed: one kind"
        )
    return Subject(
        path,
        analysed,
        states,
        None if native else beside,
        native,
        layout_runs,
        predictions(analysed, layout_runs),
        known_layouts(analysed, layout_runs),
        cache,
    )


def shown_path(path: Path) -> str:
    """The path as a page prints it: relative to the checkout, or its name if outside."""
    try:
        return path.resolve().relative_to(project_root()).as_posix()
    except ValueError:
        return path.resolve().name


def sweep_description(progress: Progress) -> str:
    """The description of the run's sweep, "" for none. Raises OsgapError."""
    return str(manifest.read(progress.run).sweep.get("description", ""))
