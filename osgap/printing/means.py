# SPDX-License-Identifier: BSD-3-Clause
"""The means of a run, and its benchmarks beside them at the fastest clock."""

from collections.abc import Iterator

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.constants import CHECKS
from osgap.suites import main_sets

MEAN = "mean"
"""The benchmark column of a set's mean."""
_FASTEST_COLUMNS = ["set", "benchmark", "fs"]


def averaged_sets(geomeans: pd.DataFrame) -> list[str]:
    """Each suite's main set with a benchmark in the run; without any, the first suite's set."""
    present = set(geomeans[geomeans["of"] > 0]["set"])
    names = list(main_sets())
    return [name for name in names if name in present] or names[:1]


def fastest_clock(tables: Tables) -> float:
    """The fastest clock of a finished point in any series, MHz."""
    return float(tables["relative"]["clock_mhz"].max())


def fastest_table(tables: Tables) -> pd.DataFrame:
    """R at the fastest clock: one row for each averaged benchmark, one column for each series.

    A set's mean, the benchmark MEAN, follows the set's benchmarks. A run without any set has all
    its benchmarks but the checks, and no mean.
    """
    clock = fastest_clock(tables)
    relatives, geomeans = tables["relative"], tables["geomean"]
    relatives = relatives[relatives["clock_mhz"] == clock]
    geomeans = geomeans[geomeans["clock_mhz"] == clock]
    series = list(tables["relative"]["series"].unique())
    unlisted = relatives[~relatives["benchmark"].isin(CHECKS)]
    rows = list(_averaged_rows(relatives, geomeans)) or list(_rows(unlisted, ""))
    table = [(*row, *(speeds.get(name, float("nan")) for name in series)) for row, speeds in rows]
    return pd.DataFrame(table, columns=[*_FASTEST_COLUMNS, *series])


SpeedsRow = tuple[tuple[str, str, str], dict[str, float]]
"""(set, benchmark, file system), and series -> R."""


def _averaged_rows(relatives: pd.DataFrame, geomeans: pd.DataFrame) -> Iterator[SpeedsRow]:
    sets = main_sets()
    for name in averaged_sets(geomeans):
        means = geomeans[(geomeans["set"] == name) & (geomeans["of"] > 0)]
        if means.empty:
            continue
        for benchmark in sets[name].sets[name]:
            yield from _rows(relatives[relatives["benchmark"] == benchmark], name)
        yield (name, MEAN, ""), dict(zip(means["series"], means["geomean"], strict=True))


def _rows(relatives: pd.DataFrame, name: str) -> Iterator[SpeedsRow]:
    for (benchmark, fs), group in relatives.groupby(["benchmark", "fs"], sort=False):
        speeds = dict(zip(group["series"], group["relative"], strict=True))
        yield (name, str(benchmark), str(fs)), speeds


def not_averaged(tables: Tables) -> list[str]:
    """The benchmarks that were run but are in none of the means of `fastest_table`."""
    listed = {*fastest_table(tables)["benchmark"], *CHECKS}
    return [name for name in tables["relative"]["benchmark"].unique() if name not in listed]
