# SPDX-License-Identifier: BSD-3-Clause
"""Splits the time that a lock is held into cycles and memory's time, by runs at several clocks.

A hold of C cycles and M seconds of memory takes C / f + M at the clock f where memory is fixed:
the study's model of a time (osgap.predict), which is exact where a core waits for each miss.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.optimize import nnls

from osgap.analysis.columns import ENGINE, count
from osgap.analysis.table import Column, Table
from osgap.suites.kennaway.tables import COPIES, HARTS, LAYOUT, LOCK, MACHINE, MEDIUM

HOLDS = Table(
    "holds",
    "the time that the lock is held for each extraction, split into cycles and memory's time",
    (
        ENGINE,
        MEDIUM,
        HARTS,
        MACHINE,
        LAYOUT,
        LOCK,
        COPIES,
        count("clocks", "clocks with memory as it is, at which the lock was timed"),
        Column("hold_cycles", "cycles that do not wait for memory, of each extraction"),
        Column("memory_us", "time that waits for memory, of each extraction", "us"),
        Column("slowest_share", "the part of memory at the slowest of the clocks"),
        Column("fastest_share", "the part of memory at the fastest"),
        Column("error", "the largest error of this split at a clock", "%"),
    ),
)
_PLACE = ["engine", "fs", "harts", "machine", "layout", "lock", "copies"]
_FEWEST = 3
"""Two clocks would be split without an error, right or not."""
_US_PER_MS = 1e3


def hold_table(extractions: pd.DataFrame) -> pd.DataFrame:
    """One row (HOLDS) for each lock that was held at three clocks or more; empty without any."""
    batches = extractions[extractions["hold_ms"] > 0]
    rows = []
    for place, case in batches.groupby(_PLACE, sort=False):
        each = case["hold_ms"] * _US_PER_MS / case["copies"]
        each_us = each.groupby(case["clock_mhz"]).mean()
        if len(each_us) >= _FEWEST:
            rows.append((*place, len(each_us), *_split(each_us)))
    return HOLDS.frame(rows)


def _split(each_us: pd.Series) -> tuple[float, ...]:
    """Cycles, memory's us, its share at the slowest and fastest clock, the largest error in %."""
    clocks, times = each_us.index.to_numpy(dtype=np.float64), each_us.to_numpy(dtype=np.float64)
    # By relative errors, so that each clock counts as much.
    terms = np.column_stack([1 / clocks, np.ones_like(clocks)]) / times[:, None]
    (cycles, memory_us), _ = nnls(terms, np.ones_like(times))
    fitted = cycles / clocks + memory_us
    shares = memory_us / fitted
    slowest, fastest = shares[clocks.argmin()], shares[clocks.argmax()]
    error = 100 * np.abs(fitted / times - 1).max()
    return float(cycles), float(memory_us), float(slowest), float(fastest), float(error)
