# SPDX-License-Identifier: BSD-3-Clause
"""Raveling's hypothesis on runs where the answer is known."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from suite_runs import byte, write_part
from synthetic import Bench, parts

from osgap.analysis.analysed import PlacedPoint
from osgap.analysis.runs import placed_points
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs
from osgap.suites.raveling.hypothesis import BEST, best_predictors, hypothesis_table, verdicts

NAMES = {
    "empty_loop",
    "integer_mix",
    "pt",
    "context1",
    "iocall",
    "tak",
    "spawn",
    "sh_load_1",
    "sh_load_8",
}


def sweep(tmp_path: Path, follows: str, variants: int = 3) -> list[PlacedPoint]:
    """Variants x machines in which every cost is random but that sh_load_8 follows one row.

    iocall goes the other way, and tak is the clock's alone.
    """
    benches = tuple(bench for bench in byte() if bench.name in NAMES)
    for variant in range(variants):
        random = np.random.default_rng(variant)
        factors: dict[tuple[str, float, str], float] = {}

        def costs(
            series: str,
            clock: float,
            bench: Bench,
            random: np.random.Generator = random,
            factors: dict = factors,  # type: ignore[type-arg]
        ) -> tuple[float, float, float]:
            cpu, _, _ = parts(series, clock, bench)
            if bench.name in ("empty_loop", "integer_mix", "tak"):
                return cpu, 0.0, 0.0
            name = follows if bench.name == "sh_load_8" else bench.name
            place = (series, clock, name if name != "iocall" else follows)
            factor = factors.setdefault(place, float(random.uniform(1, 4)))
            return cpu * (1 / factor if name == "iocall" else factor), 0.0, 0.0

        write_part(tmp_path / f"v{variant}", benches, variant=f"clang-O{variant}", costs=costs)
    return placed_points(load_runs([tmp_path]))


@pytest.mark.slow
def test_it_holds_where_the_load_follows_context_switching(tmp_path: Path) -> None:
    table = hypothesis_table(sweep(tmp_path, "context1"))
    own = table[(table["measure"] == "relative") & (table["load"] == "sh_load_8")]
    rows = own.set_index("predictor")
    assert set(rows.index) == {"pt", "context1", "iocall", "tak", "spawn"}
    assert rows.loc["context1", "spearman"] == pytest.approx(1)
    assert rows.loc["iocall", "spearman"] == pytest.approx(-1)
    assert rows.loc["iocall", "verdict"] == "context1 is better"
    assert rows.loc["spawn", "verdict"] == "context1 is better"
    assert rows.loc["spawn", "less_low"] > 0
    assert rows.loc["context1", "points"] == 3 * 9
    other = table[(table["measure"] == "relative") & (table["load"] == "sh_load_1")]
    drawn = other.set_index("predictor").loc["spawn"]
    assert drawn["low"] < drawn["spearman"] < drawn["high"]
    told = [line for line in verdicts(table) if "relative, sh_load_8, 27 points" in line]
    assert len(told) == 1
    assert "context1 1.00 [1.00, 1.00] predicts better than 3 of 3 rivals, worse than 0" in told[0]


@pytest.mark.slow
def test_it_fails_where_the_load_follows_another(tmp_path: Path) -> None:
    table = hypothesis_table(sweep(tmp_path, "spawn"))
    own = table[(table["measure"] == "relative") & (table["load"] == "sh_load_8")]
    rows = own.set_index("predictor")
    assert rows.loc["spawn", "spearman"] == pytest.approx(1)
    assert rows.loc["spawn", "verdict"] == "context1 is worse"
    assert rows.loc["spawn", "less_high"] < 0
    told = next(line for line in verdicts(table) if "relative, sh_load_8" in line)
    assert "worse than 1; the best rival is spawn, 1.00" in told


@pytest.mark.slow
def test_raw_times_follow_the_clock_and_relative_speeds_do_not(tmp_path: Path) -> None:
    table = hypothesis_table(sweep(tmp_path, "context1"))
    own = table[(table["load"] == "sh_load_8") & (table["predictor"] == "tak")]
    rows = own.set_index("measure")
    assert rows.loc["time", "spearman"] > 0.6
    assert abs(rows.loc["relative", "spearman"]) < 0.5


def test_equal_data_give_equal_intervals(tmp_path: Path) -> None:
    every = sweep(tmp_path, "context1", variants=1)
    assert hypothesis_table(every).equals(hypothesis_table(every))


def test_too_few_points_are_told(tmp_path: Path) -> None:
    every = sweep(tmp_path, "context1", variants=1)[:4]
    with pytest.raises(ResultsError, match="no engine has 5 points with context1"):
        hypothesis_table(every)


@pytest.mark.slow
def test_what_is_printed_is_the_best_of_the_heaviest_load_and_every_switch(tmp_path: Path) -> None:
    table = hypothesis_table(sweep(tmp_path, "context1"))
    rivals = pd.DataFrame(
        [
            dict(table.iloc[0], load="sh_load_8", predictor=f"x{n}", spearman=0.9)
            for n in range(BEST)
        ]
    )
    shown = best_predictors(pd.concat([table, rivals], ignore_index=True))
    own = shown[shown["measure"] == "relative"]
    assert set(shown["load"]) == {"sh_load_8"}
    assert (
        list(own["predictor"][:2]) == ["context1", "x0"] and own["spearman"].is_monotonic_decreasing
    )
    assert len(own) == BEST + 1 and own["predictor"].iloc[-1] == "pt"
