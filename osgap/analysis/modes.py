# SPDX-License-Identifier: BSD-3-Clause
"""User, system and real time of an operation, as time(1) prints them, but counted, not sampled."""

import pandas as pd

from osgap.rundir.load import Run

MODES_COLUMNS = [
    "key",
    "benchmark",
    "fs",
    "user_ns_per_op",
    "system_ns_per_op",
    "idle_ns_per_op",
    "real_ns_per_op",
    "engine_user_ns_per_op",
    "engine_system_ns_per_op",
]
_KEYS = ["key", "benchmark", "fs"]
_VALUES = MODES_COLUMNS[len(_KEYS) :]


def modes_table(run: Run, samples: pd.DataFrame) -> pd.DataFrame:
    """One row a benchmark that tells its modes (columns MODES_COLUMNS), ns of one operation.

    Medians over the batches, each column's own.  User, system (the kernel's) and idle are the
    guest's (docs/protocol.md), real its clock's: the three are more than real by what reading
    them costs.  The empty loop is not taken off.  `engine_*` are the simulator's own cycles in
    the region, system being what is neither user nor idle; NaN where it does not tell them apart.
    """
    frames = [run.points[key].modes.assign(key=key) for key in run.keys if key in run.points]
    regions = pd.concat(frames, ignore_index=True)
    own = ["key", "region", "count", "guest_ns", "sim_ns", "cycles", "user_cycles", "kernel_cycles"]
    frame = regions.merge(samples[own], on=["key", "region"])
    cycle_ns = frame["sim_ns"] / frame["cycles"]
    times = {
        "user_ns_per_op": frame["user_ns"],
        "system_ns_per_op": frame["kernel_ns"],
        "idle_ns_per_op": frame["idle_ns"],
        "real_ns_per_op": frame["guest_ns"],
        "engine_user_ns_per_op": frame["user_cycles"] * cycle_ns,
        "engine_system_ns_per_op": frame["kernel_cycles"] * cycle_ns,
    }
    frame = frame.assign(**{name: time / frame["count"] for name, time in times.items()})
    return frame.groupby(_KEYS, sort=False)[_VALUES].median().reset_index()[MODES_COLUMNS]
