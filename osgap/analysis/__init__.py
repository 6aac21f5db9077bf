# SPDX-License-Identifier: BSD-3-Clause
"""Analyses a run directory: tidy tables, written to RUN/tables/*.csv."""

from collections.abc import Sequence

from osgap.analysis.analysed import Tables
from osgap.analysis.inputs import Inputs
from osgap.analysis.suite import Suite
from osgap.analysis.tables import LazyTables
from osgap.rundir.load import Run

__all__ = ["analyze"]


def analyze(run: Run, suites: Sequence[Suite]) -> Tables:
    """Every table of a run, by name; one that declares `absent` only where it has rows.

    `suites` say what is averaged, summed and subtracted. Each is computed when it is read first,
    which raises ResultsError where the run's files contradict each other.
    """
    return LazyTables(Inputs(run, suites))
