# SPDX-License-Identifier: BSD-3-Clause
"""The page on extractions at once says what the committed tables say."""

import math

import pandas as pd
import pytest
from extractions_tables import (
    LOCKED,
    PAGE,
    PROSE,
    committed_table,
    interval,
    matching_rows,
    spinning_differences,
    with_interval,
)

from osgap.rundir.load import load_run
from osgap.suites import analyze

HARTS = (1, 2, 4, 8, 12)
CLOCKS = (80, 160, 320, 640, 1280)
QUANTITIES = ("real", "user", "system", "concurrency")
CASES = [(fs, lock) for fs in ("tmpfs", "ext2") for lock in ("none", "adaptive", "giant")]


def _cell(rows: pd.DataFrame, harts: int) -> str:
    chosen = rows[rows["harts"] == harts]
    if chosen.empty:
        return ""
    return f"{chosen['concurrency'].iloc[0]:.2f}" if harts == 1 else interval(chosen)


@pytest.mark.parametrize(("fs", "lock"), CASES)
def test_each_effective_concurrency_is_the_tables(fs: str, lock: str) -> None:
    table = committed_table("kennaway", "concurrency")
    rows = table[(table["fs"] == fs) & (table["lock"] == lock) & (table["clock_mhz"] == 80)]
    rows = rows[rows["copies"] == rows["harts"]]
    cells = " | ".join(_cell(rows, harts) for harts in HARTS)
    assert f"\n| {fs}, {lock} | {cells} |\n".replace("  ", " ") in PAGE


def test_rvsim_on_one_and_two_harts_is_the_tables() -> None:
    rows = committed_table("kennaway", "concurrency", "rvsim")
    two = rows[rows["copies"] == 2].set_index(["lock", "fs"])
    none, adaptive, giant = (
        " and ".join(with_interval(two.loc[(lock, fs)]) for fs in ("tmpfs", "ext2"))
        for lock in ("none", "adaptive", "giant")
    )
    assert f"do the work of {none} there without a lock" in PROSE
    assert f"of {adaptive} with the adaptive lock, and of {giant} with the giant lock." in PROSE
    of_gem5 = committed_table("kennaway", "concurrency")
    same = rows.merge(of_gem5, on=["fs", "clock_mhz", "machine", "lock", "copies"])
    assert len(same) == len(rows) and set(rows["harts"]) == {1, 2}
    apart = (same["concurrency_x"] / same["concurrency_y"] - 1).abs()
    assert apart[same["lock"] != "adaptive"].max() < 0.02 and apart.max() < 0.04


def test_three_and_ten_at_once_on_twelve_harts_are_the_tables() -> None:
    table = committed_table("kennaway", "concurrency").set_index(["harts", "copies"]).sort_index()
    intervals = [interval(table.loc[[(12, copies)]]) for copies in (3, 10)]
    assert " and ".join(intervals) in PROSE


def test_the_ram_disks_bandwidth_is_the_runs() -> None:
    run = load_run(LOCKED / "kennaway" / "gem5-copies" / "smp-12.smp")
    (point,) = run.points.values()
    samples = point.samples[point.samples["benchmark"].str.startswith("fill_memory_")]
    after_first = samples[samples["batch"] > 0]
    rates = 1e3 * after_first["bytes"] / after_first["guest_ns"]
    first, *others = rates.groupby(after_first["benchmark"], sort=False).median()
    assert f"writes {first:.0f} MB/s; 2, 4, 8 and 12 write" in PROSE
    *most, last = (f"{rate:.0f}" for rate in others)
    assert f"write {', '.join(most)} and {last} MB/s together" in PROSE


def _at_clocks(lock: str) -> list[dict[str, float]]:
    table = committed_table("kennaway", "concurrency")
    rows = table[(table["fs"] == "tmpfs") & (table["harts"] == 4) & (table["lock"] == lock)]
    rows = rows[rows["copies"] == 4].sort_values("clock_mhz")
    assert tuple(rows["clock_mhz"]) == CLOCKS
    return rows.to_dict("records")


@pytest.mark.parametrize("lock", ["none", "adaptive", "giant"])
def test_effective_concurrency_at_each_clock_is_the_tables(lock: str) -> None:
    cells = [with_interval(row) for row in _at_clocks(lock)]
    assert f"\n| {lock} | {' | '.join(cells)} |\n" in PAGE


@pytest.mark.parametrize(
    ("lock", "column", "heading"),
    [
        ("giant", "hold_us", "giant: held in each acquisition, us"),
        ("giant", "free_us", "giant: then free, us"),
        ("adaptive", "free_us", "adaptive: free, us"),
    ],
)
def test_holding_and_handing_over_at_each_clock_are_the_tables(
    lock: str, column: str, heading: str
) -> None:
    cells = [f"{float(row[column]):#.2g}".rstrip(".") for row in _at_clocks(lock)]
    assert f"\n| {heading} | {' | '.join(cells)} |\n" in PAGE


def test_memorys_part_of_a_hold_is_the_tables() -> None:
    table = committed_table("kennaway", "holds")
    (row,) = table[(table["lock"] == "giant") & (table["copies"] == 4)].to_dict("records")
    cycles, memory_us = row["hold_cycles"], row["memory_us"]
    cells = [f"{100 * memory_us / (cycles / clock + memory_us):.0f} %" for clock in CLOCKS]
    assert f"\n| giant: memory's part of holding | {' | '.join(cells)} |\n" in PAGE


@pytest.mark.parametrize(("lock", "heading"), [("none", "without a lock"), ("giant", "giant lock")])
def test_twelve_at_once_are_the_tables(lock: str, heading: str) -> None:
    table = committed_table("kennaway", "twelve_at_once")
    rows = table[table["lock"] == lock].set_index("fs")
    cells = [f"{_figure(rows.loc['md', name])}; {_simulated(rows, name)}" for name in QUANTITIES]
    assert f"\n| {heading}: his; tmpfs, ext2 | {' | '.join(cells)} |\n" in PAGE


def _figure(value: float) -> str:
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _simulated(rows: pd.DataFrame, quantity: str) -> str:
    return ", ".join(_figure(rows.loc[fs, quantity]) for fs in ("tmpfs", "ext2"))


def test_twelve_that_spin_are_the_tables() -> None:
    table = committed_table("kennaway", "twelve_at_once")
    rows = table[table["lock"] == "adaptive"].set_index("fs")
    cells = [_simulated(rows, name) for name in QUANTITIES]
    assert f"\n| adaptive lock: tmpfs, ext2 | {' | '.join(cells)} |\n" in PAGE


@pytest.mark.parametrize(
    ("machine", "fs", "clock_mhz", "lock"),
    [
        ("smp-4", "md", 80, "none"),
        ("smp-4", "md", 80, "adaptive"),
        ("smp-4", "md", 80, "giant"),
        ("smp-4", "tmpfs", 80, "giant-polling"),
        ("smp-4", "tmpfs", 80, "none-hz25"),
        ("e4500-4", "tmpfs", 400, "none"),
        ("e4500-4", "tmpfs", 400, "adaptive"),
        ("e4500-4", "tmpfs", 400, "giant"),
        ("smp-4", "md", 1280, "none"),
        ("smp-4", "md", 1280, "adaptive"),
        ("smp-4", "md", 1280, "giant"),
        ("smp-8", "md", 1280, "none"),
        ("smp-8", "md", 1280, "adaptive"),
        ("smp-8", "md", 1280, "giant"),
        ("e4500-4-near", "tmpfs", 400, "none"),
        ("e4500-4-near", "tmpfs", 400, "adaptive"),
        ("e4500-4-near", "tmpfs", 400, "giant"),
        ("smp-12-far", "tmpfs", 80, "none"),
        ("smp-12-far", "tmpfs", 80, "adaptive"),
        ("smp-12-far", "tmpfs", 80, "giant"),
        ("smp-12-narrow", "tmpfs", 80, "none"),
        ("smp-12", "md", 80, "none"),
        ("smp-12-narrow", "md", 80, "none"),
        ("smp-12", "tmpfs", 1280, "none"),
    ],
)
def test_each_change_of_machine_or_kernel_is_the_tables(
    machine: str, fs: str, clock_mhz: int, lock: str
) -> None:
    table = committed_table("kennaway-causes", "concurrency")
    case = {"machine": machine, "fs": fs, "clock_mhz": clock_mhz, "lock": lock, "layout": 0}
    rows = matching_rows(table, case)
    assert interval(rows[rows["copies"] == rows["harts"]]) in PAGE


@pytest.mark.parametrize("lock", ["none", "giant"])
def test_the_spreads_of_starts_and_layouts_are_the_tables(lock: str) -> None:
    table = committed_table("kennaway-causes", "spreads").set_index("lock")
    row = table.loc[lock]
    assert f"\n| {lock} | {row['starts_sd']:.1f} % | {row['layouts_sd']:.1f} % |\n" in PAGE


def _four_at_once(machine: str) -> dict[str, dict[str, float]]:
    table = committed_table("kennaway-causes", "concurrency")
    rows = table[(table["machine"] == machine) & (table["copies"] == 4)]
    return {row["lock"]: row for row in rows.to_dict("records")}


def test_what_a_slow_bus_does_to_a_hold_and_to_handing_over_is_the_tables() -> None:
    far, near = _four_at_once("e4500-4"), _four_at_once("e4500-4-near")
    held, free = (float(far["giant"][name]) for name in ("hold_us", "free_us"))
    assert f"held for {held:.1f} us in each acquisition, then free for {free:.1f} us" in PROSE
    held, free = (float(near["giant"][name]) for name in ("hold_us", "free_us"))
    assert f"these are {held:.1f} and {free:.1f} us" in PROSE
    user = far["giant"]["parallel_user_ms"] / far["none"]["parallel_user_ms"] - 1
    assert f"User time is {100 * user:.0f} % longer with the lock than without." in PROSE
    shorter = [
        f"{100 * (1 - locks['adaptive']['parallel_ms'] / locks['giant']['parallel_ms']):.0f} %"
        for locks in (far, near)
    ]
    assert f"no, {shorter[0]} |" in PROSE and f"no, less, {shorter[1]} |" in PROSE
    assert f"make spinning gain more ({shorter[0]})" in PROSE
    assert f"{shorter[0]} of real time, {shorter[1]} where they come at once" in PROSE


@pytest.mark.parametrize(("copies", "word"), [(4, "four"), (8, "eight")])
def test_what_spinning_takes_with_a_ram_disks_thread_on_fast_harts_is_the_tables(
    copies: int, word: str
) -> None:
    real, system = spinning_differences({"fs": "md", "clock_mhz": 1280, "copies": copies})
    off = f"{-real.percent:.1f} % +/- {real.percent_error:.1f} % off the real time of {word}"
    assert off in PROSE
    longer = f"{system.percent:.0f} % +/- {system.percent_error:.0f} % longer"
    assert f"the {word}'s system time {longer}" in PROSE


def test_what_a_ram_disks_thread_and_fast_harts_leave_of_the_contradiction_is_the_tables() -> None:
    (four, _), (eight, system) = (
        spinning_differences({"fs": "md", "clock_mhz": 1280, "copies": copies}) for copies in (4, 8)
    )
    left = f"both together {-four.percent:.0f} %. On eight harts both together leave"
    longer = f"system time is {system.percent:.0f} % longer, as below"
    assert f"{left} {-eight.percent:.0f} %, and there {longer}" in PROSE
    assert f"off real time: yes, {-four.percent:.0f} % |" in PAGE
    cell = f"off real time: yes, {-eight.percent:.0f} %. It makes system time 120 to 250 % longer:"
    assert f"{cell} yes, {system.percent:.0f} % |" in PAGE
    error = math.hypot(four.percent_error, eight.percent_error)
    assert "the gain does not change by more than its error" in PROSE
    assert abs(eight.percent - four.percent) < error


def _unlocked(machine: str, fs: str, clock_mhz: str = "80") -> pd.Series:
    """Times of twelve at once without a lock, over those of a single extraction."""
    table = committed_table("kennaway-causes", "twelve_at_once")
    case = {"machine": machine, "fs": fs, "clock_mhz": clock_mhz, "lock": "none"}
    return matching_rows(table, case).iloc[0]


def test_how_a_full_bus_makes_times_longer_is_the_tables() -> None:
    narrow, fast = _unlocked("smp-12-narrow", "tmpfs"), _unlocked("smp-12", "tmpfs", "1280")
    assert f"are {narrow['user']:.1f} and {narrow['system']:.1f} times a single one's (his" in PROSE
    assert f"Real time is {narrow['real']:.1f} times as long" in PROSE
    assert f"user time is {fast['user']:.1f} times" in PROSE
    assert f"system time {fast['system']:.1f} times" in PROSE


def test_what_a_full_bus_and_a_ram_disks_thread_do_together_is_the_tables() -> None:
    both = _unlocked("smp-12-narrow", "md")
    assert f"the work of {both['concurrency']:.2f} (his" in PROSE
    longer = f"{both['real']:.1f}, {both['user']:.1f} and {both['system']:.1f} times a single"
    assert f"Real, user and system time of each are {longer}" in PROSE


def test_what_twelve_move_over_a_narrow_bus_is_the_runs() -> None:
    tables = analyze(load_run(LOCKED / "kennaway-causes" / "memory" / "smp-12-narrow.smp"))
    samples = tables["samples"]
    twelve = samples[samples["benchmark"] == "at_once_tmpfs_12"]
    moved = 1e3 * (twelve["bytes_read"] + twelve["bytes_written"]) / twelve["guest_ns"]
    assert f"yes, {moved.mean():.0f} of its 100 MB/s |" in PAGE
