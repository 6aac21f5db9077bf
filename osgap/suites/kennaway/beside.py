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
    """Effective concurrency by harts; empty without a run of extractions. Raises ResultsError.

    Cases whose single extraction without a lock is in no run are left out.
    """
    extracting = [
        run for run in runs if run.tables["times"]["benchmark"].str.startswith(_BENCHMARKS).any()
    ]
    if not extracting:
        return []
    rows = plain_rows(concurrency_table(extraction_table(placed_points(extracting))))
    rows = rows[rows["concurrency"].notna()]
    if rows.empty:
        return []
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
    """Returns the effective concurrency of the most extractions on one medium, at the lowest of
    their clocks, on each engine."""
    medium = _FS if _FS in set(rows["fs"]) else rows["fs"].iloc[0]
    on_medium = rows[rows["fs"] == medium]
    most = on_medium[on_medium["harts"] == on_medium["harts"].max()]
    clock = most["clock_mhz"].min()
    most = most[most["clock_mhz"] == clock]
    gains = [
        f"{row['concurrency']:.1f} [{row['low']:.1f}, {row['high']:.1f}] processors "
        + ("without the lock" if row["lock"] == _FREE else f"under the {row['lock']} lock")
        + f" ({row['engine']})"
        for row in most.sort_values(["engine", "lock"], ascending=False).to_dict("records")
    ]
    harts = int(most["harts"].iloc[0])
    files = "" if medium == _FS else f" with files on {medium}"
    return (
        f"{harts} extractions at once on {harts} processors of {clock:g} MHz{files} do the work of "
        f"{', '.join(gains)}."
    )
