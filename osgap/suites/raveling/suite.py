# SPDX-License-Identifier: BSD-3-Clause
"""Raveling's rows by BYTE's benchmarks, his four sections, and his hypothesis."""

from collections.abc import Sequence

import pandas as pd

from osgap.analysis.analysed import PlacedPoint
from osgap.analysis.suite import CombinedResult, CombinedTable, Suite
from osgap.suites.raveling.benchmarks import BYTE, BYTE_ROWS
from osgap.suites.raveling.hypothesis import BEST, best_predictors, hypothesis_table, verdicts
from osgap.suites.raveling.runs import report, study

SECTION_COLUMNS = ["machine", "system", "compiler", "benchmark", "quantity", "ns_per_op"]


def _sections(points: Sequence[PlacedPoint]) -> CombinedResult:
    rows = [
        (*combination, benchmark, quantity, cost)
        for combination, costs in study(points).costs.items()
        for (benchmark, quantity), cost in costs.items()
    ]
    return CombinedResult(pd.DataFrame(rows, columns=SECTION_COLUMNS), report(points))


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
    combined={
        "raveling": CombinedTable(
            "ratios to the fastest compiler, machine, system and combination (Raveling 1990)",
            _sections,
        ),
        "hypothesis": CombinedTable(
            "does context switching predict performance under load?  rank correlations",
            _hypothesis,
        ),
    },
)
