# SPDX-License-Identifier: BSD-3-Clause
"""Reflected system calls by direct ones beside the publication's ratios, for a report page."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.reference import load_reference
from osgap.analysis.relative import geometric_mean
from osgap.analysis.runs import DIRECT, placed_points
from osgap.analysis.suite import Beside
from osgap.base.quoting import counted
from osgap.drawing.display_names import benchmark_name
from osgap.suites.hohmuth.benchmarks import LATENCIES
from osgap.suites.hohmuth.reflected import reflected_table

_CALL = "null_call"
_TIMES = ("us", "ns")


def beside(runs: Sequence[AnalysedRun]) -> list[Beside]:
    """The ratios of reflected to direct calls, for runs with both. Raises ResultsError."""
    if {run.calls for run in runs} <= {DIRECT} or DIRECT not in {run.calls for run in runs}:
        return []
    rows = reflected_table(placed_points(runs), load_reference("hohmuth_lmbench"))
    rows = rows.assign(
        engine_calls=rows["engine"] + ", " + rows["calls"],
        benchmark_name=rows["benchmark"].map(benchmark_name),
    )
    table = rows.rename(columns=lambda name: name.replace("seed", "printed"))
    columns = ["engine", "calls", "benchmark", "unit", "direct", "reflected", "ratio"]
    columns += ["printed", "printed_low", "printed_high"]
    return [
        Beside(
            "reflected_ratios",
            "Reflected by direct, simulated and printed (Linux on L4 by Linux, 1996)",
            _sentence(rows),
            table[[*columns, "engine_calls", "benchmark_name"]],
            colour="engine_calls",
            names=("benchmark_name",),
            printed="printed",
            simulated="ratio",
            note=(
                "A reflected system call goes to a library, which asks a server process. Ratio: "
                "the value with reflected calls / the value with direct calls."
            ),
        )
    ]


def _sentence(rows: pd.DataFrame) -> str:
    timed = rows[rows["unit"].isin(_TIMES) & rows["seed"].notna()]
    timed = timed[~timed["benchmark"].isin(LATENCIES)]
    calls = rows.loc[rows["benchmark"] == _CALL]
    sentences = []
    if len(calls):
        sentences.append(
            f"A system call that a server answers takes {_span(calls['ratio'])} times as long as a "
            f"direct one (printed in 1996: {calls['seed'].iloc[0]:.0f})."
        )
    if len(timed):
        means = timed.groupby("engine_calls")[["ratio", "seed"]].agg(geometric_mean)
        count = timed["benchmark"].nunique()
        sentences.append(
            f"All {counted(count, 'timed operation')} take {_span(means['ratio'])} times as long "
            f"(printed: {means['seed'].iloc[0]:.1f}; geometric means)."
        )
    return " ".join(sentences)


def _span(values: pd.Series) -> str:
    low, high = (f"{end:.0f}" if end >= 10 else f"{end:.1f}" for end in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"
