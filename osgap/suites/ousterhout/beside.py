# SPDX-License-Identifier: BSD-3-Clause
"""The paper's tables beside the simulated machines', for a report page."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.suite import Beside
from osgap.drawing.display_names import benchmark_name, machine_name
from osgap.suites.ousterhout.baselines import INFORMED, NULL
from osgap.suites.ousterhout.cells import BENCHMARKS
from osgap.suites.ousterhout.published import source_of
from osgap.suites.ousterhout.simulated import PERIODS, REFERENCE, folder_of
from osgap.suites.ousterhout.tables import SIDES, paper_tables_of

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
    means = tables["means"].rename(columns={name: f"relative_{name}" for name in SIDES})
    means["machine_name"] = means["machine"].map(machine_name)
    is_period = folder_of(runs[0]) in PERIODS
    parts = tables.get("shares", pd.DataFrame())
    loss = _loss(parts) if is_period and len(parts) else ""
    return [
        Beside(
            "paper_means",
            f"{_MEANS[source]}, printed and simulated: a mean of R each machine",
            loss or _sentence(tables["agreement"], is_period=is_period),
            means.assign(ratio=means["relative_simulated"] / means["relative_paper"]),
            colour="engine",
            names=("machine_name",),
            printed="relative_paper",
            simulated="relative_simulated",
            note=(
                "The null model simulates nothing: its R is 1, bcopy's or the disk's. The informed "
                "one knows kernel entry and Sprite's waits too, as machines with 1990's costs do."
            ),
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


def _loss(shares: pd.DataFrame) -> str:
    """The parts of the printed loss that memory and the disk explain; "" without a loss."""
    row = shares[shares["benchmark"] == "all"].iloc[0]
    if pd.isna(row["memory_share"]):
        return ""
    memory, disk, rest = (_share(row, part) for part in ("memory", "disk", "unexplained"))
    return (
        f"Of the loss that the paper printed, slow memory explains {memory} and the disk {disk}. "
        f"{rest} stay unexplained. (Shares of mean log R, 95 % intervals over the machines.)"
    )


def _share(row: pd.Series, part: str) -> str:
    share, low, high = (100 * float(row[f"{part}_share{end}"]) for end in ("", "_low", "_high"))
    return f"{round(share) + 0} % [{low:.0f}, {high:.0f}]"


def _sentence(agreement: pd.DataFrame, *, is_period: bool) -> str:
    """The distance of the means of R from the printed means, and the agreement of their order."""
    rows = agreement[agreement["table"] == "all"].set_index("engine")
    row, null = rows.iloc[0], rows.loc[[NULL]].iloc[0]
    machines = int(row["machines"])
    subject = "simulated machine has" if machines == 2 else "simulated machines have"
    start = f"With the costs of their time, the {subject}" if is_period else f"The {subject}"
    sentence = f"{start} {row['ratio']:.2f} times the printed R"
    # Of two machines one is the reference, whose R is 1.
    if machines < _FEWEST:
        return f"{sentence}."
    # Its order is no order where each of its R is 1.
    null_order = "" if pd.isna(null["spearman"]) else f", {null['spearman']:.2f}"
    return (
        f"{sentence} in the mean [{row['ratio_low']:.2f}, {row['ratio_high']:.2f}]. The rank "
        f"correlation of the {machines} machines is {row['spearman']:.2f} "
        f"[{row['spearman_low']:.2f}, {row['spearman_high']:.2f}] (95 % intervals). A model that "
        f"simulates nothing: {null['ratio']:.2f} times{null_order}."
        f"{_with_facts(rows.loc[[INFORMED]].iloc[0]) if is_period else ''}"
    )


def _with_facts(informed: pd.Series) -> str:
    """The informed null model's mean and order, beside machines that have the same facts."""
    return (
        f" With the same facts as these machines: {informed['ratio']:.2f} times, "
        f"{informed['spearman']:.2f}."
    )
