# SPDX-License-Identifier: BSD-3-Clause
"""The share of the paper's loss that kernel entry explains: runs with it minus runs without it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from osgap.analysis.columns import BENCHMARK, ENGINE, MACHINE, ends
from osgap.analysis.reference import load_reference
from osgap.analysis.relative import NAN
from osgap.analysis.resampling import draws, interval, ratio_of_means
from osgap.analysis.table import Column, Table
from osgap.rundir.csvfile import ResultsError
from osgap.suites.ousterhout.cells import cells_table
from osgap.suites.ousterhout.explain import paper_logs
from osgap.suites.ousterhout.simulated import REFERENCE, simulated_values

ENTRY = Table(
    "entry",
    "kernel entry's part of the paper's loss: runs with and without the machines' entry",
    (
        ENGINE,
        MACHINE,
        BENCHMARK,
        Column("paper", "log of the paper's R, a mean over systems"),
        Column("without", "log of the simulated R without the machine's kernel entry"),
        Column("with", "log of the simulated R with it"),
        Column("entry", "with - without"),
        Column("share", "entry / paper, where the paper has a loss"),
        *ends("share_", "its 95 % interval over machines"),
    ),
)
_KEYS = ["machine", "benchmark", "fs"]
ALL = "all"
ROWS = ("getpid", "cswitch", "select_10_full", "open_close_foo")
"""Benchmarks of which each operation enters the kernel, and waits for no disk."""


def entry_table(pairs: Mapping[str, tuple[Path, Path]]) -> pd.DataFrame:
    """One row for each engine, benchmark and machine, and one for all machines together (ENTRY).

    `pairs` maps an engine to its runs without and with the machines' entry costs. A share is NaN
    where the paper has no loss. Raises ResultsError.
    """
    if not pairs:
        raise ResultsError("entry: no pair of runs; allowed: ENGINE=DIR,DIR of sweep period-entry")
    frames = [
        entry_of(simulated_values(without), simulated_values(with_entry)).assign(engine=name)
        for name, (without, with_entry) in pairs.items()
    ]
    return pd.concat(frames, ignore_index=True)[ENTRY.names]


def entry_of(off: pd.DataFrame, on: pd.DataFrame) -> pd.DataFrame:
    """One engine's rows, from its machines without and with the entry cost (columns SIMULATED)."""
    paper = paper_logs(cells_table(load_reference("ousterhout_tables"), on))
    rows = _logs(off, "without").merge(_logs(on, "with"), on=_KEYS).merge(paper, on=_KEYS)
    rows["entry"] = rows["with"] - rows["without"]
    rows["share"] = (rows["entry"] / rows["paper"]).where(rows["paper"] < 0)
    parts = []
    for benchmark in ROWS:
        benchmark_rows = rows[rows["benchmark"] == benchmark]
        if len(benchmark_rows):
            parts += [benchmark_rows, pd.DataFrame([_all(benchmark, benchmark_rows)])]
    table = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    return table.reindex(columns=ENTRY.names)


def _logs(simulated: pd.DataFrame, name: str) -> pd.DataFrame:
    compared = simulated[(simulated["machine"] != REFERENCE) & simulated["benchmark"].isin(ROWS)]
    return compared[_KEYS].assign(**{name: np.log(compared["relative"])})


def _all(benchmark: str, rows: pd.DataFrame) -> dict[str, Any]:
    drawn = draws(len(rows))
    paper, entry = (rows[name].to_numpy(dtype=float) for name in ("paper", "entry"))
    has_loss = interval(paper[drawn].mean(axis=1))[1] < 0
    shares = ratio_of_means(entry, paper, drawn) if has_loss else (NAN,) * 3
    means = {name: float(rows[name].mean()) for name in ("paper", "without", "with", "entry")}
    named = zip(("share", "share_low", "share_high"), shares, strict=True)
    return {"machine": ALL, "benchmark": benchmark, **means, **dict(named)}
