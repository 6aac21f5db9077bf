# SPDX-License-Identifier: BSD-3-Clause
"""Puts what Kennaway measured of twelve extractions at once beside what was simulated."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from osgap.analysis.columns import CLOCK_MHZ, text
from osgap.analysis.reference import load_reference
from osgap.analysis.relative import NAN
from osgap.analysis.table import Column, Table
from osgap.suites.kennaway.tables import LOCK, MACHINE, MEDIUM, NONE

COPIES = 12
"""He timed twelve at once, on twelve processors."""
TWELVE_AT_ONCE = Table(
    "twelve_at_once",
    "twelve extractions at once, as Kennaway measured them: times relative to a single one",
    (
        text("source", "Kennaway 2005, or the simulator"),
        MEDIUM,
        MACHINE,
        CLOCK_MHZ,
        LOCK,
        Column("real", "real time over that of a single extraction without a lock"),
        Column("user", "user time of each extraction, over the single one's"),
        Column("system", "system time of each extraction, over the single one's"),
        Column("concurrency", "effective concurrency, 12 / real"),
    ),
)
_CASE = ["engine", "fs", "machine", "clock_mhz"]
_HIS, _MACHINE = "Kennaway 2005", "E4500"
_LOCKS = {"mpsafevfs": NONE, "giant": "giant"}
"""Lock of his kernel -> lock of ours."""


def twelve_at_once(concurrency: pd.DataFrame) -> pd.DataFrame:
    """His rows, then one for each case and lock of twelve at once on twelve harts (TWELVE_AT_ONCE).

    Empty without such a case. Raises ResultsError for a damaged reference.
    """
    chosen = concurrency[
        (concurrency["copies"] == COPIES)
        & (concurrency["harts"] == COPIES)
        & (concurrency["layout"] == 0)
    ]
    rows = [row for _, case in chosen.groupby(_CASE, sort=False) for row in _rows(case)]
    return TWELVE_AT_ONCE.frame([*_his(), *rows] if rows else [])


def _rows(case: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    single = case[case["lock"] == NONE]
    for row in case.to_dict("records") if len(single) else ():
        real, user, system = (
            row[f"parallel_{name}"] / single[f"single_{name}"].iloc[0]
            for name in ("ms", "user_ms", "system_ms")
        )
        place = (row[name] for name in ("engine", "fs", "machine", "clock_mhz", "lock"))
        yield *place, real, user / COPIES, system / COPIES, COPIES / real


def _his() -> Iterator[tuple[object, ...]]:
    means = load_reference("kennaway_extraction").groupby(["extraction", "vfs"])
    times = means[["real_s", "user_s", "sys_s"]].mean()
    single = times.loc[[("single", "mpsafevfs")]].iloc[0]
    for vfs, lock in _LOCKS.items():
        ratios: list[float] = (times.loc[[("parallel", vfs)]].iloc[0] / single).tolist()
        real, user, system = ratios
        yield _HIS, "md", _MACHINE, NAN, lock, real, user / COPIES, system / COPIES, COPIES / real
