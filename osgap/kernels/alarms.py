# SPDX-License-Identifier: BSD-3-Clause
"""Counts the false alarms of comparisons of a kernel with itself in other layouts.

The layouts are divided at random into comparisons of a few pairs each, several times. Those of one
division share no layout; those of two divisions share some, but hardly any pair. Whatever a
comparison says to differ is a false alarm. For layouts whose times are normal, the number of alarms
varies over such comparisons as over independent ones: the ratio of the variances is 0.94 to 1.07
(1,500 simulated sets of 40 layouts).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from osgap.analysis import student
from osgap.analysis.columns import count, ends
from osgap.analysis.resampling import CONFIDENCE, SEED, Array
from osgap.analysis.table import Column, Table
from osgap.kernels.judgement import EQUAL, judgements

PAIRS = (3, 5, 10)
"""Numbers of pairs of layouts in a comparison."""
FEWEST = 20
"""Comparisons of each number of pairs; there are divisions until there are as many."""
KERNEL_AB_ALARMS = Table(
    "kernel_ab_alarms",
    "false alarms of comparisons of a kernel with itself in other layouts",
    (
        count("layouts", "pairs of layouts in a comparison"),
        count("comparisons", "comparisons"),
        count("divisions", "divisions of all layouts into comparisons that share none"),
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
    """One row for each of PAIRS of which a division has two comparisons or more (KERNEL_AB_ALARMS).

    `base` and `other` are observations of one kernel, in layouts with numbers of their own.
    """
    observed = pd.concat([base, other], ignore_index=True)
    layouts = np.array(sorted(observed["layout"].unique()))
    rows = []
    for pairs in PAIRS:
        per_division = len(layouts) // (2 * pairs)
        if per_division > 1:
            divisions = -(-FEWEST // per_division)
            verdicts = [
                judgements(_side(observed, first), _side(observed, second))
                for first, second in sides(layouts, pairs, divisions)
            ]
            rows.append((pairs, len(verdicts), divisions, *_numbers(verdicts)))
    return KERNEL_AB_ALARMS.frame(rows)


def sides(layouts: Array, pairs: int, divisions: int) -> Iterator[tuple[Array, Array]]:
    """Both sides' layouts of the comparisons of `divisions`; what is left over is not used."""
    random = np.random.default_rng([SEED, pairs])
    for _ in range(divisions):
        order = random.permutation(layouts)
        for begin in range(0, len(order) - 2 * pairs + 1, 2 * pairs):
            yield order[begin : begin + pairs], order[begin + pairs : begin + 2 * pairs]


def _side(observed: pd.DataFrame, layouts: Array) -> pd.DataFrame:
    """The observations of these layouts, numbered in this order, in which they become pairs."""
    chosen = observed[observed["layout"].isin(layouts)]
    places = {number: place for place, number in enumerate(layouts)}
    return chosen.assign(layout=chosen["layout"].map(places))


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
        *(sum(rows), sum(alone), middle, *interval),
        *(alarms, share, *_clopper_pearson(alarms, comparisons)),
    )


def _clopper_pearson(count: int, total: int) -> tuple[float, float]:
    """The exact 95 % interval of a share, in percent."""
    from scipy import special

    tail = (1 - CONFIDENCE) / 2
    low = special.betaincinv(count, total - count + 1, tail) if count else 0.0
    high = special.betaincinv(count + 1, total - count, 1 - tail) if count < total else 1.0
    return 100 * float(low), 100 * float(high)
