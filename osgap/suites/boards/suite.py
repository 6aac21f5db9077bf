# SPDX-License-Identifier: BSD-3-Clause
"""Declares the suite of boards: its rows, and what is subtracted from them."""

from osgap.analysis.suite import Suite
from osgap.suites.boards.benchmarks import OVERHEADS, ROWS, UNCORRECTED

SUITE = Suite(
    name="boards",
    title="RISC-V boards",
    workloads=("boards",),
    rows=ROWS,
    uncorrected=UNCORRECTED,
    overheads=OVERHEADS,
)
