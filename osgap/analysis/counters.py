# SPDX-License-Identifier: BSD-3-Clause
"""The table of counters: the guest kernel's statistics of its lock around the file system."""

import pandas as pd

from osgap.analysis.columns import POINT_KEYS, count, names, text
from osgap.analysis.table import Column, Table
from osgap.rundir.load import Run

COUNTERS = Table(
    "counters",
    "what the lock around the file system counted in a batch (variants smp-*)",
    (
        *POINT_KEYS,
        text("counter", "the counter's name; times are ns, summed over all waiters or holders"),
        count("batches", "batches that reported the counter"),
        Column("median", "the batches' median", "count or ns"),
        Column("lowest", "the batches' lowest", "count or ns"),
        Column("highest", "the batches' highest", "count or ns"),
    ),
    absent="no benchmark of this run tells counters",
    make=lambda data: counters_table(data.run),
    order=100,
)
_KEYS = [*names(*POINT_KEYS), "counter"]


def counters_table(run: Run) -> pd.DataFrame:
    """One row for each counter of a benchmark (COUNTERS), over the benchmark's batches."""
    frames = [point.counters.assign(key=key) for key, point in run.points.items()]
    counted = pd.concat(frames, ignore_index=True)
    table = counted.groupby(_KEYS, sort=False)["value"].agg(["size", "median", "min", "max"])
    return table.reset_index().set_axis(COUNTERS.names, axis=1)
