# SPDX-License-Identifier: BSD-3-Clause
"""95 % intervals of predicted values, as factors.

A value may be off by errors of the formula, by what the disk leaves open, and by the layout of the
image. How far layouts are apart comes from runs of several layouts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.layouts.groups import borrowed_groups, layout_groups, several
from osgap.analysis.layouts.table import layouts_table
from osgap.analysis.relative import NAN
from osgap.machines.series import parse_series
from osgap.predict.errors import ErrorSpread, Name
from osgap.suites import load_runs, suites

_NORMAL = 1.96
"""Standard deviations of a normal distribution that hold 95 % of it."""


class LayoutFactors:
    """95 % factors between layouts, from rows of the table `layouts`; none without rows."""

    def __init__(self, rows: pd.DataFrame | None) -> None:
        self._factors: dict[Name, list[tuple[str, float, float]]] = {}
        for row in [] if rows is None else rows.to_dict("records"):
            low, high = float(row["one_low"]), float(row["one_high"])
            if 0 < low < high:
                name = row["quantity"], row["set"], row["benchmark"], row["fs"]
                factor = row["series"], float(row["clock_mhz"]), math.sqrt(high / low)
                self._factors.setdefault(name, []).append(factor)

    def factor(self, name: Name, series: str, clock_mhz: float) -> float:
        """The factor at the nearest clock, of the same policies if possible; 1 without any."""
        factors = self._factors.get(name, [])
        policies = parse_series(series).policies
        alike = [factor for factor in factors if factor[0] == policies] or factors
        nearest = min(alike, key=lambda factor: abs(math.log(factor[1] / clock_mhz)), default=None)
        return nearest[2] if nearest else 1.0


def layout_factors(run: AnalysedRun, directories: Sequence[Path]) -> LayoutFactors:
    """The factors between layouts of the run's system in `directories`. Raises ResultsError."""
    if not directories:
        return LayoutFactors(None)
    groups = several(layout_groups(load_runs(directories), suites()))
    return LayoutFactors(layouts_table(borrowed_groups([run], groups, directories)))


@dataclass(frozen=True, eq=False)
class IntervalWidths:
    """Computes the factor, with 95 %, of a predicted value; simulated ones are `settled`."""

    errors: Mapping[Name, ErrorSpread]
    layouts: LayoutFactors
    wait_deviations: Mapping[tuple[str, str, str], float]
    settled: bool

    def factors(self, rows: pd.DataFrame, quantity: str) -> pd.Series:
        """The factor of each row; NaN without errors of its quantity and benchmark."""
        factors = [
            self._factor(
                (quantity, row.get("set", ""), row.get("benchmark", ""), row.get("fs", "")),
                row["series"],
                row["clock_mhz"],
                self.wait_deviations.get(
                    (row["key"], row.get("benchmark", ""), row.get("fs", "")), 0.0
                ),
            )
            for row in rows.to_dict("records")
        ]
        series = pd.Series(factors, index=rows.index, dtype=float)
        return series.mask(rows["simulated"] == "yes", 1.0) if self.settled else series

    def _factor(self, name: Name, series: str, clock_mhz: float, deviation: float) -> float:
        if name not in self.errors:
            return NAN
        layout_and_wait = _combined(
            self.layouts.factor(name, series, clock_mhz), math.exp(_NORMAL * deviation)
        )
        return _combined(self.errors[name].factor, layout_and_wait)


def _combined(factor: float, other: float) -> float:
    """The factor of two independent ones; NaN if the first is NaN."""
    return math.exp(math.hypot(math.log(factor), math.log(other)))
