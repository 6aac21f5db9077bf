# SPDX-License-Identifier: BSD-3-Clause
"""A run with its tables, and a point at its position in a series: the inputs of suites' tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from osgap.analysis.machine_time import machine_time
from osgap.rundir.load import Run

Tables = Mapping[str, pd.DataFrame]


@dataclass(frozen=True, eq=False)
class AnalysedRun:
    """One run: its machine, image variant and way of system calls, its points and its tables.

    `tables` has simulated times.
    """

    path: Path
    engine: str
    machine: str
    variant: str
    calls: str
    run: Run
    tables: Tables

    @cached_property
    def machine_time(self) -> Tables:
        """Times, modes and points in the time of the original machine, where its file scales it."""
        return machine_time(self.run, self.tables)

    @property
    def is_simulated(self) -> bool:
        """True if a simulator made the points, False for a measured machine."""
        return self.run.is_simulated


@dataclass(frozen=True, eq=False)
class PlacedPoint:
    """A finished point at its first position in its run's series."""

    analysed: AnalysedRun
    series: str
    clock_mhz: float
    key: str

    @property
    def mips(self) -> float:
        """The rating in the original machine's time."""
        points = self.analysed.machine_time["points"]
        return float(points.loc[points["key"] == self.key, "mips"].iloc[0])

    @property
    def conditions(self) -> tuple[str, str, str, float]:
        """All but the software: engine, machine, series and clock."""
        return self.analysed.engine, self.analysed.machine, self.series, self.clock_mhz
