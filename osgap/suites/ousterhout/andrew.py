# SPDX-License-Identifier: BSD-3-Clause
"""Adds the work of the Andrew benchmark of 1989 that this tree, shell and compiler lack.

tcc, our cp and busybox need an order of magnitude fewer instructions than the programs of 1989.
The time by which the MicroVAX II's printed copy and compile phases exceed its simulated ones is
that work; every other machine does it at its own MIPS.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from osgap.analysis.reference import load_reference
from osgap.rundir.csvfile import ResultsError
from osgap.suites.ousterhout.published import REFERENCE_MACHINE, Paper

TREE = 5
"""The original tree, of about 70 files and 200 KB, by ours, of 37 KB (docs/method)."""
_PHASES = {"andrew_copyphases": "andrew_copy", "andrew_make": "andrew_compile"}
_TOTAL = "andrew_total"


def missing_work(frame: pd.DataFrame) -> dict[str, float]:
    """Returns the millions of integer_mix instructions that each phase of our tree lacks, from 0.

    `frame` has machine, series, benchmark, value (s) and mips. Raises ResultsError.
    """
    machine = REFERENCE_MACHINE[1990]
    paper = Paper(load_reference("ousterhout_tables"), 1990)
    reference = frame[(frame["machine"] == machine) & (frame["series"] == "fixed")]
    work = {}
    for benchmark, metric in _PHASES.items():
        rows = reference[reference["benchmark"] == benchmark]
        if len(rows) != 1:
            raise ResultsError(f"{machine}: found {len(rows)} rows of {benchmark}; allowed: one")
        printed_s = paper.value(metric, machine, "local") / TREE
        missing_s = printed_s - float(rows["value"].iloc[0])
        work[benchmark] = max(0.0, missing_s) * float(rows["mips"].iloc[0])
    return work


def with_missing_work(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns the rows, with that work added at their MIPS to Andrew's phases and total."""
    if not frame["benchmark"].isin(_PHASES).any():
        return frame
    return with_work(frame, missing_work(frame))


def with_work(frame: pd.DataFrame, work: Mapping[str, float]) -> pd.DataFrame:
    """Returns the rows with the `work` of each phase, in millions of instructions, added."""
    added = frame["benchmark"].map({**work, _TOTAL: sum(work.values())}).fillna(0.0)
    return frame.assign(value=frame["value"] + added / frame["mips"])
