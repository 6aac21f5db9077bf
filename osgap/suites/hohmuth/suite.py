# SPDX-License-Identifier: BSD-3-Clause
"""Hohmuth's rows by McVoy's benchmarks, his two pages, and reflected calls beside direct ones."""

from collections.abc import Sequence

import pandas as pd

from osgap.analysis.analysed import PlacedPoint
from osgap.analysis.reference import load_reference
from osgap.analysis.suite import CombinedResult, CombinedTable, Suite
from osgap.suites.hohmuth.benchmarks import LATENCIES, MCVOY, MCVOY_ROWS, OVERHEADS
from osgap.suites.hohmuth.cells import Line
from osgap.suites.hohmuth.page_format import unit
from osgap.suites.hohmuth.reflected import LIMIT, reflected_sheets, reflected_table
from osgap.suites.hohmuth.runs import measured_lines, pages

PAGE_COLUMNS = ["machine", "system", "clock_mhz", "benchmark", "unit", "value"]


def _pages(points: Sequence[PlacedPoint]) -> CombinedResult:
    return CombinedResult(_page_rows(measured_lines(points)), pages(points))


def _page_rows(lines: Sequence[Line]) -> pd.DataFrame:
    rows = [
        (line.host, line.system, line.mhz, name, unit(name), value)
        for line in lines
        for name, value in line.values.items()
    ]
    return pd.DataFrame(rows, columns=PAGE_COLUMNS)


def _reflected(points: Sequence[PlacedPoint]) -> CombinedResult:
    table = reflected_table(points, load_reference("hohmuth_lmbench"))
    beyond = int((table["beyond"] == "yes").sum())
    compared = int((table["beyond"] != "").sum())
    notes = [
        "published: Linux on L4 by Linux, mean of three runs by mean of three, page 1",
        f"! differs from it by more than {LIMIT:g}x: {beyond} of {compared} ratios",
    ]
    return CombinedResult(table, [*reflected_sheets(table), *notes])


SUITE = Suite(
    name="hohmuth",
    title="Hohmuth 1996",
    workloads=("mcvoy",),
    sets={"mcvoy": MCVOY},
    rows=MCVOY_ROWS,
    # Once in ten operations, as the checks' chases.
    uncorrected=frozenset(LATENCIES),
    overheads=OVERHEADS,
    combined={
        "hohmuth": CombinedTable(
            "the two pages of Hohmuth 1996: absolute, and compared to the best of the breed",
            _pages,
        ),
        "reflected": CombinedTable(
            "system calls reflected by direct, beside his Linux on L4 by Linux", _reflected
        ),
    },
)
