# SPDX-License-Identifier: BSD-3-Clause
"""The page on extractions at once says what the committed tables say."""

import pandas as pd
import pytest

from osgap.base.paths import project_root

ROOT = project_root()
PAGE = (ROOT / "docs" / "results" / "suites.md").read_text(encoding="utf-8")
LOCKED = ROOT / "results" / "locked" / "publications"
HARTS = (1, 2, 4, 12)
CLOCKS = (80, 160, 320, 640, 1280)
CASES = [(fs, lock) for fs in ("tmpfs", "ext2") for lock in ("none", "adaptive", "giant")]


def _table(folder: str, name: str) -> pd.DataFrame:
    return pd.read_csv(LOCKED / folder / "tables" / f"{name}.csv", keep_default_na=False)


def _interval(rows: pd.DataFrame) -> str:
    (row,) = rows.to_dict("records")
    return _told(row)


def _told(row: dict[str, float]) -> str:
    return f"{row['concurrency']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"


def _cell(rows: pd.DataFrame, harts: int) -> str:
    chosen = rows[rows["harts"] == harts]
    if chosen.empty:
        return ""
    return f"{chosen['concurrency'].iloc[0]:.2f}" if harts == 1 else _interval(chosen)


@pytest.mark.parametrize(("fs", "lock"), CASES)
def test_each_effective_concurrency_is_the_tables(fs: str, lock: str) -> None:
    table = _table("kennaway", "concurrency")
    rows = table[(table["fs"] == fs) & (table["lock"] == lock) & (table["clock_mhz"] == 80)]
    cells = " | ".join(_cell(rows, harts) for harts in HARTS)
    assert f"\n| {fs}, {lock} | {cells} |\n".replace("  ", " ") in PAGE


def _at_clocks(lock: str) -> list[dict[str, float]]:
    table = _table("kennaway", "concurrency")
    rows = table[(table["fs"] == "tmpfs") & (table["harts"] == 4) & (table["lock"] == lock)]
    rows = rows[rows["copies"] == 4].sort_values("clock_mhz")
    assert tuple(rows["clock_mhz"]) == CLOCKS
    return rows.to_dict("records")


@pytest.mark.parametrize("lock", ["none", "adaptive", "giant"])
def test_effective_concurrency_at_each_clock_is_the_tables(lock: str) -> None:
    cells = [_told(row) for row in _at_clocks(lock)]
    assert f"\n| {lock} | {' | '.join(cells)} |\n" in PAGE


@pytest.mark.parametrize(
    ("lock", "column", "told"),
    [
        ("giant", "hold_us", "giant: held in each acquisition, us"),
        ("giant", "free_us", "giant: then free, us"),
        ("adaptive", "free_us", "adaptive: free, us"),
    ],
)
def test_holding_and_handing_over_at_each_clock_are_the_tables(
    lock: str, column: str, told: str
) -> None:
    cells = [f"{float(row[column]):#.2g}".rstrip(".") for row in _at_clocks(lock)]
    assert f"\n| {told} | {' | '.join(cells)} |\n" in PAGE


def test_memorys_part_of_a_hold_is_the_tables() -> None:
    table = _table("kennaway", "holds")
    (row,) = table[(table["lock"] == "giant") & (table["copies"] == 4)].to_dict("records")
    cycles, memory_us = row["hold_cycles"], row["memory_us"]
    cells = [f"{100 * memory_us / (cycles / clock + memory_us):.0f} %" for clock in CLOCKS]
    assert f"\n| giant: memory's part of holding | {' | '.join(cells)} |\n" in PAGE


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
