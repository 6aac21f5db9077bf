# SPDX-License-Identifier: BSD-3-Clause
"""Spread of extractions at once between layouts of the kernel's code, beside their starts'."""

from __future__ import annotations

import numpy as np
import pandas as pd

from osgap.analysis.columns import CLOCK_MHZ, ENGINE, count, ends
from osgap.analysis.layouts.spread import spread
from osgap.analysis.table import Column, Table
from osgap.suites.kennaway.tables import COPIES, HARTS, LOCK, MACHINE, MEDIUM

SPREADS = Table(
    "spreads",
    "extractions at once: how much layouts of the kernel's code vary them, beside their starts",
    (
        ENGINE,
        MEDIUM,
        CLOCK_MHZ,
        HARTS,
        MACHINE,
        LOCK,
        COPIES,
        count("layouts", "layouts of the image's code"),
        Column("parallel_ms", "real time of the extractions at once, mean over layouts", "ms"),
        Column("starts_sd", "standard deviation of a start within a layout", "%"),
        Column("layouts_sd", "standard deviation between the layouts' means", "%"),
        Column("concurrency", "effective concurrency, mean over layouts"),
        *ends("", "the 95 % interval of that mean"),
        *ends("one_", "the 95 % interval of one more layout"),
    ),
)
_PLACE = ["engine", "fs", "clock_mhz", "harts", "machine", "lock", "copies"]


def spread_table(extractions: pd.DataFrame, concurrency: pd.DataFrame) -> pd.DataFrame:
    """One row (SPREADS) for each machine, file system, lock and number of extractions at once
    that was run in two layouts or more; empty without any."""
    times = extractions.groupby([*_PLACE, "layout"], sort=False)["real_ms"]
    rows = []
    for place, cases in concurrency.groupby(_PLACE, sort=False):
        if len(cases) < 2:
            continue
        layouts = [times.get_group((*place, layout)).to_numpy() for layout in cases["layout"]]
        times_ms = spread(layouts)
        gains = spread([np.array([gain]) for gain in cases["concurrency"]])
        within = np.sqrt(np.mean([layout.var(ddof=1) for layout in layouts]))
        percent = 100 / times_ms.mean
        rows.append(
            (
                *place,
                len(cases),
                times_ms.mean,
                percent * within,
                percent * np.sqrt(times_ms.between),
                gains.mean,
                *gains.interval(),
                *gains.one_more(),
            )
        )
    return SPREADS.frame(rows)
