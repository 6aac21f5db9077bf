# SPDX-License-Identifier: BSD-3-Clause
"""Curves of series with two clocks: R between the clocks by the formula of `osgap predict`.

Of a benchmark's time one part follows the processor, and the other stays the same.  Two clocks give
both parts, and so R between them, where a straight line would be off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from osgap.analysis.resampling import Array

STEPS = 33
_CLOSE = 0.005


def curve(
    group: pd.DataFrame, tables: Mapping[str, pd.DataFrame], benchmarks: Sequence[str]
) -> tuple[Array, Array]:
    """Returns x (MIPS ratio) and y (mean R) of a series' line, from its rows of the table geomean.

    Of two clocks the line has STEPS points, if the table `relative` has the rows of the mean, which
    is over `benchmarks`; otherwise its points are those of `group`.
    """
    ordered = group.sort_values("mips_ratio")
    x, y = (ordered[name].to_numpy(dtype=float) for name in ("mips_ratio", "geomean"))
    if len(ordered) != 2 or "relative" not in tables:
        return x, y
    ends = _last_speeds(ordered.iloc[-1], tables["relative"], benchmarks)
    if not len(ends) or abs(np.exp(np.log(ends).mean()) / y[-1] - 1) > _CLOSE:
        return x, y
    between = np.geomspace(x[0], x[-1], STEPS)
    # R = 1 / (1 + slow * (x - 1)); `slow` is the part of the first time that stays the same.
    slow = (1 / ends - 1) / (x[-1] - 1)
    logs = -np.log1p(np.outer(between - 1, slow)).mean(axis=1)
    return between, np.exp(logs) * y[0]


def _last_speeds(last: pd.Series, relatives: pd.DataFrame, benchmarks: Sequence[str]) -> Array:
    """Returns R of each of the benchmarks and file systems at the series' faster clock."""
    rows = relatives[
        (relatives["series"] == last["series"])
        & (relatives["clock_mhz"] == last["clock_mhz"])
        & relatives["benchmark"].isin(benchmarks)
    ]
    speeds: Array = rows[rows["relative"] > 0]["relative"].to_numpy(dtype=float)
    return speeds
