# SPDX-License-Identifier: BSD-3-Clause
"""Measured values of the boards, from board_values.csv, repeats taken together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from osgap.analysis.relative import defined, geometric_mean
from osgap.base.config import ConfigError
from osgap.base.quoting import quoted
from osgap.base.suggestions import unknown

_COLUMNS = ("board", "machine", "os", "metric", "value", "unit", "source")


@dataclass(frozen=True)
class Measured:
    """A measured value in `unit`, the board's spread, and the number of its values.

    `low` and `high` are of all the board's values, also those of other systems than the row's.
    """

    value: float
    low: float
    high: float
    unit: str
    count: int


class MeasuredValues:
    """The values of board_values.csv by board and metric."""

    def __init__(self, frame: pd.DataFrame, file: Path) -> None:
        for name in _COLUMNS:
            if name not in frame:
                raise ConfigError(f"{file}: has no column {name}")
        numbers = pd.to_numeric(frame["value"], errors="coerce")
        wrong = frame["value"][~numbers.map(defined)]
        if len(wrong):
            text = quoted(str(wrong.iloc[0]))
            where = f"{file}:{wrong.index[0] + 2}"
            raise ConfigError(f"{where}: value: found {text}; allowed: a number above 0")
        self._by_metric = {
            (str(board), str(metric)): rows
            for (board, metric), rows in frame.groupby(["board", "metric"], sort=False)
        }

    def measured(self, board: str, metrics: Sequence[str], system: str, where: str) -> Measured:
        """The sum over `metrics` of each one's geometric mean, of `system` alone if given."""
        parts = [self._of_metric(board, metric, system, where) for metric in metrics]
        units = list(dict.fromkeys(part.unit for part in parts))
        if len(units) > 1:
            raise ConfigError(f"{where}: metric: found units {', '.join(units)}; allowed: one unit")
        value, low, high = (
            sum(getattr(part, name) for part in parts) for name in ("value", "low", "high")
        )
        return Measured(value, low, high, units[0], min(part.count for part in parts))

    def _of_metric(self, board: str, metric: str, system: str, where: str) -> Measured:
        rows = self._by_metric.get((board, metric))
        if rows is None:
            names = [name for place, name in self._by_metric if place == board]
            raise ConfigError(f"{where}: metric: {unknown('value', metric, names)}")
        chosen = rows[rows["os"] == system] if system else rows
        if chosen.empty:
            systems = list(dict.fromkeys(map(str, rows["os"])))
            raise ConfigError(f"{where}: os: {unknown('system', system, systems)}")
        units = list(dict.fromkeys(map(str, rows["unit"])))
        if len(units) > 1:
            raise ConfigError(f"{where}: {metric}: found units {', '.join(units)}; allowed: one")
        values = rows["value"].astype(float)
        mean = geometric_mean(chosen["value"].astype(float))
        return Measured(mean, float(values.min()), float(values.max()), units[0], len(rows))
