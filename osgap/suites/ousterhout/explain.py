# SPDX-License-Identifier: BSD-3-Clause
"""The parts of log R that memory and the disk account for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from osgap.analysis.columns import BENCHMARK, ENGINE, FS, MACHINE, count, ends
from osgap.analysis.layouts.values import log_parts
from osgap.analysis.relative import NAN
from osgap.analysis.resampling import draws, interval, ratio_of_means
from osgap.analysis.table import Column, Table
from osgap.suites.ousterhout.cells import BENCHMARKS, FITTED
from osgap.suites.ousterhout.simulated import REFERENCE

EXPLAINED = Table(
    "explained",
    "the parts of log R that memory and the disk account for",
    (
        ENGINE,
        MACHINE,
        BENCHMARK,
        FS,
        Column("log_relative", "log of the simulated R"),
        Column("memory", "the part of a slower memory"),
        Column("disk", "the part of a slower disk"),
        Column("rest", "log R with memory and disk as fast as the processor"),
        Column("paper", "mean log of the printed R"),
        Column("unexplained", "paper - log_relative"),
    ),
)
PARTS = ("memory", "disk", "rest", "unexplained")
_BENCHMARK = ["benchmark", "fs"]
_KEYS = ["machine", *_BENCHMARK]


def explained_table(cells: pd.DataFrame, simulated_rows: pd.DataFrame) -> pd.DataFrame:
    """One row for each machine, benchmark and file system of one engine (EXPLAINED, natural logs).

    memory + disk + rest = log_relative, and unexplained = paper - log_relative.
    """
    rows = simulated_parts(simulated_rows).merge(paper_logs(cells), on=_KEYS, how="left")
    rows["unexplained"] = rows["paper"] - rows["log_relative"]
    ordered: pd.DataFrame = rows[EXPLAINED.names[1:]].sort_values(_KEYS, ignore_index=True)
    return ordered


def simulated_parts(simulated_rows: pd.DataFrame) -> pd.DataFrame:
    """The columns of `explained_table` that follow from the simulation alone."""
    wide = log_parts(simulated_rows, "relative", _KEYS).reset_index()
    return wide[(wide["machine"] != REFERENCE) & wide["benchmark"].isin(set(BENCHMARKS.values()))]


def paper_logs(cells: pd.DataFrame) -> pd.DataFrame:
    """The mean log of the printed R over systems: machine, benchmark, fs and `paper`."""
    related = cells[cells["related"] == "yes"].dropna(subset=["relative_paper"])
    logs = related.assign(
        paper=np.log(related["relative_paper"]), benchmark=related["metric"].map(BENCHMARKS)
    )
    return logs.groupby(_KEYS)["paper"].mean().reset_index()


SHARES = Table(
    "shares",
    "the share of the paper's mean log R that each part explains",
    (
        BENCHMARK,
        FS,
        count("machines", "machines in the means"),
        Column("paper", "mean log of the paper's R"),
        *ends("paper_", "its 95 % interval over machines"),
        *(
            Column(f"{part}{end}", f"{meaning} {part}")
            for part in PARTS
            for end, meaning in (
                ("", "mean log of the part"),
                ("_share", "share of the paper's mean log R of"),
                ("_share_low", "lower end of the share's 95 % interval over machines:"),
                ("_share_high", "upper end of the share's 95 % interval over machines:"),
            )
        ),
    ),
    optional=tuple(
        Column(f"{part}_share_layouts", f"largest change of the share by another layout: {part}")
        for part in PARTS
    ),
)


def shares_table(explained: pd.DataFrame) -> pd.DataFrame:
    """One row for each benchmark that the paper relates, and one ("all") for their mean (SHARES).

    The mean is over the rows that no machine is fitted to. Shares are NaN where the interval of the
    paper's mean contains 0: there is no gap to explain.
    """
    printed = explained.dropna(subset=["paper"])
    groups = [(str(name), str(fs), group) for (name, fs), group in printed.groupby(_BENCHMARK)]
    averaged = printed[~printed["benchmark"].isin({BENCHMARKS[name] for name in FITTED})]
    over_all = averaged.groupby("machine")[[*PARTS, "paper"]].mean().reset_index()
    rows = [_shares(*group) for group in [*groups, ("all", "", over_all)]]
    return SHARES.frame(rows)


def _shares(name: str, fs: str, group: pd.DataFrame) -> dict[str, Any]:
    drawn = draws(len(group))
    paper = group["paper"].to_numpy(dtype=float)
    row: dict[str, Any] = {"benchmark": name, "fs": fs, "machines": len(group)}
    row["paper"] = float(paper.mean())
    row["paper_low"], row["paper_high"] = interval(paper[drawn].mean(axis=1))
    gap = not row["paper_low"] <= 0 <= row["paper_high"]
    for part in PARTS:
        values = group[part].to_numpy(dtype=float)
        share, low, high = ratio_of_means(values, paper, drawn) if gap else (NAN, NAN, NAN)
        row[part] = float(values.mean())
        row[f"{part}_share"] = share
        row.update({f"{part}_share_low": low, f"{part}_share_high": high})
    return row
