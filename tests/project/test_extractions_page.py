# SPDX-License-Identifier: BSD-3-Clause
"""The page on extractions at once says what the committed tables say."""

import pandas as pd
import pytest

from osgap.base.paths import project_root

ROOT = project_root()
PAGE = (ROOT / "docs" / "results" / "suites.md").read_text(encoding="utf-8")
LOCKED = ROOT / "results" / "locked" / "publications"
HARTS = (1, 2, 4, 12)
CASES = [(fs, lock) for fs in ("tmpfs", "ext2") for lock in ("none", "adaptive", "giant")]


def _table(folder: str, name: str) -> pd.DataFrame:
    return pd.read_csv(LOCKED / folder / "tables" / f"{name}.csv", keep_default_na=False)


def _interval(rows: pd.DataFrame) -> str:
    (row,) = rows.to_dict("records")
    return f"{row['concurrency']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"


def _cell(rows: pd.DataFrame, harts: int) -> str:
    chosen = rows[rows["harts"] == harts]
    if chosen.empty:
        return ""
    return f"{chosen['concurrency'].iloc[0]:.2f}" if harts == 1 else _interval(chosen)


@pytest.mark.parametrize(("fs", "lock"), CASES)
def test_each_effective_concurrency_is_the_tables(fs: str, lock: str) -> None:
    table = _table("kennaway", "concurrency")
    rows = table[(table["fs"] == fs) & (table["lock"] == lock)]
    cells = " | ".join(_cell(rows, harts) for harts in HARTS)
    assert f"\n| {fs}, {lock} | {cells} |\n".replace("  ", " ") in PAGE


@pytest.mark.parametrize(("lock", "heading"), [("none", "without a lock"), ("giant", "giant lock")])
def test_twelve_at_once_are_the_tables(lock: str, heading: str) -> None:
    table = _table("kennaway", "twelve_at_once")
    rows = table[table["lock"] == lock].set_index("fs")
    cells = [
        f"{_figure(rows.loc['md', name])}; "
        + ", ".join(_figure(rows.loc[fs, name]) for fs in ("tmpfs", "ext2"))
        for name in ("real", "user", "system", "concurrency")
    ]
    assert f"\n| {heading}: his; tmpfs, ext2 | {' | '.join(cells)} |\n" in PAGE


def _figure(value: float) -> str:
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


@pytest.mark.parametrize(
    ("fs", "lock"),
    [
        ("md", "none"),
        ("md", "adaptive"),
        ("md", "giant"),
        ("tmpfs", "giant-polling"),
        ("tmpfs", "none-hz25"),
    ],
)
def test_each_change_of_machine_or_kernel_is_the_tables(fs: str, lock: str) -> None:
    table = _table("kennaway-causes", "concurrency")
    rows = table[(table["fs"] == fs) & (table["lock"] == lock) & (table["harts"] == 4)]
    assert _interval(rows) in PAGE
