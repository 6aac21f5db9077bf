# SPDX-License-Identifier: BSD-3-Clause
"""The tables of MIPS-relative speeds (R), of their means over a set, and of elasticities."""

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Any

import pandas as pd

from osgap.analysis import relative
from osgap.analysis.columns import (
    BENCHMARK,
    CLOCK_MHZ,
    FS,
    KEY,
    METRIC,
    MIPS,
    SERIES,
    SET,
    count,
    text,
)
from osgap.analysis.constants import BANDWIDTH, higher_is_better
from osgap.analysis.suite import Suite, sets_for
from osgap.analysis.table import Column, Table
from osgap.machines.series import parse_series

RELATIVE = Table(
    "relative",
    "one table a benchmark: configuration, time, MIPS-relative speed",
    (
        SERIES,
        CLOCK_MHZ,
        KEY,
        BENCHMARK,
        FS,
        METRIC,
        Column("value", "the benchmark's result, the batches' median", "metric"),
        MIPS,
        Column("reference_value", "the result at the sweep's slowest clock", "metric"),
        Column("reference_mips", "the rating at the sweep's slowest clock", "MIPS"),
        Column("relative", "R: the benchmark's speedup over the slowest clock / the rating's"),
    ),
    make=lambda data: data.relatives,
    order=35,
)
GEOMEAN = Table(
    "geomean",
    "geometric mean of MIPS-relative speed of every set of benchmarks",
    (
        SET,
        SERIES,
        CLOCK_MHZ,
        KEY,
        MIPS,
        Column("mips_ratio", "mips / reference_mips"),
        count("n", "benchmarks and file systems of the set with a defined R"),
        count("of", "benchmarks and file systems of the set that the run measured"),
        text("not_run", "benchmarks of the set that the run does not have"),
        Column("geomean", "geometric mean of R; undefined unless n equals of"),
    ),
    make=lambda data: geomean_table(data.relatives, data.suites),
    order=40,
)
ELASTICITY = Table(
    "elasticity",
    "d log time / d log clock of every benchmark: between clocks, and fitted",
    (
        SERIES,
        BENCHMARK,
        FS,
        text("kind", "step: between neighbouring clocks; fit: least squares over all clocks"),
        Column("clock_low_mhz", "the slower clock", "MHz"),
        Column("clock_high_mhz", "the faster clock", "MHz"),
        Column("elasticity", "-1: time is inverse to the clock; 0: time ignores the clock"),
    ),
    make=lambda data: elasticity_table(data.points, data.times),
    order=50,
)


def points_in_series(points: pd.DataFrame) -> pd.DataFrame:
    """The rows of finished points that are in a series."""
    return points[(points["series"] != "") & (points["finished"] == "yes")]


def relative_table(points: pd.DataFrame, times: pd.DataFrame) -> pd.DataFrame:
    """R of every benchmark, for each finished point in a series (RELATIVE); NaN where unknown.

    The reference is the sweep's slowest clock in the same series, or, where the series has none, in
    another series with the same figures of memory.
    """
    places = points_in_series(points)[["series", "clock_mhz", "key"]]
    rows = places.merge(times[["benchmark", "fs", "metric"]].drop_duplicates(), how="cross")
    rows["reference"] = rows["series"].map(_references(points))
    # Predicted times have a point's rows once for each of its series.
    unique = times.drop_duplicates(["key", "benchmark", "fs"])
    medians = unique[["key", "benchmark", "fs", "median"]].astype({"median": float})
    rows = rows.merge(medians.rename(columns={"median": "value"}), how="left")
    of_reference = {"key": "reference", "median": "reference_value"}
    rows = rows.merge(medians.rename(columns=of_reference), how="left")
    ratings = points.drop_duplicates("key").set_index("key")["mips"].astype(float)
    rows["mips"] = rows["key"].map(ratings)
    rows["reference_mips"] = rows["reference"].map(ratings)
    numbers = rows[["value", "reference_value", "mips", "reference_mips"]]
    rows["relative"] = [
        relative.relative_speed(*row, bandwidth=higher_is_better(metric))
        for row, metric in zip(numbers.to_numpy().tolist(), rows["metric"], strict=True)
    ]
    return rows[RELATIVE.names]


def _references(points: pd.DataFrame) -> dict[str, str]:
    """Series -> key of its reference point; "" where there is none."""
    in_series = points[points["series"] != ""]
    slowest = in_series[in_series["clock_mhz"] == in_series["clock_mhz"].min()]
    by_series = dict(zip(slowest["series"], slowest["key"], strict=True))
    by_memory: dict[tuple[tuple[str, float], ...], str] = {}
    for name, key in by_series.items():
        by_memory.setdefault(parse_series(name).values, key)
    names = map(str, in_series["series"].unique())
    return {
        name: by_series.get(name, by_memory.get(parse_series(name).values, "")) for name in names
    }


def with_speeds(
    points: pd.DataFrame, times: pd.DataFrame, suites: Sequence[Suite]
) -> dict[str, pd.DataFrame]:
    """Both tables with R and its means, by name."""
    relatives = relative_table(points, times)
    means = geomean_table(relatives, suites)
    return {"points": points, "times": times, "relative": relatives, "geomean": means}


def geomean_table(relatives: pd.DataFrame, suites: Sequence[Suite]) -> pd.DataFrame:
    """Geometric mean of R for each machine and set of `suites` (GEOMEAN).

    The mean is NaN unless all rows are defined, so that machines stay comparable.
    """
    groups = [
        group.to_dict("records")
        for _, group in relatives.groupby(["series", "clock_mhz"], sort=False)
    ]
    rows = [
        {"set": name, **_geomean_row(group, benchmarks)}
        for name, benchmarks in sets_for(suites, set(relatives["benchmark"]))
        for group in groups
    ]
    return GEOMEAN.frame(rows)


def lacks_rows(mean: pd.Series) -> bool:
    """True for a row of GEOMEAN whose mean lacks benchmarks of its set."""
    missing = mean.get("not_run")
    return bool(pd.notna(missing) and str(missing))


def _geomean_row(group: list[dict[Hashable, Any]], benchmarks: tuple[str, ...]) -> dict[str, Any]:
    speeds = [row["relative"] for row in group if row["benchmark"] in benchmarks]
    measured = {row["benchmark"] for row in group}
    first = group[0]
    return {
        **{name: first[name] for name in ("series", "clock_mhz", "key", "mips")},
        "mips_ratio": first["mips"] / (first["reference_mips"] or relative.NAN),
        "n": sum(map(relative.defined, speeds)),
        "of": len(speeds),
        "not_run": " ".join(name for name in benchmarks if name not in measured),
        "geomean": relative.geometric_mean(speeds),
    }


def elasticity_table(points: pd.DataFrame, times: pd.DataFrame) -> pd.DataFrame:
    """d log t / d log clock in each series (ELASTICITY); a step is between neighbouring clocks."""
    per_byte = times["ns_per_op"] / times["bytes"].where(times["bytes"] > 0)
    cost = times["ns_per_op"].mask(times["metric"] == BANDWIDTH, per_byte).astype(float)
    costs = times.assign(cost=cost).set_index(["benchmark", "fs", "key"])["cost"].unstack("key")
    costs = costs.reindex(pd.MultiIndex.from_frame(times[["benchmark", "fs"]].drop_duplicates()))
    rows = []
    for series, group in points_in_series(points).groupby("series", sort=False):
        ordered = group.sort_values("clock_mhz")
        clocks = ordered["clock_mhz"].astype(float).tolist()
        for benchmark in costs.reindex(columns=ordered["key"]).itertuples(name=None):
            (name, fs), *at_clocks = benchmark
            rows += [(series, name, fs, *row) for row in _elasticities(clocks, at_clocks)]
    return ELASTICITY.frame(rows)


def _elasticities(clocks: list[float], costs: list[float]) -> list[tuple[str, float, float, float]]:
    if len(clocks) < 2:
        return []
    steps = [
        ("step", low[0], high[0], relative.elasticity(*low, *high))
        for low, high in pairwise(zip(clocks, costs, strict=True))
    ]
    return [*steps, ("fit", clocks[0], clocks[-1], relative.fitted_elasticity(clocks, costs))]
