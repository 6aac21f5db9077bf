# SPDX-License-Identifier: BSD-3-Clause
"""Effective concurrency of extractions whose times are known."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from synthetic import complete

from osgap.analysis.analysed import AnalysedRun, PlacedPoint
from osgap.base.paths import project_root
from osgap.drawing.figure import discover, render
from osgap.image import variants
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.load import Point, Run
from osgap.rundir.point import Spec
from osgap.suites.kennaway import FIGURES, tables
from osgap.suites.kennaway.beside import beside
from osgap.suites.kennaway.holds import hold_table
from osgap.suites.kennaway.original import twelve_at_once
from osgap.suites.kennaway.reports import reports
from osgap.suites.kennaway.spreads import spread_table

SEEDS = 10
# Milliseconds of one, and of all at once, by lock.
TIMES = {"smp": (10.0, 20.0), "smp-giant": (11.0, 80.0), "smp-adaptive": (10.5, 45.0)}
HARTS = 4
COUNTED = {
    "wait_ns": 2_000_000,
    "hold_ns": 7_000_000,
    "acquisitions": 900,
    "contended": 30,
    "sleeps": 20,
}


def place(
    variant: str,
    harts: int = HARTS,
    clock: float = 80.0,
    seeds: int = SEEDS,
    copies: Sequence[int] | None = None,
    machine: str = "",
) -> PlacedPoint:
    """A point with extractions, each seed 1 % more than the last: one, and one a hart."""
    single, parallel = TIMES.get(variant.split("-layout")[0], (1.0, 1.0))
    numbers = sorted({1, harts}) if copies is None else copies
    times = [(many, single if many == 1 else parallel) for many in numbers]
    rows = [
        (f"at_once_tmpfs_{many}", seed, round(real * 1e6 * (1 + seed / 100)))
        for many, real in times
        for seed in range(seeds)
    ]
    samples = pd.DataFrame(rows, columns=["benchmark", "batch", "guest_ns"])
    samples.insert(0, "region", range(len(rows)))
    modes = pd.DataFrame({"region": samples["region"]})
    modes["user_ns"] = samples["guest_ns"] // 10
    modes["kernel_ns"] = samples["guest_ns"] // 2
    modes["idle_ns"] = 0
    counters = pd.DataFrame(
        [
            (region, name, value)
            for region in samples["region"]
            for name, value in COUNTED.items()
            if variant != "smp"
        ],
        columns=["region", "counter", "value"],
    )
    record = Spec.model_validate(
        {
            "key": "k",
            "engine": "rvsim",
            "engine_version": "0",
            "machine": f"smp-{harts}",
            "image_digest": "none",
            "timeout_s": 1,
            "axes": {"clock_mhz": clock, "memory": "fixed", "disk": "fixed"},
            "resolved": complete({"clock_mhz": clock, "harts": harts}),
            "orders": {"run": ["checks"], "fs": ["unix"], "seed": 0},
        }
    )
    point = Point(record, Path("k"), samples, {"modes": modes, "counters": counters})
    run = Run(Path("r"), "r", ("k",), {}, {"k": point}, ())
    return PlacedPoint(
        AnalysedRun(Path("r"), "rvsim", machine or f"smp-{harts}", variant, "direct", run, {}),
        "fixed",
        clock,
        "k",
    )


def concurrencies(every: list[PlacedPoint]) -> pd.DataFrame:
    return tables.concurrency_table(tables.extraction_table(every)).set_index("lock")


def test_concurrency_is_harts_times_a_lone_extraction_without_lock_by_all_at_once() -> None:
    table = concurrencies([place(variant) for variant in TIMES])
    assert table["concurrency"].to_dict() == pytest.approx(
        {"none": 4 * 10 / 20, "adaptive": 4 * 10 / 45, "giant": 4 * 10 / 80}
    )
    assert (table["low"] < table["concurrency"]).all() and (
        table["concurrency"] < table["high"]
    ).all()
    assert (table["seeds"] == SEEDS).all()


def test_a_start_that_two_runs_have_counts_once() -> None:
    more, fewer = place("smp", seeds=SEEDS), place("smp", seeds=SEEDS // 2)
    table = tables.extraction_table([more, fewer])
    pd.testing.assert_frame_equal(table, tables.extraction_table([more]))


def test_the_interval_is_that_of_means_that_vary_apart() -> None:
    row = concurrencies([place("smp")]).loc["none"]
    # The standard error of a ratio of independent means, for seeds 1 % apart.
    spread = 0.01 * np.std(np.arange(SEEDS)) / (1 + 0.01 * np.mean(np.arange(SEEDS)))
    wanted = 1.96 * row["concurrency"] * spread * np.sqrt(2 / SEEDS)
    assert (row["high"] - row["low"]) / 2 == pytest.approx(wanted, rel=0.1)


def test_waiting_is_a_share_of_all_harts_time() -> None:
    table = concurrencies([place("smp"), place("smp-giant")])
    mean = 80 * 1.045
    assert table.loc["giant", "lock_share"] == pytest.approx(2 / (4 * mean), rel=1e-6)
    assert table.loc["giant", "single_hold_ms"] == table.loc["giant", "parallel_hold_ms"] == 7
    assert table.loc["giant", "sleeps_each"] == 20 / 4
    assert (table.loc["none", ["lock_share", "single_hold_ms", "sleeps_each"]] == 0).all()
    assert table.loc["giant", "parallel_system_ms"] == pytest.approx(mean / 2)
    assert table.loc["giant", "hold_us"] == pytest.approx(7e3 / 900)
    assert table.loc["giant", "free_us"] == pytest.approx((mean - 7) * 1e3 / 900)
    assert table.loc["none", ["hold_us", "free_us"]].isna().all()


def test_twelve_at_once_lie_beside_his() -> None:
    every = [place(variant, 12) for variant in TIMES]
    table = twelve_at_once(tables.concurrency_table(tables.extraction_table(every)))
    his, ours = table[table["source"] == "Kennaway 2005"], table[table["source"] == "rvsim"]
    assert his["lock"].tolist() == ["none", "giant"]
    assert his["clock_mhz"].isna().all() and (ours["clock_mhz"] == 80).all()
    # As he printed them: 5.69 and 21.788 single ones, 2.11 and 0.55 extractions.
    assert his["real"].tolist() == pytest.approx([5.69, 21.788], rel=1e-3)
    assert his["concurrency"].tolist() == pytest.approx([2.11, 0.551], rel=2e-3)
    assert his["system"].tolist() == pytest.approx(
        [478.41 / 12 / 10.458, 1547.4 / 12 / 10.458], rel=1e-3
    )
    assert ours.set_index("lock")["real"].to_dict() == pytest.approx(
        {"none": 2.0, "adaptive": 4.5, "giant": 8.0}
    )
    assert ours["user"].tolist() == pytest.approx((ours["real"] / 12).tolist())
    assert twelve_at_once(concurrencies([place("smp")]).reset_index()).empty


def test_fewer_extractions_than_harts_have_a_row_too() -> None:
    every = [place("smp", copies=(1, 3, HARTS)), place("smp-giant", copies=(1, 3, HARTS))]
    table = concurrencies(every).reset_index().set_index(["lock", "copies"])
    assert list(table.index) == [("giant", 3), ("giant", 4), ("none", 3), ("none", 4)]
    assert table.loc[("giant", 3), "concurrency"] == pytest.approx(3 * 10 / 80)
    assert table.loc[("giant", 3), "sleeps_each"] == pytest.approx(20 / 3)
    told = list(reports(tables.extraction_table(every)))
    assert [line.partition(",")[0] for line in told if "wall clock:" in line] == [
        "wall clock: 3 extractions at once",
        "wall clock: 4 extractions at once",
    ]


def test_one_hart_is_its_own_measure() -> None:
    table = concurrencies([place("smp", 1), place("smp-giant", 1)])
    assert table.loc["none", "concurrency"] == 1
    assert table.loc["giant", "concurrency"] == pytest.approx(10 / 11)


def test_without_a_lone_extraction_that_has_no_lock_there_is_no_concurrency() -> None:
    assert concurrencies([place("smp-giant")])["concurrency"].isna().all()


def test_runs_without_extractions_are_refused() -> None:
    with pytest.raises(ResultsError, match="no run has extractions on an image variant of smp"):
        tables.extraction_table([place("default")])


def test_ministat_judges_each_lock_against_none() -> None:
    told = list(reports(tables.extraction_table([place("smp"), place("smp-giant")])))
    assert [line for line in told if "clock:" in line] == [
        f"{title}: 4 extractions at once, tmpfs, smp-4, 80 MHz, rvsim"
        for title in ("wall clock", "system clock")
    ]
    assert told.count("Difference at 95.0% confidence") == 2
    first = told.index("wall clock: 4 extractions at once, tmpfs, smp-4, 80 MHz, rvsim")
    assert told[first + 1 : first + 3] == ["x none (ms)", "+ giant (ms)"]


def test_locks_that_spin_are_judged_against_the_one_that_sleeps_too() -> None:
    names = ("smp", "smp-giant", "smp-adaptive", "smp-adaptive-40us")
    every = [place(name) for name in names]
    told = list(reports(tables.extraction_table(every)))
    pairs = [(told[at + 1], told[at + 2]) for at, line in enumerate(told) if "wall clock:" in line]
    assert pairs == [
        ("x none (ms)", "+ adaptive (ms)"),
        ("x none (ms)", "+ adaptive-40us (ms)"),
        ("x none (ms)", "+ giant (ms)"),
        ("x giant (ms)", "+ adaptive (ms)"),
        ("x giant (ms)", "+ adaptive-40us (ms)"),
    ]


def test_each_lock_is_an_image_variants() -> None:
    assert set(tables.LOCKS) <= set(variants.names(project_root() / "disk-images" / "variants"))


def test_the_times_of_each_batch_are_as_time_prints_them() -> None:
    extractions = tables.extraction_table([place("smp")])
    told = list(reports(extractions))
    assert told[0] == "4 extractions at once, tmpfs, smp-4, 80 MHz, rvsim; lock: none"
    rows = extractions[extractions["copies"] == HARTS]
    assert len([line for line in told if line.endswith(" sys")]) == len(rows) == SEEDS
    (real, user, system) = (float(word) for word in told[1].split()[::2])
    first = rows.iloc[0]
    assert (real, user, system) == pytest.approx(
        (first["real_ms"], first["user_ms"], first["system_ms"]), abs=0.005
    )


def test_the_figure_shows_every_lock(tmp_path: Path) -> None:
    every = [
        place(variant, harts, clock) for variant in TIMES for harts in (1, 4) for clock in (80, 320)
    ]
    table = tables.concurrency_table(tables.extraction_table(every))
    table.to_csv(tmp_path / "concurrency.csv", index=False)
    (figure,) = discover(FIGURES).values()
    (file,) = render(figure, tmp_path, tmp_path, ["svg"])
    text = file.read_text(encoding="utf-8")
    for label in (
        "no giant lock, rvsim",
        "adaptive, rvsim",
        "giant, rvsim",
        "perfect: N at once",
        "tmpfs, 4 CPUs",
    ):
        assert label in text


def test_a_hold_is_split_into_cycles_and_time_of_memory() -> None:
    extractions = tables.extraction_table(
        [place("smp-giant", clock=clock) for clock in (80, 160, 320)]
    )
    copies, clocks = extractions["copies"], extractions["clock_mhz"]
    extractions["hold_ms"] = copies * (240_000 / clocks + 500) / 1000
    split = hold_table(extractions).set_index("copies")
    assert list(split.index) == [1, HARTS]
    for row in split.to_dict("records"):
        assert row["clocks"] == 3
        assert row["hold_cycles"] == pytest.approx(240_000)
        assert row["memory_us"] == pytest.approx(500)
        assert row["slowest_share"] == pytest.approx(500 / 3500)
        assert row["fastest_share"] == pytest.approx(500 / 1250)
        assert row["error"] == pytest.approx(0, abs=1e-9)


def test_two_clocks_are_not_split_nor_is_what_has_no_lock() -> None:
    two = [place("smp-giant", clock=clock) for clock in (80, 160)]
    free = [place("smp", clock=clock) for clock in (80, 160, 320)]
    assert hold_table(tables.extraction_table([*two, *free])).empty


def test_layouts_are_set_beside_the_starts() -> None:
    points = [place(f"smp{name}") for name in ("", "-layout-1", "-layout-2")]
    extractions = tables.extraction_table(points)
    factor = extractions["layout"].map({0: 0.9, 1: 1.0, 2: 1.1})
    extractions["real_ms"] *= factor.where(extractions["copies"] == HARTS, 1.0)
    concurrency = tables.concurrency_table(extractions)
    assert list(concurrency["layout"]) == [0, 1, 2]
    (row,) = spread_table(extractions, concurrency).to_dict("records")
    mean, starts = 20 * 1.045, np.arange(SEEDS) / 100
    assert row["layouts"] == 3
    assert row["parallel_ms"] == pytest.approx(mean)
    assert row["layouts_sd"] == pytest.approx(10.0)
    within = np.sqrt(np.mean([(20 * scale) ** 2 for scale in (0.9, 1.0, 1.1)])) * starts.std(ddof=1)
    assert row["starts_sd"] == pytest.approx(100 * within / mean)
    assert row["concurrency"] == pytest.approx(2.0 * np.mean([1 / 0.9, 1, 1 / 1.1]), rel=1e-3)
    assert row["one_low"] < row["low"] < row["concurrency"] < row["high"] < row["one_high"]


def test_machines_and_layouts_are_apart_and_the_figure_has_the_plain_ones() -> None:
    points = [
        place("smp"),
        place("smp", machine="smp-4-narrow"),
        place("smp-layout-1"),
        place("smp-giant-polling"),
    ]
    table = tables.concurrency_table(tables.extraction_table(points))
    columns = ["machine", "layout", "lock"]
    assert list(table[columns].itertuples(index=False, name=None)) == [
        ("smp-4", 0, "giant-polling"),
        ("smp-4", 0, "none"),
        ("smp-4", 1, "none"),
        ("smp-4-narrow", 0, "none"),
    ]
    drawn = tables.plain_rows(table)
    assert list(drawn[columns].itertuples(index=False, name=None)) == [
        ("smp-4", 0, "giant-polling"),
        ("smp-4", 0, "none"),
    ]


def test_one_layout_has_no_spread() -> None:
    extractions = tables.extraction_table([place("smp")])
    assert spread_table(extractions, tables.concurrency_table(extractions)).empty


def with_tables(point: PlacedPoint) -> AnalysedRun:
    """The point's run, with the tables that a report's page reads."""
    names = sorted(set(point.analysed.run.points[point.key].samples["benchmark"]))
    tables_of_run = {
        "times": pd.DataFrame({"benchmark": names}),
        "points": pd.DataFrame(
            {"key": [point.key], "series": "fixed", "clock_mhz": 80.0, "finished": "yes"}
        ),
    }
    return replace(point.analysed, tables=tables_of_run)


def test_a_page_shows_extractions_from_a_barrier_on_plain_machines() -> None:
    points = [place("smp"), place("smp-giant"), place("smp", machine="smp-4-narrow")]
    (chart,) = beside([with_tables(point) for point in points])
    assert set(chart.rows["machine"]) == {"smp-4"}
    assert chart.headline.startswith(
        "4 extractions at once on 4 processors of 80 MHz do the work of "
    )
    assert "under the giant lock (rvsim)" in chart.headline
    assert beside([]) == []
    # A single extraction without a lock is missing, so there is nothing to compare with.
    assert beside([with_tables(place("smp-giant-polling"))]) == []
