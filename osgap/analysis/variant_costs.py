# SPDX-License-Identifier: BSD-3-Clause
"""Compares image variants: each benchmark's time by its time with the default image."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from osgap.analysis.analysed import PlacedPoint
from osgap.analysis.columns import BENCHMARK, CLOCK_MHZ, ENGINE, FS, MACHINE, SERIES, text
from osgap.analysis.constants import CHECKS
from osgap.analysis.relative import geometric_mean
from osgap.analysis.suite import CombinedResult, CombinedTable, Printed
from osgap.analysis.table import Column, Table
from osgap.rundir.csvfile import ResultsError

DEFAULT = "default"
MEAN = "geometric mean"
_PLACE = ["engine", "machine", "series", "clock_mhz"]

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
        Column("default_ns_per_op", "the same with the default image", "ns"),
        Column("ratio", "ns_per_op / default_ns_per_op"),
    ),
    order=320,
)


def variants_table(points: Sequence[PlacedPoint]) -> pd.DataFrame:
    """A row for each benchmark of a point whose conditions the default image has too (VARIANTS)."""
    default = {
        (*point.conditions, *row[:2]): row[2]
        for point in points
        if point.analysed.variant == DEFAULT
        for row in _times(point)
    }
    return VARIANTS.frame(
        (*point.conditions, point.analysed.variant, benchmark, fs, ns, base, ns / base)
        for point in points
        if point.analysed.variant != DEFAULT
        for benchmark, fs, ns in _times(point)
        if (base := default.get((*point.conditions, benchmark, fs)))
    )


def _times(point: PlacedPoint) -> list[tuple[str, str, float]]:
    """(benchmark, fs, ns per operation) of a point's benchmarks, without the checks."""
    times = point.analysed.tables["times"]
    rows = times[(times["key"] == point.key) & ~times["benchmark"].isin(CHECKS)]
    rows = rows[rows["ns_per_op"] > 0].drop_duplicates(["benchmark", "fs"])
    return list(rows[["benchmark", "fs", "ns_per_op"]].itertuples(index=False, name=None))


def _compute(points: Sequence[PlacedPoint]) -> CombinedResult:
    rows = variants_table(points)
    if rows.empty:
        raise ResultsError("no machine has runs of the default image and of a variant of it")
    return CombinedResult(rows, list(_printed(rows)))


def _printed(rows: pd.DataFrame) -> Iterator[Printed]:
    """For each machine and clock the ratios and each variant's mean; the fewer are columns."""
    for (engine, machine, series, clock_mhz), group in rows.groupby(_PLACE, sort=False):
        named = group.assign(benchmark=_names(group))
        ratios = named.pivot_table("ratio", "benchmark", "variant", sort=False)
        ratios.loc[MEAN] = ratios.apply(lambda column: geometric_mean(column.dropna()))
        if len(ratios.columns) > len(ratios):
            ratios = ratios.T
        title = f"{engine}, {machine}, {clock_mhz:g} MHz, {series}: time by the default image's"
        yield title, ratios.rename_axis(columns=None).reset_index()


def _names(rows: pd.DataFrame) -> pd.Series:
    """The benchmarks, with the file system where the rows have several of one benchmark."""
    several = rows.groupby("benchmark")["fs"].transform("nunique") > 1
    names: pd.Series = rows["benchmark"].where(~several, rows["benchmark"] + " " + rows["fs"])
    return names


COMBINED = CombinedTable(VARIANTS, _compute)
