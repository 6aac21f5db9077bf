# SPDX-License-Identifier: BSD-3-Clause
"""The paper's tables beside the simulated machines', for a report page."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.suite import Beside
from osgap.suites.ousterhout.published import source_of
from osgap.suites.ousterhout.simulated import PERIODS, REFERENCE, folder_of
from osgap.suites.ousterhout.tables import paper_tables_of

_REFERENCES = frozenset(f"{folder}/{REFERENCE}" for folder in ("paper", "period"))
"""In the folders of configs/machines that have the ten machines."""
_MEANS = {1990: "Figure 1", 1989: "The tables of 1989"}
_OWN = ["engine", "table", "machine", "os", "metric", "unit", "fs", "paper", "simulated", "note"]


def beside(runs: Sequence[AnalysedRun]) -> list[Beside]:
    """Figure 1's means and every cell, for a folder with the paper's machines on one engine.

    Empty for other runs, and without the reference machine. Raises ResultsError.
    """
    if len(runs) < 2 or not _REFERENCES & {run.machine for run in runs}:
        return []
    source = min(source_of(run.machine) for run in runs)
    tables = paper_tables_of({runs[0].engine: runs}, {}, source)
    cells = tables["cells"]
    cells = cells[cells["simulated"].notna()]
    return [
        Beside(
            "paper_means",
            f"{_MEANS[source]}, printed and simulated: a mean of R each machine",
            _sentence(tables["agreement"], period=folder_of(runs[0]) in PERIODS),
            tables["means"].assign(ratio=tables["means"]["simulated"] / tables["means"]["paper"]),
            colour="engine",
            names=("machine",),
            printed="paper",
            simulated="simulated",
            note="Column null: a model that simulates nothing; its R is 1, bcopy's or the disk's.",
        ),
        Beside(
            "paper_cells",
            "Every cell of the paper's tables",
            "",
            cells[_OWN].assign(ratio=cells["simulated"] / cells["paper"]),
            colour="metric",
            names=("machine", "os", "metric", "unit"),
            printed="paper",
            simulated="simulated",
        ),
    ]


def _sentence(agreement: pd.DataFrame, *, period: bool) -> str:
    row = agreement[(agreement["table"] == "all")].iloc[0]
    whose = (
        "with what 1990 spent on kernel entry, compiling and deleting"
        if period
        else "fitted to nothing but its MIPS and copying rates"
    )
    return (
        f"The paper's machines, {whose}: the geometric mean of R, simulated by printed, is "
        f"{row['ratio']:.2f} [{row['ratio_low']:.2f}, {row['ratio_high']:.2f}] over machines, the "
        f"rank correlation {row['spearman']:.2f} [{row['spearman_low']:.2f}, "
        f"{row['spearman_high']:.2f}] (95 % intervals)."
    )
