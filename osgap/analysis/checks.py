# SPDX-License-Identifier: BSD-3-Clause
"""Compares the simulated machine with its configuration: memory, and the two clocks."""

from math import isnan

import pandas as pd

from osgap.analysis.columns import PLACE, place_of, text
from osgap.analysis.constants import CHASE_L1, CHASE_MEMORY, STREAM_COPY
from osgap.analysis.relative import NAN
from osgap.analysis.table import Column, Table
from osgap.machines.system import System
from osgap.rundir.load import Point, Run

CHECKS_TABLE = Table(
    "checks",
    "measured against configured memory, and the two clocks against each other",
    (
        *PLACE,
        text("check", "memory_latency, copy_bandwidth, guest_clock or cycle_sum"),
        text("unit", "the unit of both values"),
        Column("measured", "the value from the benchmarks or the clocks", "unit"),
        Column("configured", "the value of the machine file, after scaling", "unit"),
        Column("error", "measured / configured - 1"),
    ),
    make=lambda data: checks_table(data.run, data.samples),
    order=80,
)
Check = tuple[str, str, float, float]


def checks_table(run: Run, samples: pd.DataFrame) -> pd.DataFrame:
    """Measured against configured for each finished point (CHECKS_TABLE).

    The transfer of the line is in `memory_latency`; `copy_bandwidth` counts the bytes that memory
    moved. `guest_clock` is the clocks' largest disagreement, `cycle_sum` the largest difference of
    user + kernel + idle cycles from numCycles; both should be 0. A check without its benchmarks,
    and a measured machine, have no rows.
    """
    rows = []
    for key, point in run.points.items():
        checks = _checks(point, samples[samples["key"] == key])
        rows += [_row(point, check) for check in checks if not isnan(check[2])]
    return CHECKS_TABLE.frame(rows)


def _row(point: Point, check: Check) -> tuple[object, ...]:
    name, unit, measured, configured = check
    error = measured / configured - 1 if configured else NAN
    return *place_of(point), name, unit, measured, configured, error


def _checks(point: Point, samples: pd.DataFrame) -> list[Check]:
    if not isinstance(point.record.resolved, System):
        return []
    memory = point.record.resolved.memory
    # With a DRAM model the file's latency and bandwidth are not simulated, and with open rows a
    # chase over a small set takes less than a whole miss.
    has_figures = memory.model is None and memory.rows is None
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
