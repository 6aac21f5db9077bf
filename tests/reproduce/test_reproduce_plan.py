# SPDX-License-Identifier: BSD-3-Clause
"""osgap reproduce --dry-run: the runs in order, their cost, and what is in the way of some."""

from pathlib import Path

import pytest

from osgap.cli.main import main
from osgap.reproduce.declared import declarations
from osgap.reproduce.printed import plan_lines
from osgap.reproduce.selection import obstacle, select, variants

DECLARED = declarations()


def names(*chosen: str) -> list[str]:
    return [run.name for run in select(DECLARED, chosen)]


def test_names_are_runs_and_folders_in_the_order_of_dependence() -> None:
    assert names("lab/160mhz", "curve") == [
        "curve/default",
        "curve/gem5",
        "curve/comparison",
        "curve/quick/rvsim",
        "lab/160mhz",
    ]
    assert names("layouts/ten-layouts") == ["layouts/ten-layouts/rvsim", "layouts/ten-layouts/gem5"]
    assert names() == [run.name for run in DECLARED.run]


def test_variants_are_those_of_the_options_or_the_sweep_file() -> None:
    assert variants(DECLARED.by_name["curve/default"]) == ["default"]
    assert variants(DECLARED.by_name["paper/period-rvsim"]) == ["period"]
    assert variants(DECLARED.by_name["paper/period-gem5"]) == ["period-moves"]
    assert len(variants(DECLARED.by_name["layouts/ten-layouts/rvsim"])) == 10


def test_what_cannot_be_made_here_has_a_reason() -> None:
    run = DECLARED.by_name["lab/160mhz"]
    older = run.model_copy(update={"image": "9bcd269"})
    assert "its image is of commit 9bcd269" in obstacle(older, earlier=False)
    assert obstacle(older, earlier=True) == obstacle(run, earlier=False)
    predicted = DECLARED.by_name["prediction/random-machines/predicted"]
    assert obstacle(predicted, earlier=True) == predicted.exemption != ""


def test_the_plan_writes_nothing_and_fits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reproduce", "--dry-run", "--output", str(tmp_path / "again")]) == 0
    lines = capsys.readouterr().out.splitlines()
    table = [line for line in lines if line.startswith(("|", "+"))]
    assert len(table) == len(DECLARED.run) + 4 and max(map(len, table)) <= 80
    assert not (tmp_path / "again").exists()


def test_points_that_are_there_cost_nothing_more() -> None:
    run = DECLARED.by_name["curve/default"]
    (line,) = plan_lines([run], {run.name: 20}, {run.name: ""})
    assert line.startswith("rvsim: 1 run, 1 point to simulate, 3 min of one core")
    (line,) = plan_lines([run], {}, {run.name: "no rvsim"})
    assert line == "skipped: 1 run: no rvsim"
