# SPDX-License-Identifier: BSD-3-Clause
"""Declares Raveling's suite: BYTE's benchmarks, his four sections and his hypothesis."""

from collections.abc import Sequence

from osgap.analysis.analysed import PlacedPoint
from osgap.analysis.columns import BENCHMARK, MACHINE, text
from osgap.analysis.suite import CombinedResult, CombinedTable, Suite
from osgap.analysis.table import Column, Table
from osgap.suites.raveling.benchmarks import BYTE, BYTE_ROWS
from osgap.suites.raveling.beside import beside
from osgap.suites.raveling.hypothesis import (
    BEST,
    HYPOTHESIS,
    best_predictors,
    hypothesis_table,
    verdicts,
)
from osgap.suites.raveling.runs import report, study

SECTIONS = Table(
    "raveling",
    "ratios to the fastest compiler, machine, system and combination (Raveling 1990)",
    (
        MACHINE,
        text("system", "the operating system: Linux, or an image variant that is no compiler"),
        text("compiler", "the image variant that is a compiler or C library; else gcc-O2"),
        BENCHMARK,
        text("quantity", "user, system or real time, or rate"),
        Column("ns_per_op", "the time of an operation", "ns"),
    ),
    order=440,
)


def _sections(points: Sequence[PlacedPoint]) -> CombinedResult:
    rows = [
        (*combination, benchmark, quantity, cost)
        for combination, costs in study(points).costs.items()
        for (benchmark, quantity), cost in costs.items()
    ]
    return CombinedResult(SECTIONS.frame(rows), report(points))


def _hypothesis(points: Sequence[PlacedPoint]) -> CombinedResult:
    table = hypothesis_table(points)
    title = f"does context switching predict the shell's load?  the best {BEST}, and switches"
    note = "intervals: points resampled; points of one sweep are no independent sample"
    return CombinedResult(table, [(title, best_predictors(table)), *verdicts(table), note])


SUITE = Suite(
    name="raveling",
    title="Raveling 1990",
    workloads=("byte",),
    sets={"byte": BYTE},
    rows=BYTE_ROWS,
    combined=(CombinedTable(SECTIONS, _sections), CombinedTable(HYPOTHESIS, _hypothesis)),
    beside=beside,
)
