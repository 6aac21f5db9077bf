# SPDX-License-Identifier: BSD-3-Clause
"""Averages the tables of a group of layouts into one run's tables."""

from __future__ import annotations

import numpy as np
import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.layouts.groups import LayoutGroup

_IN_LOGS = {
    "relative": ["value", "mips", "reference_value", "reference_mips", "relative"],
    "geomean": ["mips", "mips_ratio", "geomean"],
    "elasticity": [],
}
_KEYS = {
    "relative": ["series", "clock_mhz", "benchmark", "fs", "metric"],
    "geomean": ["set", "series", "clock_mhz"],
    "elasticity": ["series", "benchmark", "fs", "kind", "clock_low_mhz", "clock_high_mhz"],
}


def mean_tables(group: LayoutGroup) -> Tables:
    """The lowest layout's tables, with R, means and elasticities averaged by start and layout."""
    tables = dict(group.samples[0].run.tables)
    return {**tables, **{name: _mean_table(group, name, tables[name]) for name in _KEYS}}


def _mean_table(group: LayoutGroup, name: str, first: pd.DataFrame) -> pd.DataFrame:
    keys, logs = _KEYS[name], _IN_LOGS[name]
    numbers = logs or ["elasticity"]
    frames = []
    for sample in group.samples:
        table = sample.tables[name][[*keys, *numbers]].copy()
        values = table[logs].astype(float)
        table[logs] = np.log(values.where(values > 0))
        frames.append(table.assign(layout=sample.layout, start=sample.start))
    # A run that was read twice counts once.
    rows = pd.concat(frames, ignore_index=True).drop_duplicates(["layout", "start", *keys])
    by_layout = rows.groupby([*keys, "layout"], sort=False)[numbers].mean()
    means = by_layout.groupby(keys, sort=False).mean().reset_index()
    means[logs] = np.exp(means[logs])
    joined: pd.DataFrame = first.drop(columns=numbers).merge(means, on=keys, how="left")
    return joined[list(first.columns)]
