# SPDX-License-Identifier: BSD-3-Clause
"""Compares extractions at once, with a giant lock and without, on a report page."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.runs import placed_points
from osgap.analysis.suite import Beside
from osgap.suites.kennaway.tables import concurrency_table, extraction_table, plain_rows

_BENCHMARKS, _FS, _FREE = ("extract_", "at_once_"), "tmpfs", "none"


def beside(runs: Sequence[AnalysedRun]) -> list[Beside]:
    """Effective concurrency by harts; empty without a run of extractions. Raises ResultsError."""
    extracting = [
        run for run in runs if run.tables["times"]["benchmark"].str.startswith(_BENCHMARKS).any()
    ]
    if not extracting:
        return []
    rows = plain_rows(concurrency_table(extraction_table(placed_points(extracting))))
    panels = rows["engine"] + ", " + rows["fs"] + ", " + rows["clock_mhz"].map("{:g} MHz".format)
    return [
        Beside(
            "concurrency",
            "Effective concurrency: N x T1 / TN",
            _sentence(rows),
            rows.assign(panel=panels),
            colour="lock",
            x="harts",
            y="concurrency",
            panel="panel",
            note="Dotted: n harts do the work of n. Bars and brackets: 95 % intervals over starts.",
        )
    ]


def _sentence(rows: pd.DataFrame) -> str:
    """Returns the effective concurrency of the most extractions in memory, on each engine."""
    in_memory = rows[rows["fs"] == _FS] if _FS in set(rows["fs"]) else rows
    most = in_memory[in_memory["harts"] == in_memory["harts"].max()]
    gains = [
        f"{row['concurrency']:.1f} [{row['low']:.1f}, {row['high']:.1f}] processors "
        + ("without the lock" if row["lock"] == _FREE else f"under the {row['lock']} lock")
        + f" ({row['engine']})"
        for row in most.sort_values(["engine", "lock"], ascending=False).to_dict("records")
    ]
    harts = int(most["harts"].iloc[0])
    return f"{harts} extractions at once on {harts} processors do the work of {', '.join(gains)}."
