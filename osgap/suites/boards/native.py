# SPDX-License-Identifier: BSD-3-Clause
"""A real board, measured by `osgap native`, beside the simulated one: every benchmark of both."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.columns import BENCHMARK, ENGINE, FS, count, ends, text
from osgap.analysis.constants import EMPTY_LOOP, UNIT_NS
from osgap.analysis.layouts.spread import Spread
from osgap.analysis.relative import NAN, defined
from osgap.analysis.table import Column, Table
from osgap.rundir.csvfile import ResultsError
from osgap.suites.boards.simulated import Place, SimulatedBoard
from osgap.suites.boards.tables import BOARD_NAME, IMAGE, RATIO

NATIVE = Table(
    "board_native",
    "every benchmark that was measured on a real board and simulated on its machine file",
    (
        BOARD_NAME,
        text("run", "the measured run's directory"),
        BENCHMARK,
        FS,
        text("unit", "the unit of measured and predicted values: the benchmark's, us for MIPS"),
        Column("measured", "the median on the real board", "unit"),
        Column("measured_low", "lower end of its 95 % interval over rounds", "unit"),
        Column("measured_high", "upper end of its 95 % interval over rounds", "unit"),
        ENGINE,
        IMAGE,
        count("layouts", "layouts of the image"),
        Column("predicted", "the geometric mean over layouts", "unit"),
        *ends("predicted_", "its 95 % interval over layouts", "unit"),
        RATIO[0],
        *ends("ratio_", "its 95 % interval over layouts and rounds"),
    ),
)
_RATE = "MB/s"


class _Median(NamedTuple):
    """A measured median: ns of one operation or byte, half its logarithm's interval, its unit."""

    ns: float
    half: float
    metric: str


def native_table(
    board: str,
    runs: Sequence[AnalysedRun],
    simulated: Sequence[SimulatedBoard],
    imported: Collection[Path] = (),
) -> pd.DataFrame:
    """One row for each benchmark of a measured run and each simulated one of `board` (NATIVE).

    Raises ResultsError for a run on a simulator, and where nothing of a run was simulated, unless
    the run is among `imported`, which have rows of another table.
    """
    rows: list[dict[str, Any]] = []
    conditions = [condition for condition in simulated if condition.board == board]
    for run in runs:
        if run.is_simulated:
            raise ResultsError(
                f"--native: {run.path}: found a run on {run.engine}; allowed: one of osgap native"
            )
        medians = _medians(run)
        of_run = [row for each in conditions for row in _rows(board, run, medians, each)]
        if not of_run and run.path not in imported:
            raise ResultsError(
                f"--native: {run.path}: has no benchmark that was simulated on {board}"
            )
        rows += of_run
    return NATIVE.frame(rows)


def _medians(run: AnalysedRun) -> dict[Place, _Median]:
    """The median of each benchmark on each file system, in the order of the run."""
    times = run.machine_time["times"]
    halves: Mapping[Place, float] = {}
    if "intervals" in run.tables:
        columns = ["benchmark", "fs", "low", "high"]
        intervals = run.tables["intervals"][columns].itertuples(index=False, name=None)
        halves = {(str(name), str(fs)): _half(low, high) for name, fs, low, high in intervals}
    columns = ["benchmark", "fs", "ns_per_op", "bytes", "metric"]
    return {
        (str(name), str(fs)): _Median(
            float(ns) / (float(moved) or 1), halves.get((str(name), str(fs)), NAN), str(metric)
        )
        for name, fs, ns, moved, metric in times[columns].itertuples(index=False, name=None)
        if name != EMPTY_LOOP and defined(float(ns))
    }


def _half(low: float, high: float) -> float:
    return math.log(high / low) / 2 if defined(low) and defined(high) else NAN


def _rows(
    board: str, run: AnalysedRun, medians: Mapping[Place, _Median], simulated: SimulatedBoard
) -> Iterator[dict[str, Any]]:
    for (name, fs), median in medians.items():
        over_layouts = simulated.time((name, fs))
        if over_layouts is None:
            continue
        where = {"board": board, "run": str(run.path), "benchmark": name, "fs": fs}
        where |= {"engine": simulated.engine, "image": simulated.image}
        yield {**where, "unit": _unit(median.metric), **_numbers(median, over_layouts)}


def _numbers(median: _Median, over_layouts: Spread) -> dict[str, float]:
    low, high = over_layouts.interval()
    half = (high - low) / 2
    log = over_layouts.mean - math.log(median.ns)
    both = math.hypot(half, median.half)
    logs = {"measured": (math.log(median.ns), median.half), "predicted": (over_layouts.mean, half)}
    values: dict[str, float] = {"layouts": over_layouts.layouts}
    for name, (middle, width) in logs.items():
        ends_ns = np.exp([middle - width, middle + width])
        lower, upper = sorted(own_value(ns, median.metric) for ns in ends_ns)
        values |= {
            name: own_value(math.exp(middle), median.metric),
            f"{name}_low": lower,
            f"{name}_high": upper,
        }
    ratios = np.exp([log, log - both, log + both])
    names = ("ratio", "ratio_low", "ratio_high")
    return {**values, **dict(zip(names, map(float, ratios), strict=True))}


def _unit(metric: str) -> str:
    return metric if metric in UNIT_NS or metric == _RATE else "us"


def own_value(ns: float, metric: str) -> float:
    """The value in the benchmark's unit of a time, ns of one operation or byte; of MIPS us."""
    return 1e3 / ns if metric == _RATE else ns / UNIT_NS[_unit(metric)]
