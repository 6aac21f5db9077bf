# SPDX-License-Identifier: BSD-3-Clause
"""What the guest's kernel counted of its lock around the file system."""

import pandas as pd

from osgap.rundir.load import Run

COUNTERS_COLUMNS = [
    "key",
    "benchmark",
    "fs",
    "counter",
    "batches",
    "median",
    "lowest",
    "highest",
]
_KEYS = COUNTERS_COLUMNS[:4]


def counters_table(run: Run) -> pd.DataFrame:
    """One row for each counter of a benchmark that tells them (columns COUNTERS_COLUMNS).

    Of a batch each: counts, and ns summed over all that waited for the lock, or held it.
    """
    frames = [run.points[key].counters.assign(key=key) for key in run.keys if key in run.points]
    counted = pd.concat(frames, ignore_index=True)
    table = counted.groupby(_KEYS, sort=False)["value"].agg(["size", "median", "min", "max"])
    return table.reset_index().set_axis(COUNTERS_COLUMNS, axis=1)
