# SPDX-License-Identifier: BSD-3-Clause
"""Which means a run has, and its benchmarks beside them at the fastest clock."""

from collections.abc import Iterator

import pandas as pd

from osgap.analysis import Tables
from osgap.analysis.constants import CHECKS
from osgap.suites import main_sets

MEAN = "mean"
"""In the place of a benchmark's name, the row of a set's mean."""
_FASTEST_COLUMNS = ["set", "benchmark", "fs"]


def averaged_sets(geomeans: pd.DataFrame) -> list[str]:
    """Each suite's own set of which the run has a benchmark; of a run of none, the first."""
    present = set(geomeans[geomeans["of"] > 0]["set"])
    names = list(main_sets())
    return [name for name in names if name in present] or names[:1]


def fastest_clock(tables: Tables) -> float:
    """The fastest clock of a finished point in any series, MHz."""
    return float(tables["relative"]["clock_mhz"].max())


def fastest_table(tables: Tables) -> pd.DataFrame:
    """R at the fastest clock: a row a benchmark that is averaged, a column a series.

    The first columns are set, benchmark and fs; after a set's benchmarks comes its mean, the
    benchmark MEAN.  A run of no set has all its benchmarks but the checks, and no mean.
    """
    clock = fastest_clock(tables)
    relatives, geomeans = tables["relative"], tables["geomean"]
    relatives = relatives[relatives["clock_mhz"] == clock]
    geomeans = geomeans[geomeans["clock_mhz"] == clock]
    series = list(tables["relative"]["series"].unique())
    rows = list(_averaged_rows(relatives, geomeans)) or list(_other_rows(relatives))
    table = [(*row, *(speeds.get(name, float("nan")) for name in series)) for row, speeds in rows]
    return pd.DataFrame(table, columns=[*_FASTEST_COLUMNS, *series])


Row = tuple[tuple[str, str, str], dict[str, float]]
"""Set, benchmark and file system; series -> R."""


def _averaged_rows(relatives: pd.DataFrame, geomeans: pd.DataFrame) -> Iterator[Row]:
    sets = main_sets()
    for name in averaged_sets(geomeans):
        means = geomeans[(geomeans["set"] == name) & (geomeans["of"] > 0)]
        if means.empty:
            continue
        for benchmark in sets[name].sets[name]:
            yield from _rows(relatives[relatives["benchmark"] == benchmark], name)
        yield (name, MEAN, ""), dict(zip(means["series"], means["geomean"], strict=True))


def _other_rows(relatives: pd.DataFrame) -> Iterator[Row]:
    yield from _rows(relatives[~relatives["benchmark"].isin(CHECKS)], "")


def _rows(relatives: pd.DataFrame, name: str) -> Iterator[Row]:
    for (benchmark, fs), own in relatives.groupby(["benchmark", "fs"], sort=False):
        speeds = dict(zip(own["series"], own["relative"], strict=True))
        yield (name, str(benchmark), str(fs)), speeds


def not_averaged(tables: Tables) -> list[str]:
    """The benchmarks that were run but are in none of the means of `fastest_table`."""
    shown = {*fastest_table(tables)["benchmark"], *CHECKS}
    return [name for name in tables["relative"]["benchmark"].unique() if name not in shown]
