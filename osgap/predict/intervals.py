# SPDX-License-Identifier: BSD-3-Clause
"""What another layout of the image would do to a predicted number, from layouts that were run."""

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
from osgap.predict.errors import Name, Spread
from osgap.suites import load_runs, suites

_NORMAL = 1.96


class Layouts:
    """By how much one more layout is off, with 95 %, as a factor; `rows` is the table `layouts`."""

    def __init__(self, rows: pd.DataFrame | None) -> None:
        self._known: dict[Name, list[tuple[str, float, float]]] = {}
        for row in [] if rows is None else rows.to_dict("records"):
            low, high = float(row["one_low"]), float(row["one_high"])
            if 0 < low < high:
                name = (
                    str(row["quantity"]),
                    str(row["set"]),
                    str(row["benchmark"]),
                    str(row["fs"]),
                )
                place = str(row["series"]), float(row["clock_mhz"]), math.sqrt(high / low)
                self._known.setdefault(name, []).append(place)

    def factor(self, name: Name, series: str, clock_mhz: float) -> float:
        """At the nearest clock that is known, in the same series where that is; 1 where none is."""
        known = self._known.get(name, [])
        policies = parse_series(series).policies
        own = [place for place in known if place[0] == policies] or known
        nearest = min(own, key=lambda place: abs(math.log(place[1] / clock_mhz)), default=None)
        return nearest[2] if nearest else 1.0


def layouts(run: AnalysedRun, directories: Sequence[Path]) -> Layouts:
    """The layouts of the run's system in and below `directories`; without any, none.

    Raises ResultsError where there are no two of that system.
    """
    if not directories:
        return Layouts(None)
    groups = several(layout_groups(load_runs(directories), suites()))
    return Layouts(layouts_table(borrowed_groups([run], groups, directories)))


def together(one: float, other: float) -> float:
    """Two independent factors; NaN where the first is not known."""
    return math.exp(math.hypot(math.log(one), math.log(other)))


@dataclass(frozen=True, eq=False)
class IntervalWidths:
    """By what factor a number may be off: the formula's errors, what layouts do, and the disk.

    `waits` are standard deviations by key, benchmark and file system (osgap.predict.tables).
    """

    errors: Mapping[Name, Spread]
    layouts: Layouts
    waits: Mapping[tuple[str, str, str], float]
    settled: bool

    def of(self, rows: pd.DataFrame, quantity: str) -> pd.Series:
        """For each of `rows`, NaN where it is not known, and 1 for what is as simulated."""
        factors = [
            self._factor(
                (quantity, row.get("set", ""), row.get("benchmark", ""), row.get("fs", "")),
                row["series"],
                row["clock_mhz"],
                self.waits.get((row["key"], row.get("benchmark", ""), row.get("fs", "")), 0.0),
            )
            for row in rows.to_dict("records")
        ]
        known = pd.Series(factors, index=rows.index, dtype=float)
        return known.mask(rows["simulated"] == "yes", 1.0) if self.settled else known

    def _factor(self, name: Name, series: str, clock_mhz: float, wait: float) -> float:
        if name not in self.errors:
            return NAN
        layouts = together(self.layouts.factor(name, series, clock_mhz), math.exp(_NORMAL * wait))
        return together(self.errors[name].factor, layouts)
