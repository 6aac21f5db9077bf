# SPDX-License-Identifier: BSD-3-Clause
"""Compares a machine with the MicroVAX II of 1990: each row's speedup beside the processor's."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from osgap.analysis.analysed import PlacedPoint
from osgap.analysis.columns import BENCHMARK, FS, KEY, MACHINE, METRIC, MIPS, count, ends, text
from osgap.analysis.constants import INTEGER_MIX
from osgap.analysis.reference import load_reference
from osgap.analysis.relative import NAN, defined, geometric_mean, relative_speed
from osgap.analysis.table import Column, Table
from osgap.base.paths import project_root
from osgap.suites.ousterhout.cells import BENCHMARKS, file_system
from osgap.suites.ousterhout.published import BANDWIDTHS, LOCAL, MEASURED, Paper
from osgap.suites.ousterhout.simulated import REFERENCE, simulated_values

# The tree here is a fifth of the paper's, and its compiler another: seconds do not compare.
_NOT_PRINTED = frozenset({"andrew_copy", "andrew_compile", "andrew_total"})
_RELATED = frozenset(MEASURED.values())
Place = tuple[str, str]
Values = Mapping[Place, tuple[float, float, float]]
"""Benchmark and file system -> value and its interval, in the benchmark's metric."""


SINCE_1990 = Table(
    "since_1990",
    "every row of the paper's tables beside the MicroVAX II of 1990: how much faster, and R",
    (
        MACHINE,
        KEY,
        BENCHMARK,
        FS,
        METRIC,
        Column("value", "the machine's result", "metric"),
        *ends("", "its 95 % interval", "metric"),
        Column("paper", "the MicroVAX II's result as printed", "metric"),
        Column("simulated", "the MicroVAX II's result with these programs, on rvsim", "metric"),
        Column("mips_ratio", "the machine's MIPS by the MicroVAX II's"),
        Column("faster", "the speedup over the printed result"),
        Column("kept_up", "the printed result, were it faster by mips_ratio", "metric"),
        Column("relative", "R: faster / mips_ratio"),
        *ends("relative_", "R's 95 % interval"),
        Column("relative_simulated", "R over the simulated result"),
    ),
    order=400,
)
SINCE_1990_MEANS = Table(
    "since_1990_means",
    "geometric mean of R since the MicroVAX II over rows of Figure 1, beside the paper's machines",
    (
        MACHINE,
        text("source", "paper, measured, or simulated (over the simulated MicroVAX II)"),
        MIPS,
        count("rows", "rows of Figure 1 in the mean"),
        Column("geomean", "geometric mean of R"),
        *ends("", "its 95 % interval"),
    ),
    order=410,
)


def since_table(points: Sequence[PlacedPoint]) -> pd.DataFrame:
    """One row for each point and each row of the paper's tables that it has (SINCE_1990).

    R's interval includes the variation of its MIPS. Raises ResultsError.
    """
    paper = Paper(load_reference("ousterhout_tables"), 1990)
    simulated = _simulated()
    rows = [row for point in points for row in _rows(point, paper, simulated)]
    return SINCE_1990.frame(rows)


def _rows(
    point: PlacedPoint, paper: Paper, simulated: pd.DataFrame
) -> Iterator[tuple[object, ...]]:
    values, mips = _values(point), point.mips
    times = point.analysed.machine_time["times"]
    units = dict(zip(times["benchmark"], times["metric"], strict=True))
    of_mips = _half_width(values.get((INTEGER_MIX, "none"), (NAN, NAN, NAN)))
    cells = {(point.analysed.machine, *place) for place in values}
    for metric, benchmark in BENCHMARKS.items():
        fs = file_system(cells, point.analysed.machine, benchmark, "UNIX")
        if (benchmark, fs) not in values:
            continue
        value, low, high = values[benchmark, fs]
        rate = metric in BANDWIDTHS
        there = NAN if metric in _NOT_PRINTED else _printed(paper, metric)
        ratio = mips / paper.mips(REFERENCE)
        speed = relative_speed(value, there, ratio, 1.0, bandwidth=rate)
        half = math.hypot(_half_width(values[benchmark, fs]), of_mips)
        speeds = [speed * math.exp(off) for off in (0.0, -half, half)]
        base, base_mips = _of_simulated(simulated, benchmark, fs)
        yield (
            point.analysed.machine,
            point.key,
            benchmark,
            fs,
            units[benchmark],
            value,
            low,
            high,
            there,
            base,
            ratio,
            speeds[0] * ratio,
            there * ratio if rate else there / ratio,
            *speeds,
            relative_speed(value, base, mips, base_mips, bandwidth=rate),
        )


def _half_width(value: tuple[float, float, float]) -> float:
    """Returns half the interval of a value's logarithm."""
    _, low, high = value
    return math.log(high / low) / 2 if defined(low) and defined(high) else NAN


def _of_simulated(simulated: pd.DataFrame, benchmark: str, fs: str) -> tuple[float, float]:
    """Returns the simulated machine's value and MIPS; its only file system was synchronous."""
    rows = simulated[(simulated["benchmark"] == benchmark) & simulated["fs"].isin([fs, "unix"])]
    return (float(rows["value"].iloc[0]), float(rows["mips"].iloc[0])) if len(rows) else (NAN, NAN)


def _printed(paper: Paper, metric: str) -> float:
    """Returns the paper's value for its reference machine, with local files."""
    values = (paper.value(metric, REFERENCE, variant) for variant in LOCAL)
    return next((value for value in values if defined(value)), NAN)


def _values(point: PlacedPoint) -> Values:
    times = point.analysed.machine_time["times"]
    rows = times[times["key"] == point.key]
    columns = ["benchmark", "fs", "median", "low", "high"]
    frames = [rows.assign(low=NAN, high=NAN)[columns]]
    if "intervals" in point.analysed.tables:
        intervals = point.analysed.tables["intervals"]
        frames.append(intervals.loc[intervals["key"] == point.key, columns])
    return {
        (name, fs): (value, low, high)
        for frame in frames
        for name, fs, value, low, high in frame.itertuples(index=False, name=None)
    }


def _simulated() -> pd.DataFrame:
    """The MicroVAX II's results with these programs, from the committed run on rvsim."""
    run = project_root() / "results" / "locked" / "paper" / "fitted-rvsim" / REFERENCE
    return simulated_values(run) if run.is_dir() else pd.DataFrame(columns=["benchmark", "fs"])


def since_means(since: pd.DataFrame) -> pd.DataFrame:
    """Figure 1 with each machine of `since` (SINCE_1990_MEANS): geometric means of R.

    Means are over the rows that all machines here have, one for each table, with bcopy and without
    Andrew, which "simulated" has.
    """
    reference = load_reference("ousterhout_tables")
    paper = Paper(reference, 1990)
    related = [name for name in BENCHMARKS if name in _RELATED]
    printed = [name for name in related if name not in _NOT_PRINTED]
    measured = [set(rows["benchmark"]) for _, rows in since.groupby("key")]
    have = [name for name in printed if all(BENCHMARKS[name] in names for names in measured)]
    machines = reference[(reference["source"] == 1990) & (reference["metric"] == "mips")]["machine"]
    rows = [_printed_mean(paper, reference, str(name), have) for name in machines]
    for (machine, _), machine_rows in since.groupby(["machine", "key"], sort=False):
        mips = float(machine_rows["mips_ratio"].iloc[0]) * paper.mips(REFERENCE)
        near = machine_rows[machine_rows["benchmark"].isin([BENCHMARKS[name] for name in have])]
        rows.append((machine, "measured", mips, len(near), *_mean(near)))
        near = machine_rows[machine_rows["benchmark"].isin([BENCHMARKS[name] for name in related])]
        mean = geometric_mean(near["relative_simulated"])
        rows.append((machine, "simulated", mips, len(near), mean, NAN, NAN))
    return SINCE_1990_MEANS.frame(rows)


def _printed_mean(
    paper: Paper, reference: pd.DataFrame, machine: str, metrics: Sequence[str]
) -> tuple[object, ...]:
    printed = reference[
        (reference["source"] == 1990)
        & (reference["machine"] == machine)
        & reference["metric"].isin(metrics)
        & reference["variant"].isin(LOCAL)
        & (reference["value"] != "--")
    ]
    cells = printed[["metric", "os", "variant"]].itertuples(index=False, name=None)
    speeds = [paper.relative_measured(metric, machine, os, kind) for metric, os, kind in cells]
    defined_speeds = [speed for speed in speeds if defined(speed)]
    count = len(defined_speeds)
    return machine, "paper", paper.mips(machine), count, geometric_mean(defined_speeds), NAN, NAN


def _mean(rows: pd.DataFrame) -> tuple[float, float, float]:
    """The mean of R and its interval; the rows share the rating, so theirs depend on each other."""
    mean = geometric_mean(rows["relative"])
    half = float((np.log(rows["relative_high"] / rows["relative_low"]) / 2).mean())
    return mean, mean * math.exp(-half), mean * math.exp(half)
