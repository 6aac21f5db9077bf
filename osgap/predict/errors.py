# SPDX-License-Identifier: BSD-3-Clause
"""How far predictions are from points that were simulated and not used.

Errors are log(predicted / simulated). Of points that are all used each is left out in turn, but for
those from which the others follow (osgap.predict.points_to_simulate): without them nothing would.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from osgap.analysis.analysed import Tables
from osgap.analysis.layouts.values import MEAN, SPEED, TIME
from osgap.analysis.relative import NAN
from osgap.analysis.resampling import CONFIDENCE
from osgap.analysis.suite import Suite
from osgap.predict.observations import Observations
from osgap.predict.points_to_simulate import first_keys
from osgap.predict.tables import Machine, model, tables

Name = tuple[str, str, str, str]
"""Quantity, set, benchmark and file system."""
ERROR_COLUMNS = [
    "quantity",
    "set",
    "benchmark",
    "fs",
    "series",
    "clock_mhz",
    "key",
    "used",
    "error",
]
_NAME = ["quantity", "set", "benchmark", "fs"]
_FEWEST = 2
"""Points that predict others."""
_ALL_ROWS = 3
"""A row's own errors are few; those of all rows count as this many more of them."""


@dataclass(frozen=True)
class Spread:
    """The standard deviation of a row's errors, and its degrees of freedom."""

    sd: float
    df: int

    @property
    def factor(self) -> float:
        """By how much 95 % of predictions are off at most, as a factor; NaN where not known."""
        if not self.df:
            return NAN
        return float(np.exp(stats.t.ppf((1 + CONFIDENCE) / 2, self.df) * self.sd))


def errors(
    seen: Observations,
    used: Sequence[str],
    points: Sequence[Machine],
    simulated: Tables,
    suites: Sequence[Suite],
    *,
    beyond: bool = False,
) -> pd.DataFrame:
    """A row a number at each point that was simulated and not used (columns ERROR_COLUMNS).

    `points` are the run's own, `simulated` its tables. R is taken of predicted times, also at the
    clock that it is relative to. With `beyond`, for machines that wait more or less than all of
    these, the points at the ends are left out in turn too.
    """
    frames = [
        _errors(seen, train, left_out, points, simulated, suites)
        for train, left_out in _folds(seen, used, points, beyond=beyond)
    ]
    if not frames:
        return pd.DataFrame(columns=ERROR_COLUMNS)
    return pd.concat(frames, ignore_index=True)


def _folds(
    seen: Observations, used: Sequence[str], points: Sequence[Machine], *, beyond: bool
) -> Iterator[tuple[tuple[str, ...], set[str]]]:
    """The points to predict from, and those to predict."""
    others = {machine.key for machine in points} - set(used)
    if others:
        yield tuple(used), others
        return
    kept = [] if beyond else first_keys({key: seen.systems[key] for key in used})
    for key in used:
        if key not in kept and len(used) > _FEWEST:
            yield tuple(other for other in used if other != key), {key}


def _errors(
    seen: Observations,
    train: tuple[str, ...],
    left_out: set[str],
    points: Sequence[Machine],
    simulated: Tables,
    suites: Sequence[Suite],
) -> pd.DataFrame:
    made = tables(model(seen, train), points, suites, "")
    frames = [
        _apart(made["times"], simulated["times"], ["key", "benchmark", "fs"], "ns_per_op", TIME),
        _apart(
            made["relative"],
            simulated["relative"],
            ["series", "clock_mhz", "key", "benchmark", "fs"],
            "relative",
            SPEED,
        ),
        _apart(
            made["geomean"],
            simulated["geomean"],
            ["set", "series", "clock_mhz", "key"],
            "geomean",
            MEAN,
        ),
    ]
    found = pd.concat(frames, ignore_index=True)
    found = found[found["key"].isin(left_out)].assign(used=len(train))
    # The reference's own R is 1 whatever is predicted.
    found = found[(found["error"] != 0) | (found["quantity"] == TIME)]
    whole = found.reindex(columns=ERROR_COLUMNS)
    return whole.fillna({"set": "", "benchmark": "", "fs": "", "series": ""})


def _apart(
    made: pd.DataFrame, simulated: pd.DataFrame, keys: list[str], column: str, quantity: str
) -> pd.DataFrame:
    both = made[[*keys, column]].merge(simulated[[*keys, column]], on=keys, suffixes=("", "_was"))
    both = both[(both[column] > 0) & (both[f"{column}_was"] > 0)]
    error = np.log(both[column] / both[f"{column}_was"])
    return both[keys].assign(quantity=quantity, error=error)


def spreads(found: pd.DataFrame) -> dict[Name, Spread]:
    """Of each quantity, set, benchmark and file system that has errors."""
    known: dict[Name, Spread] = {}
    for quantity, rows in found.groupby("quantity", sort=False):
        every = float((rows["error"] ** 2).mean())
        for (chosen, name, fs), own in rows.groupby(_NAME[1:], sort=False):
            squares = float((own["error"] ** 2).sum())
            count = len(own) + _ALL_ROWS
            sd = float(np.sqrt((squares + _ALL_ROWS * every) / count))
            known[str(quantity), str(chosen), str(name), str(fs)] = Spread(sd, count)
    return known


def sizes_text(apart: pd.Series) -> str:
    """How large errors are, median / 90 % / worst, in %."""
    half, most, worst = (f"{100 * apart.abs().quantile(q):.1f}" for q in (0.5, 0.9, 1.0))
    return f"{half} / {most} / {worst} %"
