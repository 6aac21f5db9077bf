# SPDX-License-Identifier: BSD-3-Clause
"""Declares Hohmuth's suite: McVoy's benchmarks, two pages, and reflected against direct calls."""

from collections.abc import Sequence

from osgap.analysis.analysed import PlacedPoint
from osgap.analysis.columns import BENCHMARK, CLOCK_MHZ, MACHINE, text
from osgap.analysis.reference import load_reference
from osgap.analysis.suite import CombinedResult, CombinedTable, Suite
from osgap.analysis.table import Column, Table
from osgap.base.quoting import counted
from osgap.suites.hohmuth.benchmarks import LATENCIES, MCVOY, MCVOY_ROWS, OVERHEADS
from osgap.suites.hohmuth.beside import beside
from osgap.suites.hohmuth.page_format import unit
from osgap.suites.hohmuth.reflected import (
    LIMIT,
    REFLECTED,
    UNIT,
    reflected_sheets,
    reflected_table,
)
from osgap.suites.hohmuth.runs import measured_lines, pages

PAGES = Table(
    "hohmuth",
    "the two pages of Hohmuth 1996: absolute, and compared to the best of the breed",
    (
        MACHINE,
        text("system", "the operating system: Linux, its variant and its way to call"),
        CLOCK_MHZ,
        BENCHMARK,
        UNIT,
        Column("value", "the median", "unit"),
    ),
    order=420,
)


def _pages(points: Sequence[PlacedPoint]) -> CombinedResult:
    rows = [
        (line.host, line.system, line.mhz, name, unit(name), value)
        for line in measured_lines(points)
        for name, value in line.values.items()
    ]
    return CombinedResult(PAGES.frame(rows), pages(points))


def _reflected(points: Sequence[PlacedPoint]) -> CombinedResult:
    table = reflected_table(points, load_reference("hohmuth_lmbench"))
    beyond = int((table["beyond"] == "yes").sum())
    compared = int((table["beyond"] != "").sum())
    notes = [
        "published: Linux on L4 by Linux, mean of three runs by mean of three, page 1",
        f"! differs from it by more than {LIMIT:g}x: {beyond} of {counted(compared, 'ratio')}",
    ]
    return CombinedResult(table, [*reflected_sheets(table), *notes])


SUITE = Suite(
    name="hohmuth",
    title="Hohmuth 1996",
    workloads=("mcvoy",),
    sets={"mcvoy": MCVOY},
    rows=MCVOY_ROWS,
    # The chases loop once in ten loads.
    uncorrected=frozenset(LATENCIES),
    overheads=OVERHEADS,
    combined=(CombinedTable(PAGES, _pages), CombinedTable(REFLECTED, _reflected)),
    beside=beside,
)
