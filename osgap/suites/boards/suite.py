# SPDX-License-Identifier: BSD-3-Clause
"""Declares the suite of boards: benchmarks as published programs of today have them."""

from osgap.analysis.suite import Suite
from osgap.suites.boards import FIGURES
from osgap.suites.boards.benchmarks import OVERHEADS, ROWS, UNCORRECTED
from osgap.suites.boards.beside import beside

SUITE = Suite(
    name="boards",
    title="Boards of today",
    workloads=("boards",),
    rows=ROWS,
    uncorrected=UNCORRECTED,
    overheads=OVERHEADS,
    figures=FIGURES,
    command="board",
    beside=beside,
)
