# SPDX-License-Identifier: BSD-3-Clause
"""The table of layouts: every number's mean over layouts with its two intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from osgap.analysis.columns import (
    BENCHMARK,
    CLOCK_MHZ,
    ENGINE,
    FS,
    MACHINE,
    SERIES,
    SET,
    count,
    ends,
    flag,
    text,
)
from osgap.analysis.layouts.groups import LayoutGroup
from osgap.analysis.layouts.spread import Bounds, Spread, ratio, spread
from osgap.analysis.layouts.values import IN_LOGS, KEYS, SHARES, SampleValues, group_values
from osgap.analysis.resampling import Array
from osgap.analysis.table import Column, Table

WIDE = 0.1
"""Wider intervals of the mean are marked; the width is relative to the estimate for times and R."""
KEY_COLUMNS = (
    text(
        "quantity",
        "time (ns), R, mean_R, elasticity, or memory_share, disk_share, rest_share of log R",
    ),
    SET,
    SERIES,
    Column(
        "reference_mhz", "the clock of the reference; of an elasticity, the slowest clock", "MHz"
    ),
    CLOCK_MHZ,
    BENCHMARK,
    FS,
)
"""The columns KEYS."""
LAYOUTS = Table(
    "layouts",
    "over layouts of one system: every R, mean, elasticity and share with its interval",
    (
        ENGINE,
        MACHINE,
        text("variant", "the lowest layout's image variant"),
        text("calls", "the way of system calls: direct, or one that reflects them to a server"),
        *KEY_COLUMNS,
        count("layouts", "layouts of the system"),
        count("starts", "starts of all layouts"),
        Column("estimate", "the mean over layouts, geometric for times and R", "as quantity"),
        *ends("", "the mean's 95 % interval", "as quantity"),
        *ends("one_", "the 95 % interval of one more layout", "as quantity"),
        Column("width", "high - low, relative to the estimate for times and R"),
        flag("wide", "whether width is over 0.1"),
    ),
    order=300,
)
Key = tuple[object, ...]


def layouts_table(
    groups: Sequence[LayoutGroup], by_sample: SampleValues | None = None
) -> pd.DataFrame:
    """One row for each number that two layouts or more of a group have (LAYOUTS).

    `by_sample` is as for `group_values`.
    """
    rows = [row for group in groups for row in _rows(group, by_sample)]
    return LAYOUTS.frame(rows)


def spreads(group: LayoutGroup) -> dict[Key, Spread]:
    """KEYS -> the spread over the group's layouts, of logarithms for quantities in IN_LOGS."""
    return {
        _key(key): spread(_by_layout(rows, "value"))
        for key, rows in group_values(group).groupby(KEYS, sort=False, dropna=False)
    }


def _key(key: object) -> Key:
    """A key that equals itself: None, not NaN, for a missing clock."""
    assert isinstance(key, tuple)
    return tuple(None if isinstance(part, float) and part != part else part for part in key)


def _rows(group: LayoutGroup, by_sample: SampleValues | None) -> list[tuple[object, ...]]:
    if not group.has_several:
        return []
    where = group.engine, group.machine, group.variant, group.calls
    rows = []
    for key, values in group_values(group, by_sample).groupby(KEYS, sort=False, dropna=False):
        over_layouts = spread(_by_layout(values, "value"))
        if over_layouts.layouts > 1:
            assert isinstance(key, tuple)
            numbers = _numbers(str(key[0]), values, over_layouts)
            rows.append((*where, *key, over_layouts.layouts, over_layouts.starts, *numbers))
    return rows


def _by_layout(rows: pd.DataFrame, column: str) -> list[Array]:
    return [group[column].to_numpy(dtype=float) for _, group in rows.groupby("layout")]


def _numbers(quantity: str, rows: pd.DataFrame, over_layouts: Spread) -> tuple[object, ...]:
    """Estimate, both intervals, width, and whether it is wide."""
    if quantity in SHARES:
        part = ratio(_by_layout(rows, "value"), _by_layout(rows, "whole"))
        return _finished(part.estimate, part.interval, part.one_more, 1.0)
    if quantity in IN_LOGS:
        middle = float(np.exp(over_layouts.mean))
        return _finished(
            middle, _exp(over_layouts.interval()), _exp(over_layouts.one_more()), middle
        )
    return _finished(over_layouts.mean, over_layouts.interval(), over_layouts.one_more(), 1.0)


def _exp(bounds: Bounds) -> Bounds:
    return float(np.exp(bounds[0])), float(np.exp(bounds[1]))


def _finished(middle: float, mean: Bounds, layout: Bounds, unit: float) -> tuple[object, ...]:
    width = (mean[1] - mean[0]) / unit
    wide = "" if np.isnan(width) else "yes" if width > WIDE else "no"
    return middle, *mean, *layout, width, wide
