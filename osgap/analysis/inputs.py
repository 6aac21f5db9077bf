# SPDX-License-Identifier: BSD-3-Clause
"""The inputs of a run's tables, each computed at most once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from osgap.analysis.samples import samples_table, timed, with_composites
from osgap.analysis.speed import relative_table
from osgap.analysis.suite import Suite, composites, subtracted
from osgap.analysis.times import points_table, times_table
from osgap.rundir.load import Run


@dataclass(eq=False)
class Inputs:
    """A run, and the tables that other tables are computed from.

    `timed` are the samples that a time is taken from, `batches` these and the suites' sums.
    """

    run: Run
    suites: Sequence[Suite]

    @cached_property
    def samples(self) -> pd.DataFrame:
        return samples_table(self.run, subtracted(self.suites))

    @cached_property
    def timed(self) -> pd.DataFrame:
        return timed(self.samples, self.run)

    @cached_property
    def batches(self) -> pd.DataFrame:
        return with_composites(self.timed, composites(self.suites))

    @cached_property
    def points(self) -> pd.DataFrame:
        return points_table(self.run, self.samples)

    @cached_property
    def times(self) -> pd.DataFrame:
        return times_table(self.batches)

    @cached_property
    def relatives(self) -> pd.DataFrame:
        return relative_table(self.points, self.times)
