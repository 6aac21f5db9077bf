# SPDX-License-Identifier: BSD-3-Clause
"""Agreement of the simulated machines with the paper's: rank and size of R, with intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd

from osgap.analysis.columns import ENGINE, count, ends, text
from osgap.analysis.relative import NAN
from osgap.analysis.resampling import Array, draws, interval, rank_correlations, standard_ranks
from osgap.analysis.table import Column, Table
from osgap.suites.ousterhout.andrew import TREE
from osgap.suites.ousterhout.cells import FITTED, averaged_cells, related_cells
from osgap.suites.ousterhout.published import BANDWIDTHS, REFERENCE_MACHINE

AGREEMENT = Table(
    "agreement",
    "rank and size of R, and size of times, over the machines: of simulators and null models",
    (
        ENGINE,
        text("table", "the number of the paper's table, or all: the mean of the rows not fitted"),
        text("metric", "the paper's name of the benchmark"),
        count("machines", "machines"),
        count("cells", "cells"),
        Column("spearman", "rank correlation of simulated and printed R over machines"),
        *ends("spearman_", "its 95 % interval over machines"),
        Column("ratio", "geometric mean of simulated R by printed R"),
        *ends("ratio_", "its 95 % interval over machines"),
        Column("time_ratio", "geometric mean of simulated by printed time (Andrew's by a fifth)"),
        *ends("time_ratio_", "its 95 % interval over machines"),
        Column("reference_time_ratio", "the same of the reference machine, to which R is relative"),
    ),
)


ANDREW = "andrew_total"
_LOGS = ["paper_log", "simulated_log", "time_log"]


def agreement_table(cells: pd.DataFrame, source: int = 1990, tree: int = TREE) -> pd.DataFrame:
    """One row for each table, and one ("all") for the machines' means (AGREEMENT).

    The rank is NaN where all values are equal. Ratios leave out the reference. The time of a rate
    is that of a byte; Andrew's printed times are divided by `tree`, the original's size by that of
    the tree of which `cells` have simulated times.
    """
    related = _with_logs(related_cells(cells), tree)
    by = ["table", "metric", "machine"]
    speeds = related.groupby(by, sort=False)[_LOGS].mean().reset_index()
    counts = related.groupby("table").size().to_dict()
    rows = [
        {
            "table": str(table),
            "metric": metric,
            "machines": len(group),
            "cells": counts[table],
            **_agreement(group, source),
        }
        for (table, metric), group in speeds.groupby(["table", "metric"], sort=False)
    ]
    averaged = averaged_cells(cells)
    unfitted = speeds[~speeds["metric"].isin(FITTED)]
    means = unfitted.groupby("machine")[_LOGS].mean().reset_index()
    row = {"table": "all", "metric": "figure1", "machines": len(means), "cells": len(averaged)}
    rows.append({**row, **_agreement(means, source)})
    return pd.DataFrame(rows, columns=AGREEMENT.names[1:])


def _with_logs(related: pd.DataFrame, tree: int) -> pd.DataFrame:
    printed = related["paper"].mask(related["metric"] == ANDREW, related["paper"] / tree)
    slower = related["simulated"] / printed
    times = slower.mask(related["metric"].isin(BANDWIDTHS), 1 / slower)
    return related.assign(
        paper_log=np.log(related["relative_paper"]),
        simulated_log=np.log(related["relative_simulated"]),
        time_log=np.log(times),
    )


def _agreement(group: pd.DataFrame, source: int) -> dict[str, float]:
    paper, simulated, time = (group[name].to_numpy(dtype=float) for name in _LOGS)
    is_reference = (group["machine"] == REFERENCE_MACHINE[source]).to_numpy()
    drawn = draws(len(paper))
    resampled = rank_correlations(standard_ranks(paper[drawn]), standard_ranks(simulated[drawn]))
    rank = float(rank_correlations(standard_ranks(paper[None]), standard_ranks(simulated[None]))[0])
    low, high = interval(resampled) if rank == rank else (NAN, NAN)
    row = {"spearman": rank, "spearman_low": low, "spearman_high": high}
    for name, logs in (("ratio", simulated - paper), ("time_ratio", time)):
        row |= mean_ratio(name, logs[~is_reference])
    of_reference = time[is_reference]
    ratio = float(np.exp(of_reference[0])) if len(of_reference) else NAN
    return {**row, "reference_time_ratio": ratio}


def mean_ratio(name: str, logs: Array) -> dict[str, float]:
    """The geometric mean of ratios over machines, and the ends of its 95 % interval over them.

    `logs` has a natural log for each machine, one or more. The keys are NAME, NAME_low, NAME_high.
    """
    low, high = interval(logs[draws(len(logs))].mean(axis=1))
    values = np.exp([logs.mean(), low, high])
    return dict(zip((name, f"{name}_low", f"{name}_high"), map(float, values), strict=True))
