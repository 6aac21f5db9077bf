# SPDX-License-Identifier: BSD-3-Clause
"""A run with its tables, and a point where it stands in one: what tables over several runs read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from osgap.rundir.load import Run

Tables = Mapping[str, pd.DataFrame]


@dataclass(frozen=True, eq=False)
class AnalysedRun:
    """One run: its machine, image variant and way to call, its points and its tables.

    `tables` has simulated times, `own_time` the times, modes and points on the machine's own time.
    """

    path: Path
    engine: str
    machine: str
    variant: str
    calls: str
    run: Run
    tables: Tables
    own_time: Tables

    @property
    def is_simulated(self) -> bool:
        """True if a simulator made the points, False for a measured machine."""
        return self.run.is_simulated


@dataclass(frozen=True, eq=False)
class PlacedPoint:
    """A finished point where it first stands in its run's series."""

    analysed: AnalysedRun
    series: str
    clock_mhz: float
    key: str

    @property
    def conditions(self) -> tuple[str, str, str, float]:
        """What two points share that differ only in their software."""
        return self.analysed.engine, self.analysed.machine, self.series, self.clock_mhz
