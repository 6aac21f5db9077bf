# SPDX-License-Identifier: BSD-3-Clause
"""The paper's tables beside the simulated machines', for a report page."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.suite import Beside
from osgap.drawing.display_names import benchmark_name, machine_name
from osgap.suites.ousterhout.cells import BENCHMARKS
from osgap.suites.ousterhout.published import source_of
from osgap.suites.ousterhout.simulated import PERIODS, REFERENCE, folder_of
from osgap.suites.ousterhout.tables import paper_tables_of

_REFERENCES = frozenset(f"{folder}/{REFERENCE}" for folder in ("paper", "period"))
"""In the folders of configs/machines that have the ten machines."""
_MEANS = {1990: "Figure 1", 1989: "The tables of 1989"}
_CELL = ["engine", "table", "machine", "os", "benchmark", "unit", "fs"]
_VALUES = ["paper", "simulated", "relative_paper", "relative_simulated", "ratio", "note"]
_OWN = [*_CELL, *_VALUES, "machine_name"]
_FEWEST = 4
"""With fewer machines an interval over them says nothing."""


def beside(runs: Sequence[AnalysedRun]) -> list[Beside]:
    """Figure 1's means and every cell, for runs of the paper's machines. Raises ResultsError."""
    if len(runs) < 2 or not _REFERENCES & {run.machine for run in runs}:
        return []
    source = min(source_of(run.machine) for run in runs)
    tables = paper_tables_of({runs[0].engine: runs}, {}, source)
    cells = tables["cells"]
    cells = cells[cells["simulated"].notna()].assign(
        benchmark=cells["metric"].map(BENCHMARKS).map(benchmark_name),
        machine_name=cells["machine"].map(machine_name),
        ratio=cells["relative_simulated"] / cells["relative_paper"],
    )
    means = tables["means"].assign(machine_name=tables["means"]["machine"].map(machine_name))
    return [
        Beside(
            "paper_means",
            f"{_MEANS[source]}, printed and simulated: a mean of R each machine",
            _sentence(tables["agreement"], period=folder_of(runs[0]) in PERIODS),
            means.assign(ratio=means["simulated"] / means["paper"]),
            colour="engine",
            names=("machine_name",),
            printed="paper",
            simulated="simulated",
            note="Column null: a model that simulates nothing; its R is 1, bcopy's or the disk's.",
        ),
        Beside(
            "paper_cells",
            "R of every cell of the paper's tables, printed and simulated",
            "",
            cells[_OWN],
            colour="benchmark",
            names=("machine_name", "os", "benchmark"),
            printed="relative_paper",
            simulated="relative_simulated",
            note=(
                "Grey: the band of 25 %. The simulated Andrew is a fifth of the original and "
                "waits for the disk longer than it computes, so its R is too low."
            ),
        ),
    ]


def _sentence(agreement: pd.DataFrame, *, period: bool) -> str:
    """The distance of the means of R from the printed means, and the agreement of their order."""
    row = agreement[(agreement["table"] == "all")].iloc[0]
    costs = ", with what kernels and compilers of the time cost," if period else ""
    machines = int(row["machines"])
    subject = "machine has" if machines == 2 else "machines have"
    sentence = f"The simulated {subject}{costs} {row['ratio']:.2f} times the printed R"
    # Of two machines one is the reference, whose R is 1.
    if machines < _FEWEST:
        return f"{sentence}."
    return (
        f"{sentence} in the mean [{row['ratio_low']:.2f}, {row['ratio_high']:.2f}]. The rank "
        f"correlation of the {machines} machines is {row['spearman']:.2f} "
        f"[{row['spearman_low']:.2f}, {row['spearman_high']:.2f}] (95 % intervals)."
    )
