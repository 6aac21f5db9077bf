# SPDX-License-Identifier: BSD-3-Clause
"""What `osgap predict` does: a run's points, the grid asked for, and the tables of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from osgap.analysis.layouts.values import MEAN, SPEED, TIME
from osgap.analysis.placed import AnalysedRun, Tables
from osgap.analysis.relative import NAN
from osgap.predict import grid
from osgap.predict.errors import Name, Spread, errors, spreads
from osgap.predict.layouts import Layouts, layouts, together
from osgap.predict.observe import observations
from osgap.predict.times import model, tables
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs, suites

PREDICTED_COLUMNS = [
    "machine", "series", "clock_mhz", "latency_ns", "bandwidth_mb_s", "rotation_ns", "benchmark",
    "fs", "metric", "value", "low", "high", "ns_per_op", "mips", "relative", "relative_low",
    "relative_high",
]  # fmt: skip
MEAN_COLUMNS = [
    "set", "machine", "series", "clock_mhz", "latency_ns", "bandwidth_mb_s", "rotation_ns", "mips",
    "n", "of", "geomean", "low", "high",
]  # fmt: skip
_PLACE = ["key", "machine", "series", "latency_ns", "bandwidth_mb_s", "rotation_ns"]


@dataclass(frozen=True, eq=False)
class Prediction:
    """A grid's tables, as of simulated points; with intervals in `predicted` and `means`.

    `used` are the keys of the points that it follows from, `errors` those at points that it does
    not (osgap.predict.errors).
    """

    tables: Tables
    predicted: pd.DataFrame
    means: pd.DataFrame
    used: tuple[str, ...]
    errors: pd.DataFrame


def predict(
    path: Path,
    axes: Mapping[str, Any],
    use: Sequence[str],
    machines: Path,
    lenders: Sequence[Path] = (),
    names: Sequence[str] = (),
) -> Prediction:
    """From the run in `path` the grid of `axes`; without any, that of the run's own sweep.

    With `names` other machines are predicted in its place, which have the run's caches and core.

    `use` are beginnings of the keys of the points to use, none for all of them; `machines` is the
    folder of machine files. With runs of several layouts in `lenders` intervals are those of
    another layout. Raises OsgapError.
    """
    grid.check(axes)
    analysed = _only_run(path)
    run, known = analysed.run, suites()
    seen = observations(run, analysed.tables["samples"])
    used = tuple(grid.finished_keys(run, use))
    points = grid.simulated(run)
    if names:
        asked = grid.others(run, names, machines)
    else:
        asked = grid.machines(run, axes or grid.own_axes(run), machines)
    made = tables(model(seen, used), asked, known, analysed.engine)
    apart = errors(seen, used, points, analysed.tables, known)
    at = {machine.key: machine.system for machine in asked}
    placed = made["points"].assign(
        rotation_ns=[at[str(key)].disk.rotation_ns for key in made["points"]["key"]]
    )
    own = _Widths(spreads(apart), layouts(analysed, lenders))
    return Prediction(made, _predicted(made, placed, own), _means(made, placed, own), used, apart)


def _only_run(path: Path) -> AnalysedRun:
    runs = load_runs([path])
    if len(runs) != 1:
        raise ResultsError(f"{path}: holds {len(runs)} runs; allowed: one")
    return runs[0]


@dataclass(frozen=True, eq=False)
class _Widths:
    """By what factor a number may be off, from the formula's errors and what layouts do."""

    errors: Mapping[Name, Spread]
    layouts: Layouts

    def of(self, rows: pd.DataFrame, quantity: str) -> pd.Series:
        """For each of `rows`, NaN where it is not known."""
        factors = [
            self._factor(
                (quantity, row.get("set", ""), row.get("benchmark", ""), row.get("fs", "")),
                row["series"],
                row["clock_mhz"],
            )
            for row in rows.to_dict("records")
        ]
        return pd.Series(factors, index=rows.index, dtype=float)

    def _factor(self, name: Name, series: str, clock_mhz: float) -> float:
        if name not in self.errors:
            return NAN
        return together(self.errors[name].factor, self.layouts.factor(name, series, clock_mhz))


def _predicted(made: Tables, placed: pd.DataFrame, widths: _Widths) -> pd.DataFrame:
    costs = made["times"][["key", "benchmark", "fs", "ns_per_op"]]
    rows = made["relative"].merge(placed[_PLACE], on=["key", "series"])
    rows = rows.merge(costs, on=["key", "benchmark", "fs"])
    times, speeds = widths.of(rows, TIME), widths.of(rows, SPEED)
    # The reference's R is 1 by definition.
    speeds = speeds.mask(rows["relative"] == 1, 1.0)
    return rows.assign(
        low=rows["value"] / times, high=rows["value"] * times,
        relative_low=rows["relative"] / speeds, relative_high=rows["relative"] * speeds,
    )[PREDICTED_COLUMNS]  # fmt: skip


def _means(made: Tables, placed: pd.DataFrame, widths: _Widths) -> pd.DataFrame:
    rows = made["geomean"].merge(placed[_PLACE], on=["key", "series"])
    factors = widths.of(rows, MEAN).mask(rows["geomean"] == 1, 1.0)
    low, high = rows["geomean"] / factors, rows["geomean"] * factors
    return rows.assign(low=low, high=high)[MEAN_COLUMNS]
