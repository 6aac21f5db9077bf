# SPDX-License-Identifier: BSD-3-Clause
"""Intervals of means of R from the table `layouts`, as figures and pages draw them."""

from __future__ import annotations

import pandas as pd

from osgap.analysis.layouts.values import MEAN

OF_MEAN = ("low", "high")
"""Columns of the interval of the mean over layouts."""
OF_ONE = ("one_low", "one_high")
"""Columns of the interval in which one more layout lies."""
COLUMNS = ["series", "clock_mhz", "low", "high"]


def mean_intervals(
    layouts: pd.DataFrame | None, set_name: str, ends: tuple[str, str] = OF_ONE
) -> pd.DataFrame:
    """The interval of a set's mean for each series and clock (COLUMNS); R is 1 at the reference."""
    if layouts is None:
        return pd.DataFrame(columns=COLUMNS)
    rows = layouts[(layouts["quantity"] == MEAN) & (layouts["set"] == set_name)]
    rows = rows.dropna(subset=list(ends))
    intervals = rows[["series", "clock_mhz", *ends]].set_axis(COLUMNS, axis="columns")
    references = rows.groupby("series", sort=False)["reference_mhz"].min().reset_index()
    references = references.set_axis(["series", "clock_mhz"], axis="columns")
    frames = [references.assign(low=1.0, high=1.0), intervals]
    every = pd.concat([frame for frame in frames if len(frame)] or frames)
    unique = every.drop_duplicates(["series", "clock_mhz"])
    return unique.sort_values(["series", "clock_mhz"], kind="stable").reset_index(drop=True)
