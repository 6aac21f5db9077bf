# SPDX-License-Identifier: BSD-3-Clause
"""Compares image variants: each benchmark's time by its time with the default image.

Where the default image was run in several layouts, its time is their geometric mean, and a ratio is
told apart from them when it lies outside the prediction interval of one more layout.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from osgap.analysis.analysed import AnalysedRun, PlacedPoint
from osgap.analysis.columns import (
    BENCHMARK,
    CLOCK_MHZ,
    ENGINE,
    FS,
    MACHINE,
    SERIES,
    count,
    ends,
    flag,
    text,
)
from osgap.analysis.constants import CHECKS
from osgap.analysis.layouts.groups import image_of
from osgap.analysis.layouts.spread import Spread, spread
from osgap.analysis.relative import geometric_mean
from osgap.analysis.suite import CombinedResult, CombinedTable, Printed
from osgap.analysis.table import Column, Table
from osgap.rundir.csvfile import ResultsError

DEFAULT = "default"
MEAN = "geometric mean"
_PLACE = ["engine", "machine", "series", "clock_mhz"]
_DIFFERS = "*"
_NOTE = (
    f"{_DIFFERS}: outside the 95 % interval of one more layout of the default image; of a hundred "
    "ratios of equal images five would be"
)

VARIANTS = Table(
    "variants",
    "every benchmark's time with an image variant by its time with the default image",
    (
        ENGINE,
        MACHINE,
        SERIES,
        CLOCK_MHZ,
        text("variant", "the image variant's name"),
        BENCHMARK,
        FS,
        Column("ns_per_op", "median time of one operation", "ns"),
        Column("default_ns_per_op", "geometric mean over layouts of the default image", "ns"),
        count("layouts", "layouts of the default image"),
        Column("ratio", "ns_per_op / default_ns_per_op"),
        *ends("one_", "the 95 % interval of the ratio of one more layout of the default image"),
        flag("differs", "whether the ratio lies outside that interval"),
    ),
    order=320,
)

_Times = Mapping[tuple[str, str], float]
"""Benchmark and file system -> ns per operation."""


def variants_table(points: Sequence[PlacedPoint]) -> pd.DataFrame:
    """A row for each benchmark of a point whose conditions the default image has too (VARIANTS).

    Raises ConfigError for a malformed record of an image.
    """
    layouts = _default_layouts(dict.fromkeys(point.analysed for point in points))
    default: dict[tuple[object, ...], list[float]] = {}
    for point in points:
        if point.analysed in layouts:
            for place, ns in _times(point).items():
                default.setdefault((*point.conditions, *place), []).append(math.log(ns))
    rows: list[tuple[object, ...]] = []
    for point in points:
        for place, ns in _times(point).items() if point.analysed not in layouts else ():
            if logs := default.get((*point.conditions, *place)):
                where = (*point.conditions, point.analysed.variant, *place)
                rows.append((*where, *_compared(ns, spread([np.array([log]) for log in logs]))))
    return VARIANTS.frame(rows)


def _default_layouts(runs: Iterable[AnalysedRun]) -> set[AnalysedRun]:
    """The runs of the default image and of other layouts of it; empty without the default image."""
    software = {run: image_of(run).software for run in runs}
    default = {software[run] for run in software if run.variant == DEFAULT}
    return {run for run in software if software[run] in default}


def _compared(ns: float, default: Spread) -> tuple[object, ...]:
    """The columns of VARIANTS from ns_per_op on."""
    low, high = (math.exp(log - default.mean) for log in default.one_more())
    ratio = ns / math.exp(default.mean)
    differs = "" if math.isnan(low) else "no" if low <= ratio <= high else "yes"
    return ns, math.exp(default.mean), default.layouts, ratio, low, high, differs


def _times(point: PlacedPoint) -> _Times:
    """The times of a point's benchmarks, without the checks."""
    times = point.analysed.tables["times"]
    rows = times[(times["key"] == point.key) & ~times["benchmark"].isin(CHECKS)]
    columns = ["benchmark", "fs", "ns_per_op"]
    first: dict[tuple[str, str], float] = {}
    for name, fs, ns in rows[columns].itertuples(index=False, name=None):
        if ns > 0:
            first.setdefault((str(name), str(fs)), float(ns))
    return first


def _compute(points: Sequence[PlacedPoint]) -> CombinedResult:
    rows = variants_table(points)
    if rows.empty:
        raise ResultsError("no machine has runs of the default image and of a variant of it")
    return CombinedResult(
        rows, [*_printed(rows), *([_NOTE] if (rows["layouts"] > 1).any() else [])]
    )


def _printed(rows: pd.DataFrame) -> Iterator[Printed]:
    """For each machine and clock the ratios and each variant's mean; the fewer are columns."""
    for (engine, machine, series, clock_mhz), group in rows.groupby(_PLACE, sort=False):
        named = group.assign(benchmark=_names(group), cell=group.apply(_cell, axis=1))
        ratios = named.pivot_table("cell", "benchmark", "variant", "first", sort=False)
        means = group.groupby("variant", sort=False)["ratio"].agg(geometric_mean)
        ratios.loc[MEAN] = means.map("{:.2f}".format)
        if len(ratios.columns) > len(ratios):
            ratios = ratios.T
        title = f"{engine}, {machine}, {clock_mhz:g} MHz, {series}: time by the default image's"
        yield title, ratios.fillna("").rename_axis(columns=None).reset_index()


def _cell(row: pd.Series) -> str:
    return f"{row['ratio']:.2f}" + (_DIFFERS if row["differs"] == "yes" else "")


def _names(rows: pd.DataFrame) -> pd.Series:
    """The benchmarks, with the file system where the rows have several of one benchmark."""
    several = rows.groupby("benchmark")["fs"].transform("nunique") > 1
    names: pd.Series = rows["benchmark"].where(~several, rows["benchmark"] + " " + rows["fs"])
    return names


COMBINED = CombinedTable(VARIANTS, _compute)
