# SPDX-License-Identifier: BSD-3-Clause
"""Tests Raveling's hypothesis: does context switching predict a machine's speed under load?

"Context switch overhead is the principle determinant of OS performance in the presence of a typical
multi-process workload" (1990): rank correlations over points, also of every rival predictor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from osgap.analysis.analysed import PlacedPoint
from osgap.analysis.columns import ENGINE, FS, count, ends, flag, text
from osgap.analysis.relative import NAN
from osgap.analysis.resampling import Array, draws, interval, rank_correlations, standard_ranks
from osgap.analysis.table import Column, Table
from osgap.base.quoting import counted
from osgap.rundir.csvfile import ResultsError
from osgap.suites.hohmuth.benchmarks import MCVOY_ROWS
from osgap.suites.raveling.benchmarks import BYTE_LOAD, BYTE_ROWS

HYPOTHESIS = Table(
    "hypothesis",
    "does context switching predict performance under load?  rank correlations",
    (
        ENGINE,
        text("measure", "relative (R to the engine's first point) or time"),
        text("load", "the shell's load that is predicted"),
        text("predictor", "the benchmark that predicts it"),
        FS,
        flag("switches", "whether the predictor is a context switch"),
        count("points", "points that have the predictor and all loads"),
        Column("spearman", "rank correlation of predictor and load over points"),
        *ends("", "its 95 % interval"),
        Column("less", "the correlation of context1 less this one"),
        *ends("less_", "its 95 % interval"),
        text("verdict", "what the interval of less says"),
    ),
    order=450,
)
SWITCH = "context1"
"""The context switch that stands for the hypothesis: BYTE's own, as in his comparison."""
SWITCHES = frozenset({SWITCH, "pt", "ctxsw_2", "ctxsw_8"})
PREDICTORS = frozenset(BYTE_ROWS + MCVOY_ROWS).difference(BYTE_LOAD)
LEAST_POINTS = 5
BEST = 8
"""The number of predictors that best_predictors gives."""
Name = tuple[str, str]


PointValues = Mapping[Name, Array]
"""(benchmark, fs) -> a value for each point of one engine: ns, or MIPS-relative speed."""


def hypothesis_table(points: Sequence[PlacedPoint]) -> pd.DataFrame:
    """One row for each load and predictor (HYPOTHESIS), for each engine and measure.

    By R, to the engine's first point, the clock alone correlates nothing. `less` has an interval
    from common resamples of points. Raises ResultsError where no engine has LEAST_POINTS points
    with loads and context1.
    """
    rows: list[tuple[object, ...]] = []
    for engine in dict.fromkeys(point.analysed.engine for point in points):
        engine_points = [point for point in points if point.analysed.engine == engine]
        for measure, values in (("relative", _relative), ("time", _times)):
            rows += [(engine, measure, *row) for row in _rows(values(engine_points))]
    if not rows:
        raise ResultsError(
            f"no engine has {LEAST_POINTS} points with {SWITCH}, a rival and a shell load"
        )
    return HYPOTHESIS.frame(rows)


def _times(points: Sequence[PlacedPoint]) -> PointValues:
    values: dict[Name, Array] = {}
    for index, point in enumerate(points):
        times = point.analysed.machine_time["times"]
        rows = times[times["key"] == point.key][["benchmark", "fs", "ns_per_op"]]
        for benchmark, fs, cost in rows.itertuples(index=False, name=None):
            if cost > 0:
                values.setdefault((benchmark, fs), np.full(len(points), NAN))[index] = cost
    return values


def _relative(points: Sequence[PlacedPoint]) -> PointValues:
    """R of each point relative to the first one; NaN where the first has no value."""
    mips = np.array([point.mips for point in points])
    times = _times(points).items()
    return {name: costs[0] / costs / (mips / mips[0]) for name, costs in times}


def _rows(measured: PointValues) -> Iterator[tuple[object, ...]]:
    """The rows of one measure, each over the points that have the predictor and all loads."""
    switch = measured.get((SWITCH, "none"))
    loads = {name[0]: values for name, values in measured.items() if name[0] in BYTE_LOAD}
    if switch is None or not loads:
        return
    targets = np.array([switch, *loads.values()])
    rows: dict[str, list[tuple[object, ...]]] = {load: [] for load in loads}
    shared: dict[bytes, list[Sampled]] = {}
    for name, values in measured.items():
        finite = np.isfinite(np.vstack([targets, values])).all(axis=0)
        if name[0] not in PREDICTORS or finite.sum() < LEAST_POINTS:
            continue
        drawn = draws(int(finite.sum()))
        predictor = _sampled(values[finite], drawn)
        if finite.tobytes() not in shared:
            shared = {finite.tobytes(): [_sampled(row[finite], drawn) for row in targets]}
        first, *load_samples = shared[finite.tobytes()]
        for load, target in zip(loads, load_samples, strict=True):
            row = load, *name, "yes" if name[0] in SWITCHES else "no", int(finite.sum())
            rows[load].append((*row, *_compared(name[0], target, predictor, first)))
    for of_load in rows.values():
        yield from of_load


@dataclass(frozen=True)
class Sampled:
    """A column, and its resamples' standard ranks (osgap.analysis.resampling)."""

    values: Array
    ranks: Array

    def correlation(self, other: Sampled) -> float:
        """Spearman's rank correlation; NaN when either side is constant."""
        if min(len(np.unique(column)) for column in (self.values, other.values)) < 2:
            return NAN
        from scipy import stats  # takes a second

        return float(stats.spearmanr(self.values, other.values).statistic)

    def correlations(self, other: Sampled) -> Array:
        """Spearman's rank correlation of each resample; NaN where either side is constant."""
        return rank_correlations(self.ranks, other.ranks)


def _sampled(values: Array, drawn: NDArray[np.int64]) -> Sampled:
    return Sampled(values, standard_ranks(values[drawn]))


def _compared(name: str, load: Sampled, predictor: Sampled, switch: Sampled) -> tuple[object, ...]:
    rank, best = load.correlation(predictor), load.correlation(switch)
    if np.isnan(rank):
        return NAN, NAN, NAN, NAN, NAN, NAN, "constant"
    each = load.correlations(predictor)
    if name == SWITCH:
        return rank, *interval(each), NAN, NAN, NAN, ""
    if np.isnan(best):
        return rank, *interval(each), NAN, NAN, NAN, f"{SWITCH} is constant"
    bounds = interval(load.correlations(switch) - each)
    return rank, *interval(each), best - rank, *bounds, _verdict(*bounds)


def _verdict(low: float, high: float) -> str:
    if low > 0:
        return f"{SWITCH} is better"
    return f"{SWITCH} is worse" if high < 0 else "not told apart"


def best_predictors(table: pd.DataFrame) -> pd.DataFrame:
    """The BEST predictors of the heaviest load, of each engine and measure, and all switches."""
    heaviest = table[table["load"] == max(table["load"], key=BYTE_LOAD.index)]
    ordered = heaviest.sort_values("spearman", ascending=False, kind="stable")
    rank = ordered.groupby(["engine", "measure"]).cumcount()
    rows: pd.DataFrame = ordered[(rank < BEST) | (ordered["switches"] == "yes")]
    return rows.sort_values(["engine", "measure"], kind="stable").reset_index(drop=True)


def verdicts(table: pd.DataFrame) -> list[str]:
    """One sentence for each engine, measure and load."""
    lines = []
    for (engine, measure, load), rows in table.groupby(["engine", "measure", "load"], sort=False):
        switch = rows[rows["predictor"] == SWITCH].iloc[0]
        rivals = rows[(rows["switches"] == "no") & rows["less"].notna()]
        counts = rivals["verdict"].value_counts()
        better, worse = (counts.get(f"{SWITCH} is {word}", 0) for word in ("better", "worse"))
        verdict = f"predicts better than {better} of {len(rivals)} rivals, worse than {worse}"
        best = rivals.sort_values("spearman", ascending=False).head(1)
        first = "".join(
            f"; the best rival is {row['predictor']}, {row['spearman']:.2f}"
            for row in best.to_dict("records")
        )
        rank = f"{switch['spearman']:.2f} [{switch['low']:.2f}, {switch['high']:.2f}]"
        of = f"{engine}, {measure}, {load}, {counted(switch['points'], 'point')}"
        lines.append(f"{of}: {SWITCH} {rank} {verdict}{first}")
    return lines
