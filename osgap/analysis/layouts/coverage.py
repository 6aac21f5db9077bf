# SPDX-License-Identifier: BSD-3-Clause
"""Checks the intervals: does a run outside the layouts lie in their prediction interval?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.columns import ENGINE, MACHINE, count, ends, flag, text
from osgap.analysis.layouts.groups import LayoutGroup, LayoutSample, image_of, match
from osgap.analysis.layouts.table import KEY_COLUMNS, LAYOUTS, layouts_table
from osgap.analysis.layouts.values import IN_LOGS, KEYS, SPEED, SampleValues, sample_values, values
from osgap.analysis.table import Column, Table

COVERED = Table(
    "covered",
    "whether a run lies where the other layouts let expect: rows, and how many do",
    (
        text("run", "the run's directory"),
        ENGINE,
        MACHINE,
        *KEY_COLUMNS,
        count("layouts", "layouts behind the interval"),
        Column("value", "the run's number", "as quantity"),
        *ends("one_", "the 95 % interval of one more layout", "as quantity"),
        flag("covered", "whether the run's number lies in the interval"),
    ),
    order=310,
)
COUNT_COLUMNS = [
    "quantity",
    "benchmark",
    "fs",
    "rows",
    "covered",
    "share",
    "median_width",
    "median_one_width",
]


def covered_table(runs: Sequence[AnalysedRun], groups: Sequence[LayoutGroup]) -> pd.DataFrame:
    """One row for each number that a run and the other layouts of its system have (COVERED)."""
    pairs = [(run, group) for run in runs if (group := match(run, groups))]
    by_group = {group: sample_values(group) for group in dict.fromkeys(group for _, group in pairs)}
    frames = [_covered(run, group, by_group[group]) for run, group in pairs]
    frames = [frame for frame in frames if len(frame)]
    return pd.concat(frames, ignore_index=True) if frames else COVERED.frame([])


def _covered(run: AnalysedRun, group: LayoutGroup, by_sample: SampleValues) -> pd.DataFrame:
    layouts = layouts_table([group.without(image_of(run).digest)], by_sample)
    numbers = values(LayoutSample(0, 0, "", run, run.tables))
    numbers = numbers[numbers["whole"].isna() & np.isfinite(numbers["value"])]
    logs = numbers["quantity"].isin(IN_LOGS)
    plain = numbers["value"].where(~logs, np.exp(numbers["value"].where(logs)))
    numbers = numbers.assign(value=plain)
    joined = numbers[[*KEYS, "value"]].merge(layouts[LAYOUTS.names], on=KEYS)
    inside = joined["value"].between(joined["one_low"], joined["one_high"])
    joined["covered"] = np.where(inside, "yes", "no")
    table: pd.DataFrame = joined.assign(run=str(run.path))[COVERED.names]
    return table


def counts(covered: pd.DataFrame, layouts: pd.DataFrame) -> pd.DataFrame:
    """Covered rows of each benchmark, and of all, for R and mean R (columns COUNT_COLUMNS).

    The widths are medians over series and clocks, relative to the estimate.
    """
    estimates = layouts.assign(
        one_width=(layouts["one_high"] - layouts["one_low"]) / layouts["estimate"]
    )
    by = ["quantity", "set", "benchmark", "fs"]
    medians = {
        key: tuple(group[["width", "one_width"]].median())
        for key, group in estimates.groupby(by, sort=False)
    }
    rows = []
    for (quantity, name, benchmark, fs), group in covered.groupby(by, sort=False):
        if quantity in IN_LOGS and quantity != "time":
            widths = medians[quantity, name, benchmark, fs]
            rows.append((quantity, benchmark or name, fs, *_count(group), *widths))
    speeds = covered[covered["quantity"] == SPEED]
    if len(speeds):
        of_speeds = estimates["quantity"] == SPEED
        widths = tuple(estimates.loc[of_speeds, ["width", "one_width"]].median())
        rows.append((SPEED, "all", "", *_count(speeds), *widths))
    return pd.DataFrame(rows, columns=COUNT_COLUMNS)


def _count(rows: pd.DataFrame) -> tuple[int, int, float]:
    inside = int((rows["covered"] == "yes").sum())
    return len(rows), inside, inside / len(rows)
