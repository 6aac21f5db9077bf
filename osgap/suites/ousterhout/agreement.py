# SPDX-License-Identifier: BSD-3-Clause
"""Agreement of the simulated machines with the paper's: rank and size of R, with intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd

from osgap.analysis.columns import ENGINE, count, ends, text
from osgap.analysis.relative import NAN
from osgap.analysis.resampling import draws, interval, rank_correlations, standard_ranks
from osgap.analysis.table import Column, Table
from osgap.suites.ousterhout.cells import related_cells
from osgap.suites.ousterhout.published import REFERENCE_MACHINE

AGREEMENT = Table(
    "agreement",
    "rank and size of R over the machines, of engines and null model",
    (
        ENGINE,
        text("table", "the number of the paper's table, or all for Figure 1's means"),
        text("metric", "the paper's name of the benchmark"),
        count("machines", "machines"),
        count("cells", "cells"),
        Column("spearman", "rank correlation of simulated and printed R over machines"),
        *ends("spearman_", "its 95 % interval over machines"),
        Column("ratio", "geometric mean of simulated R by printed R"),
        *ends("ratio_", "its 95 % interval over machines"),
    ),
)


_LOGS = ["paper_log", "simulated_log"]


def agreement_table(cells: pd.DataFrame, source: int = 1990) -> pd.DataFrame:
    """One row for each table, and one ("all") for Figure 1's means (AGREEMENT).

    The rank is NaN where all values are equal; the ratio leaves out the reference.
    """
    related = related_cells(cells)
    logs = related.assign(
        paper_log=np.log(related["relative_paper"]),
        simulated_log=np.log(related["relative_simulated"]),
    )
    by = ["table", "metric", "machine"]
    speeds = logs.groupby(by, sort=False)[_LOGS].mean().reset_index()
    counts = related.groupby("table").size().to_dict()
    rows = []
    for (table, metric), group in speeds.groupby(["table", "metric"], sort=False):
        rows.append((str(table), metric, len(group), counts[table], *_intervals(group, source)))
    means = speeds.groupby("machine")[_LOGS].mean().reset_index()
    rows.append(("all", "figure1_bcopy", len(means), len(related), *_intervals(means, source)))
    return pd.DataFrame(rows, columns=AGREEMENT.names[1:])


def _intervals(group: pd.DataFrame, source: int) -> tuple[float, ...]:
    paper, simulated = (group[name].to_numpy(dtype=float) for name in _LOGS)
    logs = (simulated - paper)[(group["machine"] != REFERENCE_MACHINE[source]).to_numpy()]
    drawn = draws(len(paper))
    resampled = rank_correlations(standard_ranks(paper[drawn]), standard_ranks(simulated[drawn]))
    rank = float(rank_correlations(standard_ranks(paper[None]), standard_ranks(simulated[None]))[0])
    low, high = interval(resampled) if rank == rank else (NAN, NAN)
    ratio_low, ratio_high = interval(logs[draws(len(logs))].mean(axis=1))
    return rank, low, high, float(np.exp(logs.mean())), np.exp(ratio_low), np.exp(ratio_high)
