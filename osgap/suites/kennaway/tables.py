# SPDX-License-Identifier: BSD-3-Clause
"""Kennaway's extractions of 2005: the gain of N at once, with and without a giant lock."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from scipy import stats

from osgap.analysis import ministat
from osgap.analysis.analysed import PlacedPoint
from osgap.analysis.relative import NAN
from osgap.analysis.resampling import RESAMPLES, SEED, Array
from osgap.rundir.csvfile import ResultsError

LOCKS = {"smp": "none", "smp-adaptive": "adaptive", "smp-giant": "giant"}
"""Image variant -> the lock round its kernel's VFS."""
NONE = LOCKS["smp"]
EXTRACTION_COLUMNS = [
    "engine",
    "lock",
    "fs",
    "harts",
    "clock_mhz",
    "copies",
    "seed",
    "real_ms",
    "user_ms",
    "system_ms",
    "idle_ms",
    "wait_ms",
    "hold_ms",
    "acquisitions",
    "contended",
    "sleeps",
]
CONCURRENCY_COLUMNS = [
    "engine",
    "fs",
    "clock_mhz",
    "harts",
    "lock",
    "seeds",
    "single_ms",
    "single_sd_ms",
    "parallel_ms",
    "parallel_sd_ms",
    "concurrency",
    "low",
    "high",
    "single_user_ms",
    "single_system_ms",
    "parallel_user_ms",
    "parallel_system_ms",
    "single_hold_ms",
    "parallel_hold_ms",
    "wait_share",
    "sleeps_each",
]
_BENCHMARK = re.compile(r"^extract_([a-z0-9]+)_([0-9]+)$")
_CASE = ["engine", "fs", "clock_mhz", "harts"]
_NS_PER_MS = 1e6
_TIMES = {"user_ms": "user_ns", "system_ms": "kernel_ns", "idle_ms": "idle_ns"}
# In the order of EXTRACTION_COLUMNS, with what each is divided by there.
_COUNTERS = {
    "wait_ns": _NS_PER_MS,
    "hold_ns": _NS_PER_MS,
    "acquisitions": 1,
    "contended": 1,
    "sleeps": 1,
}


def extraction_table(points: Sequence[PlacedPoint]) -> pd.DataFrame:
    """One row for each extraction, that is for each batch (columns EXTRACTION_COLUMNS).

    Times are ms of simulated time: real by the guest's clock; user, system and idle summed over the
    harts; wait summed over all processes that waited for the lock, hold over all that held it, 0
    without a lock.  Raises ResultsError when no point has extractions.
    """
    rows = [row for point in points for row in _rows(point)]
    if not rows:
        raise ResultsError(f"no run has extract_FS_N on an image variant of {', '.join(LOCKS)}")
    return pd.DataFrame(rows, columns=EXTRACTION_COLUMNS)


def _rows(analysed_point: PlacedPoint) -> Iterator[tuple[object, ...]]:
    lock = LOCKS.get(analysed_point.analysed.variant)
    if lock is None:
        return
    point = analysed_point.analysed.run.points[analysed_point.key]
    in_modes = point.modes.set_index("region")
    counted = point.counters.pivot(index="region", columns="counter", values="value")
    for sample in point.samples.to_dict("records"):
        named = _BENCHMARK.match(sample["benchmark"])
        if named is None:
            continue
        region = sample["region"]
        modes = (in_modes[name].get(region, NAN) / _NS_PER_MS for name in _TIMES.values())
        counters = [
            float(counted[name].get(region, 0)) / unit if name in counted else 0.0
            for name, unit in _COUNTERS.items()
        ]
        harts = point.record.resolved.harts
        where = analysed_point.analysed.engine, lock, named[1], harts, analysed_point.clock_mhz
        yield (
            *where,
            int(named[2]),
            sample["batch"],
            sample["guest_ns"] / _NS_PER_MS,
            *modes,
            *counters,
        )


def concurrency_table(extractions: pd.DataFrame) -> pd.DataFrame:
    """One row for each machine, file system and lock (columns CONCURRENCY_COLUMNS).

    `concurrency` is N x T1 / TN for N harts and as many extractions, where T1 is a single
    extraction on the same machine without a lock, as in Kennaway's test; a mean over the starts,
    with a 95 % percentile bootstrap interval (starts of both are resampled).  `single_hold_ms` is
    the time that a lone extraction holds the lock.  `wait_share` is the part of the N harts' time
    spent waiting for the lock; `sleeps_each` how often each of the N extractions slept for it.
    """
    rows = []
    for where, case in extractions.groupby(_CASE, sort=False):
        harts = int(case["harts"].iloc[0])
        base = _real(case[(case["lock"] == NONE) & (case["copies"] == 1)])
        for lock in LOCKS.values():
            with_lock = case[case["lock"] == lock]
            single, parallel = (
                with_lock[with_lock["copies"] == 1],
                with_lock[with_lock["copies"] == harts],
            )
            if len(single) and len(parallel):
                gain = _concurrency(base, _real(parallel), harts)
                summary = _summary(single, parallel, harts, gain)
                rows.append((*where, lock, len(parallel), *summary))
    return pd.DataFrame(rows, columns=CONCURRENCY_COLUMNS).sort_values(
        [*_CASE, "lock"], kind="stable", ignore_index=True
    )


def _real(rows: pd.DataFrame) -> Array:
    values: Array = rows["real_ms"].to_numpy(dtype=np.float64)
    return values


def _concurrency(single: Array, parallel: Array, harts: int) -> tuple[float, float, float]:
    """N x T1 / TN with its interval; NaN with fewer than two values of either."""

    def ratio(lone: Array, many: Array, axis: int = -1) -> Array:
        means: Array = harts * lone.mean(axis=axis) / many.mean(axis=axis)
        return means

    if not len(single) or not len(parallel):
        return NAN, NAN, NAN
    gain = float(ratio(single, parallel))
    if min(len(single), len(parallel)) < 2:
        return gain, NAN, NAN
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
    single: pd.DataFrame, parallel: pd.DataFrame, harts: int, gain: tuple[float, float, float]
) -> tuple[float, ...]:
    times = [
        figure
        for rows in (single, parallel)
        for figure in (rows["real_ms"].mean(), rows["real_ms"].std())
    ]
    modes = [rows[name].mean() for rows in (single, parallel) for name in ("user_ms", "system_ms")]
    hold = [rows["hold_ms"].mean() for rows in (single, parallel)]
    waited = parallel["wait_ms"].sum() / (harts * parallel["real_ms"].sum())
    return (*times, *gain, *modes, *hold, waited, parallel["sleeps"].mean() / harts)


def judgements(extractions: pd.DataFrame) -> Iterator[str]:
    """ministat's report of real and of system time for each machine and file system: parallel
    extractions without a lock against those with each."""
    for where, case in extractions.groupby(_CASE, sort=False):
        engine, fs, clock, _ = where
        harts = int(case["harts"].iloc[0])
        parallel = case[case["copies"] == harts]
        at_once = f"{harts} extractions at once" if harts > 1 else "one extraction"
        place = f"{at_once}, {fs}, cpu.harts = {harts}, {clock:g} MHz, {engine}"
        for column, title in (("real_ms", "wall clock"), ("system_ms", "system clock")):
            samples = {
                str(lock): ministat.make_sample(f"{lock} (ms)", rows[column])
                for lock, rows in parallel.groupby("lock")
            }
            base = samples.pop(NONE, None)
            if base is None:
                continue
            for sample in samples.values():
                yield f"{title}: {place}"
                yield from ministat.report([base, sample])
                yield ""
