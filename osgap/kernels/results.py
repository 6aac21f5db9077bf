# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of a comparison from its finished runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from osgap.analysis.columns import count, text
from osgap.analysis.table import Column, Table
from osgap.kernels.alarms import KERNEL_AB_ALARMS, alarm_table
from osgap.kernels.comparison import KernelComparison, run_folders
from osgap.kernels.judgement import KERNEL_AB, judgements
from osgap.kernels.observations import ROW_COLUMNS, observations
from osgap.kernels.resolution import KERNEL_AB_RESOLUTION, deviations, resolution
from osgap.suites import load_runs

KERNEL_AB_LAYOUTS = Table(
    "kernel_ab_layouts",
    "of two kernels: what each layout measured",
    (
        text("side", "base or changed"),
        *ROW_COLUMNS,
        count("layout", "the layout's number"),
        Column("ns", "time of one operation", "ns"),
        Column("insts", "instructions of one operation"),
        Column("misses", "lines that memory delivers in one operation"),
    ),
    order=420,
)
TABLES = (KERNEL_AB, KERNEL_AB_RESOLUTION, KERNEL_AB_ALARMS, KERNEL_AB_LAYOUTS)
BASE, CHANGED = "base", "changed"


def result_tables(
    comparison: KernelComparison, output: Path, pair_s: float, at_once: int
) -> Mapping[str, pd.DataFrame]:
    """Returns the TABLES, by name, of the runs in `output` that have a finished point.

    That of false alarms is there only where a kernel was compared with itself in enough layouts.
    `pair_s` and `at_once` are those of `resolution`. Raises ResultsError or ConfigError.
    """
    folders = run_folders(output)
    runs = load_runs(folders) if folders else []
    sides = [observations(runs, layouts) for layouts in comparison.numbers]
    rows = judgements(*sides)
    labelled = [part.assign(side=name) for part, name in zip(sides, (BASE, CHANGED), strict=True)]
    layouts = pd.concat(labelled, ignore_index=True)[KERNEL_AB_LAYOUTS.names]
    resolved = resolution(deviations(*sides), max(len(rows), 1), pair_s, at_once)
    tables = {
        KERNEL_AB.name: rows,
        KERNEL_AB_RESOLUTION.name: resolved,
        KERNEL_AB_LAYOUTS.name: layouts,
    }
    if comparison.change is None and len(alarms := alarm_table(*sides)):
        tables[KERNEL_AB_ALARMS.name] = alarms
    return tables


def sides_of(layouts: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Returns both sides' observations of a table KERNEL_AB_LAYOUTS."""
    base, changed = (layouts[layouts["side"] == name] for name in (BASE, CHANGED))
    return base, changed
