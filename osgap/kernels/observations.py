# SPDX-License-Identifier: BSD-3-Clause
"""Reads what each layout of a kernel measured: times, instructions and cache misses of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.columns import (
    BENCHMARK,
    CLOCK_MHZ,
    DISK,
    ENGINE,
    FS,
    MACHINE,
    MEMORY,
    names,
)
from osgap.analysis.constants import CHECKS
from osgap.machines.system import System

ROW_COLUMNS = (ENGINE, MACHINE, CLOCK_MHZ, MEMORY, DISK, BENCHMARK, FS)
"""The columns that identify a row of a comparison."""
ROW = names(*ROW_COLUMNS)
NUMBERS = ("ns", "insts", "misses")
"""Time, instructions, and lines that memory delivers, of one operation: the compared numbers."""
_KEY = ["key", "benchmark", "fs"]


def observations(runs: Sequence[AnalysedRun], layouts: Mapping[str, int]) -> pd.DataFrame:
    """One row for each benchmark and layout, means over starts: ROW, layout and NUMBERS.

    `layouts` has the number of each image variant; runs of other variants are left out.
    """
    frames = [
        _of_run(run).assign(layout=layouts[v]) for run in runs if (v := run.variant) in layouts
    ]
    columns = [*ROW, "layout", *NUMBERS]
    if not frames:
        return pd.DataFrame(columns=columns)
    rows = pd.concat(frames, ignore_index=True)
    means = rows.groupby([*ROW, "layout"], sort=False)[list(NUMBERS)].mean().reset_index()
    return means[columns]


def _of_run(run: AnalysedRun) -> pd.DataFrame:
    points = run.tables["points"]
    points = points[points["finished"] == "yes"].drop_duplicates("key")
    times = run.tables["times"][[*_KEY, "ns_per_op"]].rename(columns={"ns_per_op": "ns"})
    times = times[~times["benchmark"].isin(CHECKS)]
    rows = points[["key", "clock_mhz", "memory", "disk"]].merge(times, on="key")
    rows = rows.merge(_work(run), on=_KEY, how="left")
    return rows.assign(engine=run.engine, machine=run.machine)


def _work(run: AnalysedRun) -> pd.DataFrame:
    """Instructions and misses of one operation: medians over batches."""
    samples = run.tables["samples"]
    lines = {key: _line_bytes(run, key) for key in samples["key"].unique()}
    operations = samples["count"].where(samples["count"] > 0)
    work = samples[_KEY].assign(
        insts=samples["insts"] / operations,
        misses=samples["bytes_read"] / samples["key"].map(lines) / operations,
    )
    medians: pd.DataFrame = work.groupby(_KEY, sort=False)[["insts", "misses"]].median()
    return medians.reset_index()


def _line_bytes(run: AnalysedRun, key: str) -> int:
    """The line of the cache next to memory, in bytes."""
    system = run.run.points[key].record.resolved
    assert isinstance(system, System)
    return list(system.caches.values())[-1].line_bytes
