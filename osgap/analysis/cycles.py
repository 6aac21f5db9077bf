# SPDX-License-Identifier: BSD-3-Clause
"""The tables of cycles by kind (user, kernel, memory stall, idle) and of the disk's waits."""

import pandas as pd

from osgap.analysis.columns import POINT_KEYS, count, names
from osgap.analysis.table import Column, Table
from osgap.rundir.csvfile import ResultsError, sum_defined
from osgap.rundir.load import Run

PARTS = ("user", "kernel", "busy", "memory_stall", "idle")
ATTRIBUTION = Table(
    "attribution",
    "where the cycles went: user, kernel, memory stall, idle",
    (
        *POINT_KEYS,
        count("cycles", "cycles of all harts in all batches"),
        count("insts", "instructions in all batches"),
        Column("cpi", "cycles per instruction"),
        Column("user", "the part of the cycles in user mode, without the memory stall"),
        Column("kernel", "the part of the cycles in the kernel, without the memory stall"),
        Column("busy", "user and kernel together, where the engine does not tell them apart"),
        Column("memory_stall", "the part of the cycles in which harts waited for memory"),
        Column("idle", "the part of the cycles in which harts slept"),
    ),
    make=lambda data: attribution_table(data.batches, data.run),
    order=60,
)
_WAITS = {
    "seek": "moving the arm",
    "rotation": "waiting for the sector to come round",
    "transfer": "moving data",
    "overhead": "the controller's time",
    "queue": "waiting for earlier requests",
}
DISK_WAITS = Table(
    "disk",
    "what the disk did in every benchmark: requests, and how long each part took",
    (
        *POINT_KEYS,
        count("reads", "read requests"),
        count("writes", "write requests"),
        count("sectors", "sectors of 512 bytes"),
        *(Column(f"{name}_ms", f"{text}, all requests", "ms") for name, text in _WAITS.items()),
        Column("wait_ms", "the sum of these five", "ms"),
        Column("timed_ms", "time of the benchmark's regions", "ms"),
        Column("wait_share", "wait_ms / timed_ms; over 1 where requests overlap or lie outside"),
    ),
    make=lambda data: disk_table(data.run, data.samples),
    order=70,
)
_KEYS = names(*POINT_KEYS)


def attribution_table(batches: pd.DataFrame, run: Run) -> pd.DataFrame:
    """Fractions of all harts' cycles over all batches of a benchmark (ATTRIBUTION).

    rvsim's memory stall is a part of user and kernel cycles together, and taken from both in
    proportion to their cycles. gem5 does not tell user from kernel cycles: it has `busy`. NaN where
    the engine attributes no cycles.
    """
    sums = ["cycles", "insts", "user_cycles", "kernel_cycles", "idle_cycles", "stall_cycles"]
    frame = sum_defined(batches, _KEYS, sums)
    harts = {key: point.record.resolved.harts for key, point in run.points.items()}
    frame["cycles"] *= frame["key"].map(harts)
    busy = frame["user_cycles"] + frame["kernel_cycles"]
    together = frame["cycles"] - frame["idle_cycles"] - frame["stall_cycles"]
    # An idle region has no cycles to take the stall from.
    unstalled = (1 - frame["stall_cycles"] / busy.where(busy > 0)).mask(busy == 0, 1.0)
    parts = {
        "cpi": frame["cycles"] / frame["insts"].where(frame["insts"] > 0),
        "user": frame["user_cycles"] * unstalled / frame["cycles"],
        "kernel": frame["kernel_cycles"] * unstalled / frame["cycles"],
        "busy": (together / frame["cycles"]).where(busy.isna()),
        "memory_stall": frame["stall_cycles"] / frame["cycles"],
        "idle": frame["idle_cycles"] / frame["cycles"],
    }
    return frame.assign(**parts)[ATTRIBUTION.names]


def disk_table(run: Run, samples: pd.DataFrame) -> pd.DataFrame:
    """The disk's work in each benchmark (DISK_WAITS). Raises ResultsError without its samples."""
    timed = samples.groupby(_KEYS, sort=False)["guest_ns"].sum()
    frames = [point.disk.assign(key=key) for key, point in run.points.items()]
    frame = pd.concat(frames, ignore_index=True)
    for name in _WAITS:
        frame[f"{name}_ms"] = frame[f"{name}_ns"] / 1e6
    frame["wait_ms"] = frame[[f"{name}_ms" for name in _WAITS]].sum(axis=1)
    rows = frame[_KEYS].itertuples(index=False, name=None)
    frame["timed_ms"] = [_timed_ms(row, timed, run) for row in rows]
    frame["wait_share"] = frame["wait_ms"] / frame["timed_ms"]
    return frame[DISK_WAITS.names]


def _timed_ms(row: tuple[str, str, str], timed: pd.Series, run: Run) -> float:
    if row not in timed.index:
        file = run.points[row[0]].path / "disk.csv"
        raise ResultsError(f"{file}: {row[1]} on {row[2]} has no row in samples.csv")
    return float(timed[row]) / 1e6
