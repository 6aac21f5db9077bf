# SPDX-License-Identifier: BSD-3-Clause
"""Raveling's hypothesis: does context switching predict a machine's speed under load?

"Context switch overhead is the principle determinant of OS performance in the presence of a
typical multi-process workload" (1990): rank correlation over points, against every rival.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from osgap.analysis.names import BYTE_LOAD, SUITE_ROWS
from osgap.analysis.parts import Place
from osgap.bootstrap import Array, draws, interval
from osgap.csvfile import ResultsError
from osgap.relative import NAN

HYPOTHESIS_COLUMNS = [
    "engine", "measure", "load", "predictor", "fs", "switches", "points", "spearman", "low",
    "high", "less", "less_low", "less_high", "verdict",
]  # fmt: skip
SWITCH = "context1"
"""The context switch that stands for the hypothesis: BYTE's own, as in his comparison."""
SWITCHES = frozenset({SWITCH, "pt", "ctxsw_2", "ctxsw_8"})
PREDICTORS = frozenset(chain(*SUITE_ROWS.values())).difference(BYTE_LOAD)
LEAST_POINTS = 5
BEST = 8
"""How many predictors best_predictors shows."""
RELATIVE, TIME = "relative", "time"
Name = tuple[str, str]


@dataclass(frozen=True)
class Points:
    """(benchmark, fs) -> a value for each point of one engine: ns, or MIPS-relative speed."""

    measure: str
    values: Mapping[Name, Array]


def hypothesis_table(every: Sequence[Place]) -> pd.DataFrame:
    """A row a load and predictor (columns HYPOTHESIS_COLUMNS), for each engine and measure.

    `measure` is "relative" (MIPS-relative speed, all to the engine's first point, so that the
    clock alone makes nothing correlate) or "time" (as measured).  `spearman` with `low` and
    `high`; `less`: by how much that of context1 exceeds it, with its interval, in which both are
    resampled together; `verdict` is what that interval says.  Intervals are 95 % percentile
    bootstraps over points, seeded.  Raises ResultsError without loads, context1 or LEAST_POINTS.
    """
    rows: list[tuple[object, ...]] = []
    for engine in dict.fromkeys(place.part.engine for place in every):
        own = [place for place in every if place.part.engine == engine]
        for points in (_relative(own), _times(own)):
            rows += [(engine, points.measure, *row) for row in _rows(points)]
    if not rows:
        raise ResultsError(
            f"no engine has {LEAST_POINTS} points with {SWITCH}, a rival and a shell load"
        )
    return pd.DataFrame(rows, columns=HYPOTHESIS_COLUMNS)


def _times(every: Sequence[Place]) -> Points:
    found: dict[Name, Array] = {}
    for at, place in enumerate(every):
        times = place.part.own["times"]
        own = times[times["key"] == place.key][["benchmark", "fs", "ns_per_op"]]
        for benchmark, fs, cost in own.itertuples(index=False, name=None):
            if cost > 0:
                values = found.setdefault((str(benchmark), str(fs)), np.full(len(every), NAN))
                values[at] = cost
    return Points(TIME, found)


def _relative(every: Sequence[Place]) -> Points:
    """R of each point to the first one; NaN where the first has no value."""
    mips = np.array([_mips(place) for place in every])
    times = _times(every).values
    return Points(RELATIVE, {name: own[0] / own / (mips / mips[0]) for name, own in times.items()})


def _mips(place: Place) -> float:
    points = place.part.own["points"]
    return float(points.loc[points["key"] == place.key, "mips"].iloc[0])


def _rows(points: Points) -> Iterator[tuple[object, ...]]:
    """The rows of one measure; a predictor's points are those that have it and all loads."""
    switch = points.values.get((SWITCH, "none"))
    loads = {name[0]: values for name, values in points.values.items() if name[0] in BYTE_LOAD}
    if switch is None or not loads:
        return
    targets = np.array([switch, *loads.values()])
    found: dict[str, list[tuple[object, ...]]] = {load: [] for load in loads}
    shared: dict[bytes, list[Sampled]] = {}
    for name, values in points.values.items():
        kept = np.isfinite(np.vstack([targets, values])).all(axis=0)
        if name[0] not in PREDICTORS or kept.sum() < LEAST_POINTS:
            continue
        drawn = draws(int(kept.sum()))
        own = _sampled(values[kept], drawn)
        if kept.tobytes() not in shared:
            shared = {kept.tobytes(): [_sampled(row[kept], drawn) for row in targets]}
        first, *others = shared[kept.tobytes()]
        for load, target in zip(loads, others, strict=True):
            place = load, *name, "yes" if name[0] in SWITCHES else "no", int(kept.sum())
            found[load].append((*place, *_compared(name[0], target, own, first)))
    for rows in found.values():
        yield from rows


@dataclass(frozen=True)
class Sampled:
    """A column, and its resamples' ranks: less their mean, of length 1; 0 where all are equal."""

    values: Array
    ranks: Array

    def correlation(self, other: Sampled) -> float:
        """Spearman's; NaN when either is constant."""
        if min(len(np.unique(column)) for column in (self.values, other.values)) < 2:
            return NAN
        return float(stats.spearmanr(self.values, other.values).statistic)

    def correlations(self, other: Sampled) -> Array:
        """Spearman's of each resample; NaN where either is constant."""
        together: Array = np.einsum("ij,ij->i", self.ranks, other.ranks)
        varied = self.ranks.any(axis=1) & other.ranks.any(axis=1)
        return np.where(varied, together, NAN)


def _sampled(values: Array, drawn: NDArray[np.int64]) -> Sampled:
    ranks = stats.rankdata(values[drawn], axis=1)
    ranks -= ranks.mean(axis=1, keepdims=True)
    length = np.sqrt((ranks**2).sum(axis=1, keepdims=True))
    return Sampled(values, np.divide(ranks, length, out=np.zeros_like(ranks), where=length > 0))


def _compared(name: str, load: Sampled, own: Sampled, switch: Sampled) -> tuple[object, ...]:
    found, best = load.correlation(own), load.correlation(switch)
    if np.isnan(found):
        return NAN, NAN, NAN, NAN, NAN, NAN, "constant"
    each = load.correlations(own)
    if name == SWITCH:
        return found, *interval(each), NAN, NAN, NAN, ""
    if np.isnan(best):
        return found, *interval(each), NAN, NAN, NAN, f"{SWITCH} is constant"
    bounds = interval(load.correlations(switch) - each)
    return found, *interval(each), best - found, *bounds, _verdict(*bounds)


def _verdict(low: float, high: float) -> str:
    if low > 0:
        return f"{SWITCH} is better"
    return f"{SWITCH} is worse" if high < 0 else "not told apart"


def best_predictors(table: pd.DataFrame) -> pd.DataFrame:
    """Of hypothesis_table for the most copies at once: each engine's and measure's first BEST by
    rank correlation, and the context switches wherever they come."""
    heaviest = table[table["load"] == max(table["load"], key=BYTE_LOAD.index)]
    ordered = heaviest.sort_values("spearman", ascending=False, kind="stable")
    place = ordered.groupby(["engine", "measure"]).cumcount()
    shown: pd.DataFrame = ordered[(place < BEST) | (ordered["switches"] == "yes")]
    return shown.sort_values(["engine", "measure"], kind="stable").reset_index(drop=True)


def verdicts(table: pd.DataFrame) -> list[str]:
    """One sentence for each engine, measure and load."""
    lines = []
    for (engine, measure, load), own in table.groupby(["engine", "measure", "load"], sort=False):
        switch = own[own["predictor"] == SWITCH].iloc[0]
        rivals = own[(own["switches"] == "no") & own["less"].notna()]
        counts = rivals["verdict"].value_counts()
        better, worse = (counts.get(f"{SWITCH} is {word}", 0) for word in ("better", "worse"))
        told = f"predicts better than {better} of {len(rivals)} rivals, worse than {worse}"
        best = rivals.sort_values("spearman", ascending=False).head(1)
        first = "".join(
            f"; the best rival is {row['predictor']}, {row['spearman']:.2f}"
            for row in best.to_dict("records")
        )
        rank = f"{switch['spearman']:.2f} [{switch['low']:.2f}, {switch['high']:.2f}]"
        place = f"{engine}, {measure}, {load}, {switch['points']} points"
        lines.append(f"{place}: {SWITCH} {rank} {told}{first}")
    return lines
