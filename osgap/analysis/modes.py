# SPDX-License-Identifier: BSD-3-Clause
"""The table of user, system and real time of an operation, as time(1) prints, but counted."""

import pandas as pd

from osgap.analysis.columns import POINT_KEYS, names
from osgap.analysis.table import Column, Table
from osgap.rundir.load import Run

MODES = Table(
    "modes",
    "user, system, idle and real time of an operation, where a benchmark tells them",
    (
        *POINT_KEYS,
        Column("user_ns_per_op", "user time by the guest's kernel", "ns"),
        Column("system_ns_per_op", "kernel time by the guest's kernel", "ns"),
        Column("idle_ns_per_op", "idle time by the guest's kernel", "ns"),
        Column("real_ns_per_op", "elapsed time by the guest's clock", "ns"),
        Column("engine_user_ns_per_op", "user time by the simulator's cycles", "ns"),
        Column("engine_system_ns_per_op", "kernel time by the simulator's cycles", "ns"),
    ),
    make=lambda data: modes_table(data.run, data.samples),
    order=90,
)
_KEYS = names(*POINT_KEYS)
_VALUES = MODES.names[len(_KEYS) :]


def modes_table(run: Run, samples: pd.DataFrame) -> pd.DataFrame:
    """Medians over the batches of each benchmark that reports its modes (MODES).

    User, system and idle exceed real time by the cost of reading them. `engine_*` are NaN where the
    simulator does not tell user from kernel cycles.
    """
    frames = [point.modes.assign(key=key) for key, point in run.points.items()]
    regions = pd.concat(frames, ignore_index=True)
    clocks = ["count", "guest_ns", "sim_ns", "cycles", "user_cycles", "kernel_cycles"]
    frame = regions.merge(samples[["key", "region", *clocks]], on=["key", "region"])
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
    return frame.groupby(_KEYS, sort=False)[_VALUES].median().reset_index()[MODES.names]
