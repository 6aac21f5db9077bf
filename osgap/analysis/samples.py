# SPDX-License-Identifier: BSD-3-Clause
"""The table of samples: the time of one operation in every region."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from osgap.analysis.columns import BENCHMARK, FS, KEY, METRIC, count, flag
from osgap.analysis.constants import (
    BANDWIDTH,
    DISAGREEMENT_LIMIT,
    EMPTY_LOOP,
    INSTRUCTIONS,
    RATE,
    UNIT_NS,
)
from osgap.analysis.table import Column, Table
from osgap.base.quoting import quoted
from osgap.rundir.csvfile import ResultsError, sum_defined
from osgap.rundir.load import OPTIONAL_STATS, Point, Run

_STATISTICS = {
    "user_insts": "instructions in user mode",
    "user_cycles": "cycles in user mode",
    "kernel_cycles": "cycles in the kernel",
    "idle_cycles": "cycles in which harts slept",
    "stall_cycles": "cycles in which harts waited for memory",
    "bytes_read": "bytes read from memory",
    "bytes_written": "bytes written to memory",
}
"""The statistics that an engine may lack (OPTIONAL_STATS)."""
SAMPLES = Table(
    "samples",
    "every timed region: the guest's time, the simulator's, its statistics",
    (
        KEY,
        count("region", "the region's number in the point, from 0"),
        BENCHMARK,
        FS,
        count("batch", "the batch's number, from 0"),
        count("count", "operations in the batch"),
        count("bytes", "bytes that one operation moves", "bytes"),
        METRIC,
        count("guest_ns", "time by the guest's clock", "ns"),
        count("timer_irqs", "timer interrupts in the region"),
        Column(
            "ns_per_op",
            "time of one operation, less the loop's: an empty turn, or the suite's choice",
            "ns",
        ),
        Column("value", "the result in the benchmark's unit", "metric"),
        Column("sim_ns", "time by the simulator: cycles / clock", "ns"),
        Column("disagreement", "|guest_ns - sim_ns| / sim_ns"),
        flag("flagged", "whether the clocks disagree by more than 2 %"),
        count("insts", "instructions"),
        count("cycles", "clock cycles of the region"),
        *(count(name, text) for name, text in _STATISTICS.items()),
    ),
    make=lambda data: data.samples,
    order=20,
)
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
    """One row for each region of every finished point, of which there is one (SAMPLES).

    `subtracted` maps a benchmark to the one whose time is subtracted instead of the empty loop's,
    None for nothing. Raises ResultsError.
    """
    run.check_finished()
    frames = [_with_overheads(point, subtracted) for point in run.points.values()]
    frame = pd.concat(frames, ignore_index=True)
    frame["ns_per_op"] = frame["guest_ns"] / frame["count"] - frame["overhead"]
    frame["value"] = _values(frame)
    frame["sim_ns"] = frame["cycles"] * frame["clock_ticks"] / frame["sim_freq"] * 1e9
    frame["disagreement"] = (frame["guest_ns"] - frame["sim_ns"]).abs() / frame["sim_ns"]
    frame["flagged"] = np.where(frame["disagreement"] > DISAGREEMENT_LIMIT, "yes", "no")
    frame.loc[frame["disagreement"].isna(), "flagged"] = ""
    return frame[SAMPLES.names]


def _with_overheads(point: Point, subtracted: Mapping[str, str | None]) -> pd.DataFrame:
    """A point's samples with its key, all counts of instructions and each region's `overhead`."""
    frame = point.samples
    if unknown := set(frame["metric"]) - {*UNIT_NS, BANDWIDTH, RATE}:
        raise ResultsError(f"{point.path / 'samples.csv'}: unknown metric {quoted(min(unknown))}")
    overheads = {
        name: 0.0 if overhead is None else overhead_ns(point, overhead)
        for name, overhead in subtracted.items()
    }
    empty_loop = overhead_ns(point, EMPTY_LOOP)
    return frame.assign(
        key=point.record.key,
        insts=frame["insts"].fillna(frame["region"].map(_instructions(point))),
        overhead=[overheads.get(name, empty_loop) for name in frame["benchmark"]],
    )


def _instructions(point: Point) -> dict[int, int]:
    """Region -> its instructions by the guest's counter, for points without statistics."""
    counts = point.counters[point.counters["counter"] == INSTRUCTIONS]
    return dict(zip(counts["region"], counts["value"], strict=True))


def timed(samples: pd.DataFrame, run: Run) -> pd.DataFrame:
    """The samples without those of counted modes, which take longer, where there are others."""
    with_modes = [
        (key, int(region)) for key, point in run.points.items() for region in point.modes["region"]
    ]
    if not with_modes:
        return samples
    counted = pd.MultiIndex.from_frame(samples[["key", "region"]]).isin(with_modes)
    by = [samples[name] for name in ("key", "benchmark", "fs")]
    all_counted = pd.Series(counted, index=samples.index).groupby(by, sort=False).transform("all")
    rows: pd.DataFrame = samples[~counted | all_counted]
    return rows


def overhead_ns(point: Point, benchmark: str) -> float:
    """Median over the batches of one operation of `benchmark`, ns; 0 where a point ran none."""
    batches = point.samples[point.samples["benchmark"] == benchmark]
    return float((batches["guest_ns"] / batches["count"]).median()) if len(batches) else 0.0


def with_composites(
    samples: pd.DataFrame, composites: Mapping[str, tuple[str, ...]]
) -> pd.DataFrame:
    """The samples and the sums `composites` (name -> benchmarks) of batches with all parts, s."""
    sums = [_composite(samples, name, parts) for name, parts in composites.items()]
    added = [frame for frame in sums if len(frame)]
    return pd.concat([samples, *added], ignore_index=True) if added else samples


def _composite(samples: pd.DataFrame, name: str, parts: tuple[str, ...]) -> pd.DataFrame:
    rows = samples[samples["benchmark"].isin(parts)]
    if rows.empty:
        return rows
    by = ["key", "fs", "batch"]
    # A batch that lacks a part has no sum.
    present = rows.groupby(by)["benchmark"].transform("nunique")
    sums = sum_defined(rows[present == len(parts)], by, _SUMS)
    value = sums["ns_per_op"] / UNIT_NS["s"]
    return sums.assign(benchmark=name, metric="s", count=1, bytes=0, value=value)


def _values(frame: pd.DataFrame) -> pd.Series:
    per_op = frame["ns_per_op"]
    value = per_op / frame["metric"].map(UNIT_NS).astype(float)
    positive = per_op.where(per_op > 0)
    value = value.mask(frame["metric"] == BANDWIDTH, frame["bytes"] / positive * 1e3)
    return value.mask(frame["metric"] == RATE, frame["insts"] / frame["guest_ns"] * 1e3)
