# SPDX-License-Identifier: BSD-3-Clause
"""Analyses a run directory: tidy tables, written to RUN/tables/*.csv."""

from collections.abc import Sequence

import pandas as pd

from osgap.analysis.inputs import Inputs
from osgap.analysis.suite import Suite
from osgap.analysis.tables import run_tables
from osgap.rundir.load import Run

__all__ = ["analyze"]


def analyze(run: Run, suites: Sequence[Suite]) -> dict[str, pd.DataFrame]:
    """Every table of a run, by name; one that declares `absent` only where it has rows.

    `suites` say what is averaged, summed and subtracted. Raises ResultsError when the run's files
    contradict each other.
    """
    inputs = Inputs(run, suites)
    tables = {
        name: table.make(inputs) for name, table in run_tables().items() if table.make is not None
    }
    return {
        name: frame for name, frame in tables.items() if len(frame) or not run_tables()[name].absent
    }
