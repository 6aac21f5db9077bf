# SPDX-License-Identifier: BSD-3-Clause
"""Errors of predictions at points that were simulated, but not used for the prediction.

An error is log(predicted / simulated). If all points are used, each is left out in turn, except
those that determine the others (osgap.predict.points_to_simulate).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from osgap.analysis import student
from osgap.analysis.analysed import AnalysedRun, Tables
from osgap.analysis.columns import BENCHMARK, CLOCK_MHZ, FS, KEY, SERIES, SET, count, text
from osgap.analysis.layouts.values import MEAN, SPEED, TIME
from osgap.analysis.relative import NAN
from osgap.analysis.resampling import CONFIDENCE
from osgap.analysis.suite import Suite
from osgap.analysis.table import Column, Table
from osgap.predict import grid
from osgap.predict.grid import GridMachine
from osgap.predict.model import model
from osgap.predict.observations import Observations
from osgap.predict.points_to_simulate import first_keys
from osgap.predict.tables import tables

Name = tuple[str, str, str, str]
"""Quantity, set, benchmark and file system."""
_NAME = (text("quantity", "the quantity that is predicted: time, R or mean_R"), SET, BENCHMARK, FS)
ERRORS = Table(
    "errors",
    "of a prediction: its error at each simulated point that it does not use",
    (
        *_NAME,
        SERIES,
        CLOCK_MHZ,
        KEY,
        count("used", "points that the value was predicted from"),
        Column("error", "log(predicted / simulated)"),
    ),
)
_MIN_POINTS = 2
"""Points that suffice to predict others."""
_POOLED_ERRORS = 3
"""Shrinkage: the pooled variance counts as this many extra errors per row."""


@dataclass(frozen=True)
class ErrorSpread:
    """The standard deviation of a row's errors, and its degrees of freedom."""

    sd: float
    df: int

    @property
    def factor(self) -> float:
        """The factor within which 95 % of predictions are right; NaN without errors."""
        if not self.df:
            return NAN
        return float(np.exp(student.quantile(self.df, (1 + CONFIDENCE) / 2) * self.sd))


def errors(
    analysed: AnalysedRun,
    observations: Observations,
    used: Sequence[str],
    suites: Sequence[Suite],
    *,
    beyond: bool = False,
) -> pd.DataFrame:
    """A row (ERRORS) for each number at each point of the run that was simulated and not used.

    With `beyond`, for machines that wait more or less than all points used, the outermost points
    are left out in turn too.
    """
    points = grid.simulated(analysed.run)
    frames = [
        _errors(observations, train, left_out, points, analysed.tables, suites)
        for train, left_out in _folds(observations, used, points, beyond=beyond)
    ]
    if not frames:
        return ERRORS.frame([])
    return pd.concat(frames, ignore_index=True)


def _folds(
    observations: Observations,
    used: Sequence[str],
    points: Sequence[GridMachine],
    *,
    beyond: bool,
) -> Iterator[tuple[tuple[str, ...], set[str]]]:
    """Keys of the points to predict from, and of those to predict."""
    unused = {machine.key for machine in points} - set(used)
    if unused:
        yield tuple(used), unused
        return
    required = [] if beyond else first_keys({key: observations.systems[key] for key in used})
    for key in used:
        if key not in required and len(used) > _MIN_POINTS:
            yield tuple(other for other in used if other != key), {key}


def _errors(
    observations: Observations,
    train: tuple[str, ...],
    left_out: set[str],
    points: Sequence[GridMachine],
    simulated: Tables,
    suites: Sequence[Suite],
) -> pd.DataFrame:
    predicted = tables(model(observations, train), points, suites, "")
    position = ["series", "clock_mhz", "key"]
    columns = (
        (TIME, "times", ["key", "benchmark", "fs"], "ns_per_op"),
        (SPEED, "relative", [*position, "benchmark", "fs"], "relative"),
        (MEAN, "geomean", ["set", *position], "geomean"),
    )
    frames = [
        _log_ratios(predicted[name], simulated[name], keys, column).assign(quantity=quantity)
        for quantity, name, keys, column in columns
    ]
    rows = pd.concat(frames, ignore_index=True)
    rows = rows[rows["key"].isin(left_out)].assign(used=len(train))
    # R of the reference is 1 by definition, whatever is predicted.
    rows = rows[(rows["error"] != 0) | (rows["quantity"] == TIME)]
    return rows.reindex(columns=ERRORS.names).fillna(
        {"set": "", "benchmark": "", "fs": "", "series": ""}
    )


def _log_ratios(
    predicted: pd.DataFrame, simulated: pd.DataFrame, keys: list[str], column: str
) -> pd.DataFrame:
    """Errors of `column` in the rows with the same `keys`; none where a value is not positive."""
    pairs = predicted[[*keys, column]].merge(
        simulated[[*keys, column]], on=keys, suffixes=("", "_simulated")
    )
    pairs = pairs[(pairs[column] > 0) & (pairs[f"{column}_simulated"] > 0)]
    return pairs[keys].assign(error=np.log(pairs[column] / pairs[f"{column}_simulated"]))


def spreads(errors: pd.DataFrame) -> dict[Name, ErrorSpread]:
    """The spread of each quantity, set, benchmark and file system that has errors."""
    by_name: dict[Name, ErrorSpread] = {}
    for quantity, rows in errors.groupby("quantity", sort=False):
        pooled = float((rows["error"] ** 2).mean())
        for (set_name, name, fs), group in rows.groupby(["set", "benchmark", "fs"], sort=False):
            squares = float((group["error"] ** 2).sum())
            df = len(group) + _POOLED_ERRORS
            sd = float(np.sqrt((squares + _POOLED_ERRORS * pooled) / df))
            by_name[str(quantity), str(set_name), str(name), str(fs)] = ErrorSpread(sd, df)
    return by_name


def sizes_text(errors: pd.Series) -> str:
    """The sizes of errors as a text: median / 90 % / worst, in %."""
    median, most, worst = (f"{100 * errors.abs().quantile(q):.1f}" for q in (0.5, 0.9, 1.0))
    return f"{median} / {most} / {worst} %"
