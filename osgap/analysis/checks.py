# SPDX-License-Identifier: BSD-3-Clause
"""Is the simulated machine the one that was asked for?"""

from math import isnan

import pandas as pd

from osgap.analysis.constants import CHASE_L1, CHASE_MEMORY, STREAM_COPY
from osgap.analysis.relative import NAN
from osgap.machines.host import HostMachine
from osgap.rundir.load import Point, Run

CHECK_COLUMNS = [
    "key",
    "clock_mhz",
    "memory",
    "disk",
    "seed",
    "check",
    "unit",
    "measured",
    "configured",
    "error",
]
Check = tuple[str, str, float, float]


def checks_table(run: Run, samples: pd.DataFrame) -> pd.DataFrame:
    """Measured against configured for each finished point (columns CHECK_COLUMNS).

    `memory_latency` (ns): a dependent load from memory less one from the first cache; the
    transfer of the line is in it.  `copy_bandwidth` (MB/s of 10^6 bytes): the stream copy's rate
    times the bytes that memory moved for each byte copied.  `guest_clock` and `cycle_sum` are
    worst cases over the regions that should be 0: the clocks' disagreement, and what user, kernel
    and idle cycles miss of numCycles.  `error` is relative, NaN where nothing is configured.
    A check whose benchmarks were not run has no row, and a measured machine, which nobody
    configured, has none.
    """
    rows = []
    for key in run.keys:
        if key in run.points:
            point = run.points[key]
            own = samples[samples["key"] == key]
            rows += [_row(point, check) for check in _checks(point, own) if not isnan(check[2])]
    return pd.DataFrame(rows, columns=CHECK_COLUMNS)


def _row(point: Point, check: Check) -> tuple[object, ...]:
    name, unit, measured, configured = check
    error = measured / configured - 1 if configured else NAN
    axes = point.record.axes
    where = point.record.key, axes.clock_mhz, axes.memory, axes.disk, axes.seed
    return *where, name, unit, measured, configured, error


def _checks(point: Point, samples: pd.DataFrame) -> list[Check]:
    if isinstance(point.record.resolved, HostMachine):
        return []
    memory = point.record.resolved.memory
    # With a model its own timing is simulated, and the figures are not.
    has_figures = memory.model is None
    latency = memory_latency_ns(samples)
    bandwidth = copy_bandwidth(samples[samples["benchmark"] == STREAM_COPY])
    counted = samples[["user_cycles", "kernel_cycles", "idle_cycles"]].sum(axis=1, skipna=False)
    cycles = samples["cycles"] * point.record.resolved.harts
    missed = ((cycles - counted).abs() / cycles).max()
    return [
        ("memory_latency", "ns", latency, memory.latency_ns if has_figures else NAN),
        ("copy_bandwidth", "MB/s", bandwidth, memory.bandwidth_mb_s if has_figures else NAN),
        ("guest_clock", "ratio", float(samples["disagreement"].max()), 0.0),
        ("cycle_sum", "ratio", float(missed), 0.0),
    ]


def memory_latency_ns(samples: pd.DataFrame) -> float:
    """Median load from memory less median load from the first cache, ns; NaN without both."""
    medians = samples.groupby("benchmark")["ns_per_op"].median()
    return float(medians.get(CHASE_MEMORY, NAN)) - float(medians.get(CHASE_L1, NAN))


def copy_bandwidth(copies: pd.DataFrame) -> float:
    """Median MB/s (10^6 bytes) that the memory moved during the stream copy; NaN without it."""
    copied = copies["count"] * copies["bytes"]
    moved = (copies["bytes_read"] + copies["bytes_written"]) / copied.where(copied > 0)
    rate = copies["bytes"] / copies["ns_per_op"] * 1e3
    return float((rate * moved).median())
