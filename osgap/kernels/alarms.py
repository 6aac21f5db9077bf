# SPDX-License-Identifier: BSD-3-Clause
"""Counts the false alarms of comparisons of a kernel with itself in other layouts.

The pairs of layouts are divided into comparisons that share none, of a few pairs each. Whatever one
of them says to differ is a false alarm.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from osgap.analysis import student
from osgap.analysis.columns import count, ends
from osgap.analysis.resampling import CONFIDENCE
from osgap.analysis.table import Column, Table
from osgap.kernels.judgement import EQUAL, judgements

PAIRS = (3, 5, 10)
"""Numbers of pairs of layouts in a comparison."""
KERNEL_AB_ALARMS = Table(
    "kernel_ab_alarms",
    "false alarms of comparisons of a kernel with itself in other layouts",
    (
        count("layouts", "pairs of layouts in a comparison"),
        count("comparisons", "comparisons, which share no layout"),
        count("rows", "rows of all comparisons"),
        count("alone_alarms", "rows that differ if each is looked at alone"),
        Column("alone_percent", "their share of the rows; 5 are promised", "%"),
        *ends("alone_percent_", "the share's 95 % interval, over comparisons", "%"),
        count("alarms", "comparisons with a row that differs among all rows"),
        Column("alarms_percent", "their share of the comparisons; at most 5 are promised", "%"),
        *ends("alarms_percent_", "the share's 95 % interval, of Clopper and Pearson", "%"),
    ),
    order=430,
)


def alarm_table(base: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    """One row for each of PAIRS that gives two comparisons or more (KERNEL_AB_ALARMS).

    `base` and `other` are observations of one kernel.
    """
    rows = []
    for pairs in PAIRS:
        verdicts = list(_comparisons(base, other, pairs))
        if len(verdicts) > 1:
            rows.append((pairs, *_numbers(verdicts)))
    return KERNEL_AB_ALARMS.frame(rows)


def _comparisons(base: pd.DataFrame, other: pd.DataFrame, pairs: int) -> Iterator[pd.DataFrame]:
    """The verdicts on each `pairs` pairs of layouts; what is left over at the end is not used."""
    numbers = [sorted(side["layout"].unique()) for side in (base, other)]
    for first in range(0, min(map(len, numbers)) - pairs + 1, pairs):
        chosen = [layouts[first : first + pairs] for layouts in numbers]
        yield judgements(
            base[base["layout"].isin(chosen[0])], other[other["layout"].isin(chosen[1])]
        )


def _numbers(verdicts: list[pd.DataFrame]) -> tuple[object, ...]:
    """The columns from comparisons on."""
    comparisons = len(verdicts)
    rows = [len(table) for table in verdicts]
    alone = [int((table["alone"] == "yes").sum()) for table in verdicts]
    alarms = sum(bool((table["verdict"] != EQUAL).any()) for table in verdicts)
    shares = np.array(alone) / np.array(rows)
    half = student.quantile(comparisons - 1, (1 + CONFIDENCE) / 2)
    half *= float(shares.std(ddof=1)) / float(np.sqrt(comparisons))
    middle, share = 100 * sum(alone) / sum(rows), 100 * alarms / comparisons
    interval = (max(0.0, middle - 100 * half), middle + 100 * half)
    return (
        *(comparisons, sum(rows), sum(alone), middle, *interval),
        *(alarms, share, *_clopper_pearson(alarms, comparisons)),
    )


def _clopper_pearson(count: int, total: int) -> tuple[float, float]:
    """The exact 95 % interval of a share, in percent."""
    from scipy import special

    tail = (1 - CONFIDENCE) / 2
    low = special.betaincinv(count, total - count + 1, tail) if count else 0.0
    high = special.betaincinv(count + 1, total - count, 1 - tail) if count < total else 1.0
    return 100 * float(low), 100 * float(high)
