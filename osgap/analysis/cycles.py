# SPDX-License-Identifier: BSD-3-Clause
"""Where the cycles went, and how long the disk was waited for."""

import pandas as pd

from osgap.rundir.csvfile import ResultsError, sum_defined
from osgap.rundir.load import Run

PARTS = ("user", "kernel", "busy", "memory_stall", "idle")
ATTRIBUTION_COLUMNS = ["key", "benchmark", "fs", "cycles", "insts", "cpi", *PARTS]
_WAITS = ("seek", "rotation", "transfer", "overhead", "queue")
DISK_TABLE_COLUMNS = [
    "key",
    "benchmark",
    "fs",
    "reads",
    "writes",
    "sectors",
    *(f"{name}_ms" for name in _WAITS),
    "wait_ms",
    "timed_ms",
    "wait_share",
]
_KEYS = ["key", "benchmark", "fs"]


def attribution_table(batches: pd.DataFrame, run: Run) -> pd.DataFrame:
    """Fractions of numCycles over all batches of a benchmark (columns ATTRIBUTION_COLUMNS).

    A machine of several harts has as many cycles as all of them together.

    rvsim counts user + kernel + idle = numCycles, and the memory stall as a part of user
    and kernel cycles without saying which.  It is taken from both in proportion to their cycles,
    so that user, kernel, memory_stall and idle sum to 1.  gem5 does not tell user from kernel:
    their sum is `busy`, NaN where they are told apart.  NaN where the engine attributes none.
    """
    sums = ["cycles", "insts", "user_cycles", "kernel_cycles", "idle_cycles", "stall_cycles"]
    frame = sum_defined(batches, _KEYS, sums)
    harts = {key: point.record.resolved.harts for key, point in run.points.items()}
    frame["cycles"] *= frame["key"].map(harts)
    busy = frame["user_cycles"] + frame["kernel_cycles"]
    together = frame["cycles"] - frame["idle_cycles"] - frame["stall_cycles"]
    # An idle region has no cycles to take the stall from; it keeps its parts.
    kept = (1 - frame["stall_cycles"] / busy.where(busy > 0)).mask(busy == 0, 1.0)
    parts = {
        "cpi": frame["cycles"] / frame["insts"].where(frame["insts"] > 0),
        "user": frame["user_cycles"] * kept / frame["cycles"],
        "kernel": frame["kernel_cycles"] * kept / frame["cycles"],
        "busy": (together / frame["cycles"]).where(busy.isna()),
        "memory_stall": frame["stall_cycles"] / frame["cycles"],
        "idle": frame["idle_cycles"] / frame["cycles"],
    }
    return frame.assign(**parts)[ATTRIBUTION_COLUMNS]


def disk_table(run: Run, samples: pd.DataFrame) -> pd.DataFrame:
    """What the disk did during each benchmark (columns DISK_TABLE_COLUMNS, waits in ms).

    `wait_share` is the sum of waits by the timed regions' total.  It can exceed 1: the disk also
    works outside them, and waits of queued requests overlap.  Raises ResultsError for a benchmark
    that has no samples.
    """
    timed = samples.groupby(_KEYS, sort=False)["guest_ns"].sum()
    frames = [run.points[key].disk.assign(key=key) for key in run.keys if key in run.points]
    frame = pd.concat(frames, ignore_index=True)
    for name in _WAITS:
        frame[f"{name}_ms"] = frame[f"{name}_ns"] / 1e6
    frame["wait_ms"] = frame[[f"{name}_ms" for name in _WAITS]].sum(axis=1)
    frame["timed_ms"] = [_timed_ms(row, timed, run) for row in _rows(frame)]
    frame["wait_share"] = frame["wait_ms"] / frame["timed_ms"]
    return frame[DISK_TABLE_COLUMNS]


def _rows(frame: pd.DataFrame) -> list[tuple[str, str, str]]:
    return list(frame[_KEYS].itertuples(index=False, name=None))


def _timed_ms(row: tuple[str, str, str], timed: pd.Series, run: Run) -> float:
    if row not in timed.index:
        file = run.points[row[0]].path / "disk.csv"
        raise ResultsError(f"{file}: {row[1]} on {row[2]} has no row in samples.csv")
    return float(timed[row]) / 1e6
