# SPDX-License-Identifier: BSD-3-Clause
"""Kennaway's extractions of 2005: the gain of N at once, with and without a giant lock."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from osgap.analysis.analysed import PlacedPoint
from osgap.analysis.columns import CLOCK_MHZ, ENGINE, count, ends, text
from osgap.analysis.relative import NAN
from osgap.analysis.resampling import RESAMPLES, SEED, Array
from osgap.analysis.table import Column, Table
from osgap.rundir.csvfile import ResultsError

LOCKS = {
    "smp": "none",
    "smp-hz25": "none-hz25",
    "smp-adaptive": "adaptive",
    "smp-adaptive-10us": "adaptive-10us",
    "smp-adaptive-40us": "adaptive-40us",
    "smp-adaptive-100us": "adaptive-100us",
    "smp-giant": "giant",
    "smp-giant-polling": "giant-polling",
}
"""Image variant -> the lock round its kernel's VFS, and what else its kernel has.

Other layouts are NAME-layout-N."""
NONE = LOCKS["smp"]
LOCK = text(
    "lock",
    "the lock around the file system: none, adaptive or giant; "
    "-Nus where waiters spin for at most N us, -polling where idle harts poll, "
    "-hz25 with 25 ticks a second",
)
LAYOUT = count("layout", "layout of the image's code, 0 for the linker's own order")
MACHINE = text("machine", "the machine file")
HARTS = count("harts", "harts of the machine")
MEDIUM = text(
    "fs", "the medium of the files: tmpfs, ext2, or md, ext2 by a RAM disk's kernel thread"
)
COPIES = count("copies", "extractions at once")
EXTRACTIONS = Table(
    "extractions",
    "every batch of extractions at once: its times and the lock's counters",
    (
        ENGINE,
        LOCK,
        LAYOUT,
        MEDIUM,
        MACHINE,
        HARTS,
        CLOCK_MHZ,
        COPIES,
        count("seed", "the batch's number, which is its start"),
        Column("real_ms", "time by the guest's clock", "ms"),
        Column("user_ms", "time in user mode, all harts together", "ms"),
        Column("system_ms", "time in the kernel, all harts together", "ms"),
        Column("idle_ms", "idle time, all harts together", "ms"),
        Column("wait_ms", "time that all processes together waited for the lock", "ms"),
        Column("hold_ms", "time that the lock was held", "ms"),
        count("acquisitions", "acquisitions of the lock"),
        count("contended", "acquisitions that found the lock held"),
        count("sleeps", "acquisitions that slept"),
    ),
)
CONCURRENCY = Table(
    "concurrency",
    "effective concurrency of several extractions at once, for each lock",
    (
        ENGINE,
        MEDIUM,
        CLOCK_MHZ,
        HARTS,
        MACHINE,
        LAYOUT,
        LOCK,
        COPIES,
        count("seeds", "starts of the extractions at once"),
        Column("single_ms", "real time of a single extraction", "ms"),
        Column("single_sd_ms", "standard deviation of the single extraction's time", "ms"),
        Column("parallel_ms", "real time of the extractions at once", "ms"),
        Column("parallel_sd_ms", "standard deviation of their time", "ms"),
        Column("concurrency", "copies x single time without a lock / parallel time"),
        *ends("", "its 95 % interval"),
        Column("single_user_ms", "user time of a single extraction", "ms"),
        Column("single_system_ms", "system time of a single extraction", "ms"),
        Column("parallel_user_ms", "user time of the extractions at once", "ms"),
        Column("parallel_system_ms", "system time of the extractions at once", "ms"),
        Column("single_hold_ms", "time that a single extraction holds the lock", "ms"),
        Column("parallel_hold_ms", "time that the extractions at once hold the lock", "ms"),
        Column(
            "hold_us", "time from an acquisition to the release, of the extractions at once", "us"
        ),
        Column("free_us", "time from a release to the next acquisition", "us"),
        Column("lock_share", "the part of the harts' time spent waiting for the lock"),
        Column("sleeps_each", "sleeps for the lock of each extraction"),
    ),
)
_BENCHMARK = re.compile(r"^(?:extract|at_once)_([a-z0-9]+)_([0-9]+)$")
_VARIANT = re.compile(r"^(.+?)(?:-layout-([0-9]+))?$")
CASE = ["engine", "fs", "clock_mhz", "harts", "machine", "layout"]
"""The columns that tell cases apart: within one, locks are compared."""
_BATCH = [*CASE, "lock", "copies", "seed"]
"""The columns that tell batches apart."""
_NS_PER_MS = 1e6
_US_PER_MS = 1e3
_TIMES = ("user_ns", "kernel_ns", "idle_ns")
_COUNTERS = {"wait_ns": _NS_PER_MS, "hold_ns": _NS_PER_MS} | dict.fromkeys(
    ("acquisitions", "contended", "sleeps"), 1
)
"""In the order of EXTRACTIONS, each with its divisor."""


def extraction_table(points: Sequence[PlacedPoint]) -> pd.DataFrame:
    """One row for each batch of extractions (EXTRACTIONS). Raises ResultsError without any.

    Two runs may have a batch with one start on one machine: it counts once, from the first run.
    """
    rows = [row for point in points for row in _rows(point)]
    if not rows:
        raise ResultsError(f"no run has extractions on an image variant of {', '.join(LOCKS)}")
    return EXTRACTIONS.frame(rows).drop_duplicates(_BATCH, ignore_index=True)


def _rows(analysed_point: PlacedPoint) -> Iterator[tuple[object, ...]]:
    variant = _VARIANT.fullmatch(analysed_point.analysed.variant)
    lock = LOCKS.get(variant[1]) if variant else None
    if variant is None or lock is None:
        return
    layout = int(variant[2] or 0)
    point = analysed_point.analysed.run.points[analysed_point.key]
    in_modes = point.modes.set_index("region")
    counted = point.counters.pivot(index="region", columns="counter", values="value")
    for sample in point.samples.to_dict("records"):
        named = _BENCHMARK.match(sample["benchmark"])
        if named is None:
            continue
        region = sample["region"]
        modes = (in_modes[name].get(region, NAN) / _NS_PER_MS for name in _TIMES)
        counters = [
            float(counted[name].get(region, 0)) / unit if name in counted else 0.0
            for name, unit in _COUNTERS.items()
        ]
        harts = point.record.resolved.harts
        analysed, clock_mhz = analysed_point.analysed, analysed_point.clock_mhz
        where = analysed.engine, lock, layout, named[1], analysed.machine, harts, clock_mhz
        times = sample["guest_ns"] / _NS_PER_MS, *modes
        yield *where, int(named[2]), sample["batch"], *times, *counters


def concurrency_table(extractions: pd.DataFrame) -> pd.DataFrame:
    """One row for each machine, file system, lock and number of extractions (CONCURRENCY).

    `concurrency` is N x T1 / TN for N extractions at once, where T1 is a single extraction on the
    same machine without a lock; its interval is a bootstrap over the starts of both.
    """
    rows = []
    for where, case in extractions.groupby(CASE, sort=False):
        base = _real(case[(case["lock"] == NONE) & (case["copies"] == 1)])
        for lock in LOCKS.values():
            with_lock = case[case["lock"] == lock]
            single = with_lock[with_lock["copies"] == 1]
            for copies in numbers_at_once(case) if len(single) else ():
                parallel = with_lock[with_lock["copies"] == copies]
                if len(parallel):
                    gain = _concurrency(base, _real(parallel), copies)
                    rows.append(
                        (*where, lock, copies, len(parallel), *_summary(single, parallel, gain))
                    )
    order = [*CASE, "lock", "copies"]
    return CONCURRENCY.frame(rows).sort_values(order, kind="stable", ignore_index=True)


def plain_rows(concurrency: pd.DataFrame) -> pd.DataFrame:
    """The rows of as many extractions as harts, in the linker's layout, and of each number of harts
    on the machine with the shortest name: the others vary it."""
    rows = concurrency[
        concurrency["layout"].eq(0) & (concurrency["copies"] == concurrency["harts"])
    ]
    shortest = {
        harts: min(machines, key=lambda name: (len(name), name))
        for harts, machines in rows.groupby("harts")["machine"].unique().items()
    }
    return rows[rows["machine"] == rows["harts"].map(shortest)]


def numbers_at_once(case: pd.DataFrame) -> list[int]:
    """The numbers of extractions at once in a case; one where the machine has one hart."""
    least = 1 if int(case["harts"].iloc[0]) == 1 else 2
    return sorted(int(copies) for copies in case["copies"].unique() if copies >= least)


def _real(rows: pd.DataFrame) -> Array:
    values: Array = rows["real_ms"].to_numpy(dtype=np.float64)
    return values


def _concurrency(single: Array, parallel: Array, copies: int) -> tuple[float, float, float]:
    """N x T1 / TN with its interval; NaN with fewer than two values of either."""

    def ratio(lone: Array, many: Array, axis: int = -1) -> Array:
        means: Array = copies * lone.mean(axis=axis) / many.mean(axis=axis)
        return means

    if not len(single) or not len(parallel):
        return NAN, NAN, NAN
    gain = float(ratio(single, parallel))
    if min(len(single), len(parallel)) < 2:
        return gain, NAN, NAN
    from scipy import stats  # takes a second

    drawn = stats.bootstrap(
        (single, parallel),
        ratio,
        n_resamples=RESAMPLES,
        vectorized=True,
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return gain, float(drawn.low), float(drawn.high)


def _summary(
    single: pd.DataFrame, parallel: pd.DataFrame, gain: tuple[float, float, float]
) -> tuple[float, ...]:
    times = [
        figure for rows in (single, parallel) for figure in rows["real_ms"].agg(["mean", "std"])
    ]
    modes = [rows[name].mean() for rows in (single, parallel) for name in ("user_ms", "system_ms")]
    hold = [rows["hold_ms"].mean() for rows in (single, parallel)]
    acquisitions = parallel["acquisitions"].sum() or NAN
    per_acquisition = [
        _US_PER_MS * times_ms.sum() / acquisitions
        for times_ms in (parallel["hold_ms"], parallel["real_ms"] - parallel["hold_ms"])
    ]
    waited = parallel["wait_ms"].sum() / (parallel["harts"] * parallel["real_ms"]).sum()
    sleeps = (parallel["sleeps"] / parallel["copies"]).mean()
    return (*times, *gain, *modes, *hold, *per_acquisition, waited, sleeps)
