# SPDX-License-Identifier: BSD-3-Clause
"""What each benchmark took on each point, and the rating of each machine."""

from itertools import pairwise

import pandas as pd

from osgap.analysis.constants import (
    DHRYSTONE,
    INTEGER_MIX,
    STEADY_LIMIT,
    higher_is_better,
    series_rank,
)
from osgap.analysis.relative import NAN
from osgap.machines.series import series_of
from osgap.rundir.load import Point, Run

TIME_COLUMNS = [
    "key",
    "benchmark",
    "fs",
    "metric",
    "bytes",
    "batches",
    "cold",
    "best",
    "median",
    "steady",
    "timer_irqs",
    "ns_per_op",
]
POINT_COLUMNS = [
    "series",
    "clock_mhz",
    "key",
    "finished",
    "machine",
    "engine",
    "memory",
    "disk",
    "seed",
    "mips",
    "mips_user",
    "dhrystone_mips",
]
MEMORY_COLUMNS = ["latency_ns", "bandwidth_mb_s"]
"""More columns of points, where a run varies memory's latency or bandwidth by themselves."""
# Dhrystones per second of the VAX-11/780, by convention a machine of 1 MIPS.
VAX_DHRYSTONES = 1757


def times_table(batches: pd.DataFrame) -> pd.DataFrame:
    """One row for each point, benchmark and file system (columns TIME_COLUMNS).

    `cold` (first batch), `best` (the fastest) and `median` are in `metric`; the median is the
    result.  `steady` is "yes" when two successive batches differ by less than 1 %, empty for a
    single batch.  `ns_per_op` is the median time of one operation, ns; `timer_irqs` all batches'.
    """
    keys = ["key", "benchmark", "fs"]
    rows = [
        {**dict(zip(keys, name, strict=True)), **_summary(group.sort_values("batch"))}
        for name, group in batches.groupby(keys, sort=False)
    ]
    return pd.DataFrame(rows, columns=TIME_COLUMNS)


def _summary(group: pd.DataFrame) -> dict[str, object]:
    metric = str(group["metric"].iloc[0])
    values = group["value"]
    return {
        "metric": metric,
        "bytes": int(group["bytes"].iloc[0]),
        "batches": len(group),
        "cold": values.iloc[0],
        "best": values.max() if higher_is_better(metric) else values.min(),
        "median": values.median(skipna=False),
        "steady": steady(group["ns_per_op"].tolist()),
        "timer_irqs": int(group["timer_irqs"].sum()),
        "ns_per_op": group["ns_per_op"].median(),
    }


def steady(times: list[float]) -> str:
    """Whether two successive batches differ by less than 1 %: "yes", "no"; "" for one batch."""
    if len(times) < 2:
        return ""
    return "yes" if any(abs(b - a) < STEADY_LIMIT * abs(a) for a, b in pairwise(times)) else "no"


def points_table(run: Run, samples: pd.DataFrame) -> pd.DataFrame:
    """One row for each point in each series, then points in none (columns POINT_COLUMNS).

    Unfinished points have `finished` "no" and no ratings.  `mips` is the machine's rating (see
    `mips_rating`), `mips_user` the same from user instructions alone where the engine counts
    them, `dhrystone_mips` Dhrystones per second by 1757.  Where any point has a latency or
    bandwidth of memory that is not the machine's own, there are also MEMORY_COLUMNS: both, in ns
    and MB/s, as simulated, which is after scaling.
    """
    names = sorted(run.series, key=series_rank)
    places = [(name, clock, key) for name in names for clock, key in run.series[name].items()]
    placed = {key for _, _, key in places}
    places += [("", NAN, key) for key in run.keys if key not in placed]
    ratings = {str(key): _ratings(group) for key, group in samples.groupby("key", sort=False)}
    rows = [_point_row(run, point, ratings) for point in places]
    varied = any(_is_varied(point) for point in run.points.values())
    return pd.DataFrame(rows, columns=[*POINT_COLUMNS, *(MEMORY_COLUMNS if varied else [])])


def _is_varied(point: Point) -> bool:
    return bool(series_of(point.record.axes.model_dump()).values)


def _point_row(
    run: Run, point: tuple[str, float, str], ratings: dict[str, dict[str, float]]
) -> dict[str, object]:
    series, clock, key = point
    row: dict[str, object] = {"series": series, "clock_mhz": clock, "key": key, "finished": "no"}
    if key in run.points:
        record = run.points[key].record
        axes = record.axes.model_dump(include={"clock_mhz", "memory", "disk", "seed"})
        names = {"finished": "yes", "machine": record.machine, "engine": record.engine}
        memory = record.resolved.memory.model_dump(include=set(MEMORY_COLUMNS))
        row.update({**axes, **memory, **names, **ratings[key]})
    return row


def _ratings(group: pd.DataFrame) -> dict[str, float]:
    mix = group[group["benchmark"] == INTEGER_MIX]
    loops = group[group["benchmark"] == DHRYSTONE]
    per_second = 1e9 / loops["ns_per_op"].median() if len(loops) else NAN
    return {
        "mips": mips_rating(mix["insts"], mix["guest_ns"]),
        "mips_user": mips_rating(mix["user_insts"], mix["guest_ns"]),
        "dhrystone_mips": per_second / VAX_DHRYSTONES,
    }


def mips_rating(insts: pd.Series, guest_ns: pd.Series) -> float:
    """Millions of instructions per second of integer_mix; NaN without batches or statistics.

    The count is the least of the batches, that is the one without a timer tick, so that it holds
    the mix's own instructions; the time is the median.
    """
    return float(insts.min() / guest_ns.median() * 1e3) if len(insts) else NAN
