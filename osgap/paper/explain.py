# SPDX-License-Identifier: BSD-3-Clause
"""What explains the gap: the parts of log R that memory and the disk account for."""

from __future__ import annotations

import numpy as np
import pandas as pd

from osgap.analysis.names import SERIES
from osgap.paper.cells import BENCHMARKS, cells_table
from osgap.paper.predict import REFERENCE

EXPLAINED_COLUMNS = [
    "machine", "benchmark", "fs", "log_relative", "memory", "disk", "rest", "paper",
    "unexplained",
]  # fmt: skip
_KEYS = ["machine", "benchmark", "fs"]


def explained_table(reference: pd.DataFrame, predicted: pd.DataFrame) -> pd.DataFrame:
    """One row a machine, benchmark and file system (columns EXPLAINED_COLUMNS, natural logs).

    `memory` and `disk`: by how much log R falls for each being slower, relative to the processor,
    than the reference's: the mean of adding it first and adding it last, so that memory + disk +
    rest = log_relative, the simulated machine's.  `rest` is what stays when both are as fast.
    `paper` is the printed R's mean log over the systems that this file system stands for, and
    `unexplained` what it lies below (negative) or above log_relative.
    """
    logs = predicted.assign(log=np.log(predicted["relative"]))
    wide = logs.pivot_table(index=_KEYS, columns="series", values="log")
    wide = wide.reindex(columns=list(SERIES)).dropna().reset_index()
    wide = wide[(wide["machine"] != REFERENCE) & wide["benchmark"].isin(set(BENCHMARKS.values()))]
    fixed, memory, disk, both = (wide[name] for name in SERIES)
    rows = wide[_KEYS].assign(
        log_relative=fixed,
        memory=-((memory - fixed) + (both - disk)) / 2,
        disk=-((disk - fixed) + (both - memory)) / 2,
        rest=both,
    )
    rows = rows.merge(_paper(reference, predicted), on=_KEYS, how="left")
    rows["unexplained"] = rows["paper"] - rows["log_relative"]
    ordered: pd.DataFrame = rows[EXPLAINED_COLUMNS].sort_values(_KEYS, ignore_index=True)
    return ordered


def _paper(reference: pd.DataFrame, predicted: pd.DataFrame) -> pd.DataFrame:
    cells = cells_table(reference, predicted).dropna(subset=["relative_paper"])
    logs = cells.assign(
        paper=np.log(cells["relative_paper"]), benchmark=cells["metric"].map(BENCHMARKS)
    )
    return logs.groupby(_KEYS)["paper"].mean().reset_index()


def shares_table(explained: pd.DataFrame) -> pd.DataFrame:
    """Means over machines for each benchmark and file system that the paper relates."""
    known = explained.dropna(subset=["paper"])
    columns = ["log_relative", "memory", "disk", "rest", "paper", "unexplained"]
    means = known.groupby(["benchmark", "fs"], sort=False)[columns].mean()
    means.insert(0, "machines", known.groupby(["benchmark", "fs"], sort=False).size())
    return means.reset_index()
