# SPDX-License-Identifier: BSD-3-Clause
"""What a page is about: runs that are analysed, runs that are not yet, and what is beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.base.paths import project_root
from osgap.points.record import State
from osgap.predict.prediction import Prediction
from osgap.printing.layouts import KnownLayouts, known_layouts
from osgap.printing.predictions import own_tables, predictions
from osgap.rundir import manifest
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.directory import run_directories
from osgap.suites import load_runs
from osgap.sweep.progress import Progress, keys_of, survey


@dataclass(frozen=True, eq=False)
class Subject:
    """Everything a page tells of. `analysed` are the runs with a finished point.

    `states` has every run's points, `beside` the second run where it is another simulation, and
    `native` those that were measured without a simulator. `lent` are runs of other layouts.
    """

    path: Path
    analysed: Sequence[AnalysedRun]
    states: Sequence[Progress]
    beside: Path | None
    native: Sequence[AnalysedRun]
    lent: Sequence[Path]
    grids: Mapping[AnalysedRun, Prediction]
    layouts: KnownLayouts

    @property
    def is_one(self) -> bool:
        """Whether it is of one run, finished at least in part."""
        return len(self.states) == 1 and len(self.analysed) == 1

    @property
    def is_simulated(self) -> bool:
        """True if a simulator made the runs; False without a finished point."""
        return bool(self.analysed) and self.analysed[0].is_simulated

    def name_of(self, run: AnalysedRun) -> str:
        """What the page calls a run: its directory below the one that was asked for."""
        below = run.path.relative_to(self.path).as_posix() if run.path != self.path else "."
        return run.path.name if below == "." else below

    def tables_of(self, run: AnalysedRun) -> dict[str, pd.DataFrame]:
        """The run's tables, a prediction's among them."""
        return {**run.tables, **own_tables(self.grids.get(run))}


def load(path: Path, beside: Path | None = None, lent: Sequence[Path] = ()) -> Subject:
    """The runs in and below `path`, finished or not. Raises OsgapError."""
    states = [survey(run, keys_of(run)) for run in run_directories([path])]
    begun = [one.run for one in states if one.counts[State.DONE]]
    analysed = load_runs(begun) if begun else []
    other = load_runs([beside]) if beside else []
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
        lent,
        predictions(analysed, lent),
        known_layouts(analysed, lent),
    )


def shown_path(path: Path) -> str:
    """A path as the page has it: below the checkout, else its name alone."""
    try:
        return path.resolve().relative_to(project_root()).as_posix()
    except ValueError:
        return path.resolve().name


def asked_of(progress: Progress) -> manifest.Manifest:
    """What a run says that it is. Raises OsgapError."""
    return manifest.read(progress.run)
