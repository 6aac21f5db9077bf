# SPDX-License-Identifier: BSD-3-Clause
"""The tables of times and of points: medians of each benchmark, and ratings of each machine."""

from collections.abc import Collection
from itertools import pairwise

import pandas as pd

from osgap.analysis.columns import (
    CLOCK_MHZ,
    DISK,
    ENGINE,
    KEY,
    MACHINE,
    MEMORY,
    METRIC,
    MIPS,
    POINT_KEYS,
    SERIES,
    SIMULATED_FIGURES,
    START,
    count,
    flag,
    names,
)
from osgap.analysis.constants import (
    DHRYSTONE,
    INTEGER_MIX,
    STEADY_LIMIT,
    higher_is_better,
    series_rank,
)
from osgap.analysis.relative import NAN
from osgap.analysis.table import Column, Table
from osgap.machines.axes import FIGURES
from osgap.machines.series import series_of
from osgap.machines.system import System
from osgap.rundir.load import Point, Run

TIMES = Table(
    "times",
    "every benchmark on every point: first, best and median of its batches",
    (
        *POINT_KEYS,
        METRIC,
        count("bytes", "bytes that one operation moves", "bytes"),
        count("batches", "batches of the benchmark"),
        Column("cold", "the first batch's result", "metric"),
        Column("best", "the best batch's result", "metric"),
        Column("median", "the batches' median, which is the result", "metric"),
        flag("steady", "whether two successive batches differ by less than 1 %"),
        count("timer_irqs", "timer interrupts in all batches"),
        Column("ns_per_op", "median time of one operation", "ns"),
    ),
    make=lambda data: data.times,
    order=30,
)
POINTS = Table(
    "points",
    "every point: its machine, engine, axes and MIPS",
    (
        SERIES,
        CLOCK_MHZ,
        KEY,
        flag("finished", "whether the point was simulated to its end"),
        MACHINE,
        ENGINE,
        MEMORY,
        DISK,
        START,
        MIPS,
        Column(
            "mips_user",
            "the rating from user instructions alone, where the engine counts them",
            "MIPS",
        ),
        Column(
            "dhrystone_mips", "Dhrystones per second / 1757, the rate of the VAX-11/780", "MIPS"
        ),
    ),
    optional=SIMULATED_FIGURES,
    make=lambda data: data.points,
    order=10,
)
# Dhrystones per second of the VAX-11/780, by convention a machine of 1 MIPS.
VAX_DHRYSTONES = 1757


def times_table(batches: pd.DataFrame) -> pd.DataFrame:
    """One row for each point, benchmark and file system (TIMES)."""
    keys = names(*POINT_KEYS)
    numbers = batches.groupby(keys, sort=False).ngroup()
    ordered = batches.assign(number=numbers).sort_values(["number", "batch"], ignore_index=True)
    rows = ordered.drop_duplicates("number").set_index("number")
    groups = ordered.groupby("number")
    values = groups["value"]
    highest = rows["metric"].map(higher_is_better).astype(bool)
    table = rows.assign(
        batches=groups.size(),
        cold=rows["value"],
        best=values.max().where(highest, values.min()),
        median=values.median().where(values.count() == groups.size()),
        steady=groups["ns_per_op"].agg(lambda group: steady(group.tolist())),
        timer_irqs=groups["timer_irqs"].sum(),
        ns_per_op=groups["ns_per_op"].median(),
    ).reset_index(drop=True)
    table = table.astype(dict.fromkeys(("bytes", "batches", "timer_irqs"), int))
    return TIMES.frame(table[TIMES.names].itertuples(index=False, name=None))


def steady(times: list[float]) -> str:
    """Returns "yes" if two successive batches differ by under 1 %, else "no"; "" for one batch."""
    if len(times) < 2:
        return ""
    return "yes" if any(abs(b - a) < STEADY_LIMIT * abs(a) for a, b in pairwise(times)) else "no"


def points_table(run: Run, samples: pd.DataFrame) -> pd.DataFrame:
    """One row for each point in each series, then points in none (POINTS).

    Where any point has another figure of a part than the machine file, such as memory's latency,
    the optional columns of that part follow.
    """
    series = sorted(run.series, key=series_rank)
    places = [(name, clock, key) for name in series for clock, key in run.series[name].items()]
    in_series = {key for _, _, key in places}
    places += [("", NAN, key) for key in run.keys if key not in in_series]
    ratings = {str(key): _ratings(group) for key, group in samples.groupby("key", sort=False)}
    rows = [_point_row(run, point, ratings) for point in places]
    return POINTS.frame(rows, _varied_figures(run.points.values()))


def _varied_figures(points: Collection[Point]) -> set[str]:
    """The figures of each part of the machine of which a point varies any."""
    keys = {key for point in points for key, _ in series_of(point.record.axes.model_dump()).values}
    parts = {axis.part for axis in FIGURES if axis.key in keys}
    return {axis.key for axis in FIGURES if axis.part in parts}


def _point_row(
    run: Run, point: tuple[str, float, str], ratings: dict[str, dict[str, float]]
) -> dict[str, object]:
    series, clock, key = point
    row: dict[str, object] = {"series": series, "clock_mhz": clock, "key": key, "finished": "no"}
    if key in run.points:
        record = run.points[key].record
        axes = record.axes.model_dump(include={"clock_mhz", "memory", "disk", "seed"})
        labels = {"finished": "yes", "machine": record.machine, "engine": record.engine}
        resolved = record.resolved
        is_simulated = isinstance(resolved, System)
        figures = {axis.key: axis.of(resolved) for axis in FIGURES} if is_simulated else {}
        row.update({**axes, **figures, **labels, **ratings[key]})
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

    A batch without a timer tick counts the mix alone, so the count is the batches' least.
    """
    return float(insts.min() / guest_ns.median() * 1e3) if len(insts) else NAN
