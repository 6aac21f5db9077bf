# SPDX-License-Identifier: BSD-3-Clause
"""The table `layouts`: every number's mean over layouts with its two intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from osgap.analysis.layouts.groups import Group
from osgap.analysis.layouts.spread import Array, Bounds, Spread, ratio, spread
from osgap.analysis.layouts.values import IN_LOGS, KEYS, SHARES, group_values

WIDE = 0.1
"""An interval of the mean that is wider, by the estimate or for a plain number, is marked."""
GROUP_COLUMNS = ["engine", "machine", "variant", "calls"]
LAYOUT_COLUMNS = [
    *GROUP_COLUMNS,
    *KEYS,
    "layouts",
    "starts",
    "estimate",
    "low",
    "high",
    "one_low",
    "one_high",
    "width",
    "wide",
]
Key = tuple[object, ...]


def layouts_table(groups: Sequence[Group]) -> pd.DataFrame:
    """A row a number of each group of two layouts and more (columns LAYOUT_COLUMNS).

    `estimate` is the mean over layouts (geometric of times and R; of a share, mean part by mean
    log R), `low` and `high` its 95 % confidence interval, `one_low` and `one_high` where with 95 %
    one further layout from one start lies.  `width` is that of the first interval, relative to the
    estimate for times and R; `wide` is "yes" above WIDE.  A number that one layout alone has is
    left out.
    """
    rows = [row for group in groups for row in _rows(group)]
    return pd.DataFrame(rows, columns=LAYOUT_COLUMNS)


def spreads(group: Group) -> dict[Key, Spread]:
    """KEYS -> how it varies over the group's layouts; of quantities in IN_LOGS the logarithm."""
    return {
        _key(key): spread(_by_layout(own, "value"))
        for key, own in group_values(group).groupby(KEYS, sort=False, dropna=False)
    }


def _key(key: object) -> Key:
    """A key that equals itself: None for a clock that is not there."""
    assert isinstance(key, tuple)
    return tuple(None if isinstance(part, float) and part != part else part for part in key)


def _rows(group: Group) -> list[tuple[object, ...]]:
    if not group.has_several:
        return []
    where = group.engine, group.machine, group.variant, group.calls
    rows = []
    for key, own in group_values(group).groupby(KEYS, sort=False, dropna=False):
        found = spread(_by_layout(own, "value"))
        if found.layouts > 1:
            assert isinstance(key, tuple)
            numbers = _numbers(str(key[0]), own, found)
            rows.append((*where, *key, found.layouts, found.starts, *numbers))
    return rows


def _by_layout(rows: pd.DataFrame, column: str) -> list[Array]:
    return [own[column].to_numpy(dtype=float) for _, own in rows.groupby("layout")]


def _numbers(quantity: str, own: pd.DataFrame, found: Spread) -> tuple[object, ...]:
    """Estimate, both intervals, width, and whether it is wide."""
    if quantity in SHARES:
        part = ratio(_by_layout(own, "value"), _by_layout(own, "whole"))
        return _finished(part.estimate, part.interval, part.one_more, 1.0)
    if quantity in IN_LOGS:
        middle = float(np.exp(found.mean))
        return _finished(middle, _exp(found.interval()), _exp(found.one_more()), middle)
    return _finished(found.mean, found.interval(), found.one_more(), 1.0)


def _exp(bounds: Bounds) -> Bounds:
    return float(np.exp(bounds[0])), float(np.exp(bounds[1]))


def _finished(middle: float, mean: Bounds, one: Bounds, unit: float) -> tuple[object, ...]:
    width = (mean[1] - mean[0]) / unit
    wide = "" if np.isnan(width) else "yes" if width > WIDE else "no"
    return middle, *mean, *one, width, wide
