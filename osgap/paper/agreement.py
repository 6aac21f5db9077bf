# SPDX-License-Identifier: BSD-3-Clause
"""How well the simulated machines predict the paper's: rank and size of R, with intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from osgap.bootstrap import Array, draws, interval
from osgap.paper.predict import REFERENCE
from osgap.relative import NAN

AGREEMENT_COLUMNS = [
    "table", "metric", "machines", "cells", "spearman", "spearman_low", "spearman_high",
    "ratio", "ratio_low", "ratio_high",
]  # fmt: skip


def machine_speeds(cells: pd.DataFrame) -> pd.DataFrame:
    """Mean log R of each table and machine over its operating systems: paper and simulated."""
    known = cells.dropna(subset=["relative_paper", "relative_simulated"])
    logs = known.assign(
        paper_log=np.log(known["relative_paper"]), simulated_log=np.log(known["relative_simulated"])
    )
    by = ["table", "metric", "machine"]
    columns = ["paper_log", "simulated_log"]
    return logs.groupby(by, sort=False)[columns].mean().reset_index()


def agreement_table(cells: pd.DataFrame) -> pd.DataFrame:
    """One row a table and one ("all") for Figure 1's means (columns AGREEMENT_COLUMNS).

    `spearman`: rank correlation of R over machines, each machine's mean over its systems.
    `ratio`: geometric mean over machines, without the reference, of simulated R by the paper's.
    Intervals are 95 % percentile bootstraps over machines, seeded.
    """
    speeds = machine_speeds(cells)
    known = cells.dropna(subset=["relative_paper", "relative_simulated"])
    counts = {str(table): len(group) for table, group in known.groupby("table")}
    rows = []
    for (table, metric), group in speeds.groupby(["table", "metric"], sort=False):
        rows.append((str(table), metric, len(group), counts[str(table)], *_intervals(group)))
    means = speeds.groupby("machine")[["paper_log", "simulated_log"]].mean().reset_index()
    rows.append(("all", "figure1_bcopy", len(means), len(known), *_intervals(means)))
    return pd.DataFrame(rows, columns=AGREEMENT_COLUMNS)


def _intervals(group: pd.DataFrame) -> tuple[float, ...]:
    paper, simulated = (
        group[name].to_numpy(dtype=float) for name in ("paper_log", "simulated_log")
    )
    logs = (simulated - paper)[(group["machine"] != REFERENCE).to_numpy()]
    drawn = draws(len(paper))
    low, high = interval(rank_correlations(paper[drawn], simulated[drawn]))
    rank = float(rank_correlations(paper[None], simulated[None])[0])
    ratio_low, ratio_high = interval(logs[draws(len(logs))].mean(axis=1))
    return rank, low, high, float(np.exp(logs.mean())), np.exp(ratio_low), np.exp(ratio_high)


def rank_correlations(a: Array, b: Array) -> Array:
    """Spearman's correlation of each row of `a` with that of `b`; NaN where a row is constant."""
    ranks = [stats.rankdata(rows, axis=1) for rows in (a, b)]
    deviations = [rank - rank.mean(axis=1, keepdims=True) for rank in ranks]
    together = (deviations[0] * deviations[1]).sum(axis=1)
    spread = np.sqrt((deviations[0] ** 2).sum(axis=1) * (deviations[1] ** 2).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        result: Array = np.where(spread > 0, together / spread, NAN)
    return result
