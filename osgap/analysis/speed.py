# SPDX-License-Identifier: BSD-3-Clause
"""MIPS-relative speeds over the series of a sweep, their means, and elasticities."""

from collections.abc import Sequence
from itertools import pairwise

import pandas as pd

from osgap.analysis import relative
from osgap.analysis.constants import BANDWIDTH, higher_is_better
from osgap.analysis.suite import Suite, sets_for
from osgap.machines.series import parse_series

RELATIVE_COLUMNS = [
    "series",
    "clock_mhz",
    "key",
    "benchmark",
    "fs",
    "metric",
    "value",
    "mips",
    "reference_value",
    "reference_mips",
    "relative",
]
GEOMEAN_COLUMNS = [
    "set",
    "series",
    "clock_mhz",
    "key",
    "mips",
    "mips_ratio",
    "n",
    "of",
    "not_run",
    "geomean",
]
ELASTICITY_COLUMNS = [
    "series",
    "benchmark",
    "fs",
    "kind",
    "clock_low_mhz",
    "clock_high_mhz",
    "elasticity",
]


def relative_table(points: pd.DataFrame, times: pd.DataFrame) -> pd.DataFrame:
    """R of every benchmark, for each point in a series (columns RELATIVE_COLUMNS).

    The reference is the sweep's slowest clock: the series' own point there, or, where it has none,
    another series' with the same figures of memory.  Finished points have a row for
    every benchmark of the run; R is NaN where a value, a rating or the reference is missing.
    """
    places = points[(points["series"] != "") & (points["finished"] == "yes")]
    values = _by_key(times, "median")
    metrics = _benchmarks(times)
    references = _references(points)
    ratings = dict(zip(points["key"], points["mips"].astype(float), strict=True))
    rows = [
        _relative_row(point, name, values, ratings, references[point[0]])
        for point in places[["series", "clock_mhz", "key"]].itertuples(index=False, name=None)
        for name in metrics
    ]
    return pd.DataFrame(rows, columns=RELATIVE_COLUMNS)


SeriesPoint = tuple[str, float, str]
"""Series, clock in MHz, key."""
Benchmark = tuple[str, str, str]
Values = dict[tuple[str, str, str], float]


def _relative_row(
    point: SeriesPoint,
    benchmark: Benchmark,
    values: Values,
    ratings: dict[str, float],
    reference: str,
) -> dict[str, object]:
    series, clock, key = point
    name, fs, metric = benchmark
    value = values.get((key, name, fs), relative.NAN)
    base = values.get((reference, name, fs), relative.NAN)
    mips, base_mips = ratings[key], ratings.get(reference, relative.NAN)
    speed = relative.relative_speed(
        value, base, mips, base_mips, bandwidth=higher_is_better(metric)
    )
    row = (series, clock, key, name, fs, metric, value, mips, base, base_mips, speed)
    return dict(zip(RELATIVE_COLUMNS, row, strict=True))


def _references(points: pd.DataFrame) -> dict[str, str]:
    """Series -> key of the point that it is related to; "" where there is none."""
    placed = points[points["series"] != ""]
    slowest = placed[placed["clock_mhz"] == placed["clock_mhz"].min()]
    own = dict(zip(slowest["series"], slowest["key"], strict=True))
    alike: dict[tuple[tuple[str, float], ...], str] = {}
    for name, key in own.items():
        alike.setdefault(parse_series(name).values, key)
    names = map(str, placed["series"].unique())
    return {name: own.get(name, alike.get(parse_series(name).values, "")) for name in names}


def _benchmarks(times: pd.DataFrame) -> list[Benchmark]:
    rows = times[["benchmark", "fs", "metric"]].itertuples(index=False, name=None)
    return list(dict.fromkeys(rows))


def _by_key(times: pd.DataFrame, column: str) -> Values:
    keys = times[["key", "benchmark", "fs"]].itertuples(index=False, name=None)
    return dict(zip(keys, times[column].astype(float), strict=True))


def geomean_table(relatives: pd.DataFrame, suites: Sequence[Suite]) -> pd.DataFrame:
    """Geometric mean of R for each machine and set of `suites` (columns GEOMEAN_COLUMNS).

    Every benchmark and file system of the set that the run measured counts once.  `n` of them
    are defined, of `of`; the mean is NaN unless all are, so that machines stay comparable.
    `not_run` lists the set's benchmarks that the run has nowhere; `mips_ratio` is MIPS / MIPS_ref.
    A set of which the run has no benchmark has no rows, but for a suite's with `always`.
    """
    rows = [
        {"set": name, **_geomean_row(group, benchmarks)}
        for name, benchmarks in sets_for(suites, set(relatives["benchmark"]))
        for _, group in relatives.groupby(["series", "clock_mhz"], sort=False)
    ]
    return pd.DataFrame(rows, columns=GEOMEAN_COLUMNS)


def _geomean_row(group: pd.DataFrame, benchmarks: tuple[str, ...]) -> dict[str, object]:
    chosen = group[group["benchmark"].isin(benchmarks)]
    speeds = chosen["relative"].tolist()
    first = group.iloc[0]
    return {
        **{name: first[name] for name in ("series", "clock_mhz", "key", "mips")},
        "mips_ratio": first["mips"] / first["reference_mips"],
        "n": sum(map(relative.defined, speeds)),
        "of": len(speeds),
        "not_run": " ".join(name for name in benchmarks if name not in set(chosen["benchmark"])),
        "geomean": relative.geometric_mean(speeds),
    }


def elasticity_table(points: pd.DataFrame, times: pd.DataFrame) -> pd.DataFrame:
    """d log t / d log clock in each series (columns ELASTICITY_COLUMNS).

    `kind` is "step" between neighbouring finished clocks and "fit" for the least-squares slope
    over all of them; for bandwidths t is the time per byte.
    """
    places = points[(points["series"] != "") & (points["finished"] == "yes")]
    cost = _by_key(times.assign(cost=_cost(times)), "cost")
    rows = []
    for series, group in places.groupby("series", sort=False):
        ordered = group.sort_values("clock_mhz")
        clocks = [float(clock) for clock in ordered["clock_mhz"]]
        for name, fs, _ in _benchmarks(times):
            costs = [cost.get((key, name, fs), relative.NAN) for key in ordered["key"]]
            rows += [(series, name, fs, *row) for row in _elasticities(clocks, costs)]
    return pd.DataFrame(rows, columns=ELASTICITY_COLUMNS)


def _elasticities(clocks: list[float], costs: list[float]) -> list[tuple[str, float, float, float]]:
    if len(clocks) < 2:
        return []
    steps = [
        ("step", low[0], high[0], relative.elasticity(*low, *high))
        for low, high in pairwise(zip(clocks, costs, strict=True))
    ]
    return [*steps, ("fit", clocks[0], clocks[-1], relative.fitted_elasticity(clocks, costs))]


def _cost(times: pd.DataFrame) -> pd.Series:
    per_byte = times["ns_per_op"] / times["bytes"].where(times["bytes"] > 0)
    return times["ns_per_op"].mask(times["metric"] == BANDWIDTH, per_byte)
