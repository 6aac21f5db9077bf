# SPDX-License-Identifier: BSD-3-Clause
"""Averages the tables of a group of layouts into one run's tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.layouts.groups import LayoutGroup

_KEYS = {
    "relative": ["series", "clock_mhz", "benchmark", "fs", "metric"],
    "geomean": ["set", "series", "clock_mhz"],
    "elasticity": ["series", "benchmark", "fs", "kind", "clock_low_mhz", "clock_high_mhz"],
}
_IN_LOGS = {
    "relative": ["value", "mips", "reference_value", "reference_mips", "relative"],
    "geomean": ["mips", "mips_ratio", "geomean"],
    "elasticity": [],
}
_PLAIN = {"relative": [], "geomean": [], "elasticity": ["elasticity"]}


def mean_tables(group: LayoutGroup) -> Tables:
    """The tables of the lowest layout with times, rates, R, means and elasticities averaged.

    Starts are averaged first, then the layouts that have the row.
    """
    tables = dict(group.samples[0].run.tables)
    return {**tables, **{name: _mean_table(group, name, tables[name]) for name in _KEYS}}


def _mean_table(group: LayoutGroup, name: str, first: pd.DataFrame) -> pd.DataFrame:
    keys, logs, plain = _KEYS[name], _IN_LOGS[name], _PLAIN[name]
    frames = []
    for sample in group.samples:
        table = sample.tables[name]
        numbers = table[[*keys, *logs, *plain]].copy()
        values = numbers[logs].astype(float)
        numbers[logs] = np.log(values.where(values > 0))
        frames.append(numbers.assign(layout=sample.layout, start=sample.start))
    means = _of_layouts(pd.concat(frames, ignore_index=True), keys, [*logs, *plain])
    means[logs] = np.exp(means[logs])
    labels = [column for column in first.columns if column not in (*logs, *plain)]
    joined: pd.DataFrame = first[labels].merge(means, on=keys, how="left")
    return joined[list(first.columns)]


def _of_layouts(rows: pd.DataFrame, keys: Sequence[str], numbers: Sequence[str]) -> pd.DataFrame:
    """Means over layouts of the means over starts; a run that was read twice counts once."""
    distinct = rows.drop_duplicates(["layout", "start", *keys])
    by_layout = distinct.groupby([*keys, "layout"], sort=False)[list(numbers)].mean()
    means: pd.DataFrame = by_layout.groupby(list(keys), sort=False).mean().reset_index()
    return means
