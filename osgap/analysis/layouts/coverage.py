# SPDX-License-Identifier: BSD-3-Clause
"""Do the intervals hold?  A run that is not among the layouts, beside where one more should lie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.layouts.groups import Group, Sample, image_of, match
from osgap.analysis.layouts.table import LAYOUT_COLUMNS, layouts_table
from osgap.analysis.layouts.values import IN_LOGS, KEYS, SPEED, values

COVERED_COLUMNS = [
    "run",
    "engine",
    "machine",
    *KEYS,
    "layouts",
    "value",
    "one_low",
    "one_high",
    "covered",
]
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


def covered_table(runs: Sequence[AnalysedRun], groups: Sequence[Group]) -> pd.DataFrame:
    """A row a number that a run and layouts of its system have (columns COVERED_COLUMNS).

    `covered` says whether the run's `value` lies within `one_low` and `one_high` of the layouts.
    A run that is one of the layouts is left out of them, and judged by the others.  Shares have
    no rows: of one layout they are no ratio of means.
    """
    frames = [_covered(run, groups) for run in runs]
    known = [frame for frame in frames if len(frame)]
    if not known:
        return pd.DataFrame(columns=COVERED_COLUMNS)
    return pd.concat(known, ignore_index=True)


def _covered(run: AnalysedRun, groups: Sequence[Group]) -> pd.DataFrame:
    group = match(run, groups)
    if group is None:
        return pd.DataFrame(columns=COVERED_COLUMNS)
    others = layouts_table([group.without(image_of(run).digest)])
    own = values(Sample(0, 0, "", run, run.tables))
    own = own[own["whole"].isna() & np.isfinite(own["value"])]
    logs = own["quantity"].isin(IN_LOGS)
    own = own.assign(value=own["value"].where(~logs, np.exp(own["value"].where(logs))))
    joined = own[[*KEYS, "value"]].merge(others[LAYOUT_COLUMNS], on=KEYS)
    inside = joined["value"].between(joined["one_low"], joined["one_high"])
    joined["covered"] = np.where(inside, "yes", "no")
    table: pd.DataFrame = joined.assign(run=str(run.path))[COVERED_COLUMNS]
    return table


def counts(covered: pd.DataFrame, layouts: pd.DataFrame) -> pd.DataFrame:
    """How many rows of each benchmark are covered (columns COUNT_COLUMNS), R and mean R alone.

    Beside them the median over series and clocks of both intervals' widths by the estimate, as
    the table `layouts` has them.  The last row is of all rows of R.
    """
    shown = layouts.assign(
        one_width=(layouts["one_high"] - layouts["one_low"]) / layouts["estimate"]
    )
    by = ["quantity", "set", "benchmark", "fs"]
    medians = {
        key: tuple(own[["width", "one_width"]].median())
        for key, own in shown.groupby(by, sort=False)
    }
    rows = []
    for (quantity, name, benchmark, fs), own in covered.groupby(by, sort=False):
        if quantity in IN_LOGS and quantity != "time":
            widths = medians[quantity, name, benchmark, fs]
            rows.append((quantity, benchmark or name, fs, *_count(own), *widths))
    speeds = covered[covered["quantity"] == SPEED]
    if len(speeds):
        whole = shown.loc[shown["quantity"] == SPEED, ["width", "one_width"]].median()
        rows.append((SPEED, "all", "", *_count(speeds), *whole))
    return pd.DataFrame(rows, columns=COUNT_COLUMNS)


def _count(rows: pd.DataFrame) -> tuple[int, int, float]:
    inside = int((rows["covered"] == "yes").sum())
    return len(rows), inside, inside / len(rows)
