# SPDX-License-Identifier: BSD-3-Clause
"""The page on extractions at once, and the committed tables that it is compared with."""

from collections.abc import Mapping

import pandas as pd

from osgap.analysis.ministat import MeanDifference, difference, make_sample
from osgap.base.paths import project_root

ROOT = project_root()
PAGE = (ROOT / "docs" / "results" / "suites.md").read_text(encoding="utf-8")
PROSE = " ".join(PAGE.split())
"""The page without line breaks."""
LOCKED = ROOT / "results" / "locked" / "publications"


def committed_table(folder: str, name: str, engine: str = "gem5") -> pd.DataFrame:
    table = pd.read_csv(LOCKED / folder / "tables" / f"{name}.csv", keep_default_na=False)
    return table[table["engine"] == engine] if "engine" in table else table


def matching_rows(table: pd.DataFrame, case: Mapping[str, object]) -> pd.DataFrame:
    """The rows with these values in these columns."""
    return table[(table[list(case)] == pd.Series(case)).all(axis=1)]


def interval(rows: pd.DataFrame) -> str:
    (row,) = rows.to_dict("records")
    return with_interval(row)


def with_interval(row: dict[str, float]) -> str:
    return f"{row['concurrency']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"


def spinning_differences(
    case: Mapping[str, object], spinning: str = "adaptive"
) -> tuple[MeanDifference, MeanDifference]:
    """Returns the differences of real and system time from the giant lock to the one `spinning`."""
    rows = matching_rows(committed_table("kennaway-causes", "extractions"), case)
    giant, adaptive = (rows[rows["lock"] == lock] for lock in ("giant", spinning))
    real, system = (
        difference(make_sample("x", giant[column]), make_sample("+", adaptive[column]))
        for column in ("real_ms", "system_ms")
    )
    return real, system
