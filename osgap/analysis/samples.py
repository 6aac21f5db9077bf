# SPDX-License-Identifier: BSD-3-Clause
"""From raw regions to times of one operation."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from osgap.analysis.constants import (
    BANDWIDTH,
    DISAGREEMENT_LIMIT,
    EMPTY_LOOP,
    INSTRUCTIONS,
    RATE,
    UNIT_NS,
)
from osgap.base.quoting import quoted
from osgap.rundir.csvfile import ResultsError, sum_defined
from osgap.rundir.load import OPTIONAL_STATS, Point, Run

COLUMNS = [
    "key",
    "region",
    "benchmark",
    "fs",
    "batch",
    "count",
    "bytes",
    "metric",
    "guest_ns",
    "timer_irqs",
    "ns_per_op",
    "value",
    "sim_ns",
    "disagreement",
    "flagged",
    "insts",
    "cycles",
    *OPTIONAL_STATS,
]
_SUMS = [
    "guest_ns",
    "timer_irqs",
    "ns_per_op",
    "sim_ns",
    "insts",
    "cycles",
    *OPTIONAL_STATS,
]


def samples_table(run: Run, subtracted: Mapping[str, str | None]) -> pd.DataFrame:
    """One row a region of every finished point (columns COLUMNS).

    `ns_per_op`: the guest's time of one operation less one turn of the empty loop, or less its
    overhead where one is measured (`subtracted`: benchmark -> the overhead's, None for none), ns.
    `value`: the same in `metric` (a time, MB/s of 10^6 bytes, or MIPS).  `sim_ns`: numCycles by
    the clock.  `disagreement`: |guest - simulator| / simulator, `flagged` above 2 %.
    Raises ResultsError for a metric that is unknown, and when no point is finished.
    """
    frames = [point_samples(run.points[key], subtracted) for key in run.keys if key in run.points]
    if not frames:
        raise ResultsError(f"{run.path}: none of its {len(run.keys)} points is finished")
    return pd.concat(frames, ignore_index=True)


def point_samples(point: Point, subtracted: Mapping[str, str | None]) -> pd.DataFrame:
    """The rows of one point.  Raises ResultsError as `samples_table` does."""
    frame = point.samples.assign(key=point.record.key)
    frame["insts"] = frame["insts"].fillna(frame["region"].map(_instructions(point)))
    per_op = frame["guest_ns"] / frame["count"]
    empty_loop = overhead_ns(point, EMPTY_LOOP)
    taken = {
        name: 0.0 if overhead is None else overhead_ns(point, overhead)
        for name, overhead in subtracted.items()
    }
    frame["ns_per_op"] = per_op - frame["benchmark"].map(taken).fillna(empty_loop)
    frame["value"] = _values(frame, point)
    frame["sim_ns"] = frame["cycles"] * frame["clock_ticks"] / frame["sim_freq"] * 1e9
    frame["disagreement"] = (frame["guest_ns"] - frame["sim_ns"]).abs() / frame["sim_ns"]
    frame["flagged"] = np.where(frame["disagreement"] > DISAGREEMENT_LIMIT, "yes", "no")
    frame.loc[frame["disagreement"].isna(), "flagged"] = ""
    return frame[COLUMNS]


def _instructions(point: Point) -> dict[int, int]:
    """Region -> its instructions, where no statistics tell them but a counter does."""
    told = point.counters[point.counters["counter"] == INSTRUCTIONS]
    return dict(zip(told["region"], told["value"], strict=True))


def timed(samples: pd.DataFrame, run: Run) -> pd.DataFrame:
    """The rows of `samples` that say how long something took.

    Counting modes makes every system call longer, so the batches that tell them are left out
    where their benchmark has others.
    """
    told = [
        (str(key), int(region))
        for key in run.keys
        if key in run.points
        for region in run.points[key].modes["region"]
    ]
    if not told:
        return samples
    counted = pd.MultiIndex.from_frame(samples[["key", "region"]]).isin(told)
    by = [samples[name] for name in ("key", "benchmark", "fs")]
    all_counted = pd.Series(counted, index=samples.index).groupby(by, sort=False).transform("all")
    kept: pd.DataFrame = samples[~counted | all_counted]
    return kept


def overhead_ns(point: Point, benchmark: str) -> float:
    """Median over the batches of one operation of `benchmark`, ns; 0 where a point ran none."""
    own = point.samples[point.samples["benchmark"] == benchmark]
    return float((own["guest_ns"] / own["count"]).median()) if len(own) else 0.0


def with_composites(
    samples: pd.DataFrame, composites: Mapping[str, tuple[str, ...]]
) -> pd.DataFrame:
    """The samples and, for each batch, the sums `composites`: name -> benchmarks.

    A sum appears only where all of its parts were measured; its metric is s.
    """
    sums = [_composite(samples, name, parts) for name, parts in composites.items()]
    added = [frame for frame in sums if len(frame)]
    return pd.concat([samples, *added], ignore_index=True) if added else samples


def _composite(samples: pd.DataFrame, name: str, parts: tuple[str, ...]) -> pd.DataFrame:
    own = samples[samples["benchmark"].isin(parts)]
    if own.empty:
        return own
    by = ["key", "fs", "batch"]
    # Batches of which a part is missing have no sum.
    present = own.groupby(by)["benchmark"].transform("nunique")
    sums = sum_defined(own[present == len(parts)], by, _SUMS)
    value = sums["ns_per_op"] / UNIT_NS["s"]
    return sums.assign(benchmark=name, metric="s", count=1, bytes=0, value=value)


def _values(frame: pd.DataFrame, point: Point) -> pd.Series:
    unknown = set(frame["metric"]) - {*UNIT_NS, BANDWIDTH, RATE}
    if unknown:
        raise ResultsError(f"{point.path / 'samples.csv'}: unknown metric {quoted(min(unknown))}")
    per_op = frame["ns_per_op"]
    value = per_op / frame["metric"].map(UNIT_NS).astype(float)
    positive = per_op.where(per_op > 0)
    value = value.mask(frame["metric"] == BANDWIDTH, frame["bytes"] / positive * 1e3)
    return value.mask(frame["metric"] == RATE, frame["insts"] / frame["guest_ns"] * 1e3)
