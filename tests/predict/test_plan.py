# SPDX-License-Identifier: BSD-3-Clause
"""Machines of other caches: which points have to be simulated before they can be predicted."""

import csv
import io
import shutil
from pathlib import Path

import pytest

from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.predict.points_to_simulate import PLAN, commands, plan_table
from osgap.rundir.load import Run, load_run

ROOT = project_root()
QUICK = ROOT / "results" / "locked" / "curve/quick" / "rvsim"


@pytest.fixture(scope="module")
def run() -> Run:
    return load_run(QUICK)


_SMALL = """extends = "base"
description = "base with half of its data cache"

[cpu]
clock_mhz = {{ value = {clock}, source = "a test" }}

[l1d]
size_kib = {{ value = 16, source = "a test" }}
"""


@pytest.fixture
def machines(tmp_path: Path) -> Path:
    """Ours, and three of a smaller data cache."""
    folder = shutil.copytree(ROOT / "configs" / "machines", tmp_path / "machines")
    for clock in (40, 160, 640):
        (folder / f"small-{clock}.toml").write_text(_SMALL.format(clock=clock))
    return folder


def test_machines_of_the_runs_caches_need_no_point(run: Run) -> None:
    rows = plan_table(run, ["drawn/m01", "drawn/m02"], ROOT / "configs" / "machines")
    assert list(rows.columns) == PLAN.names
    assert set(rows["geometry"]) == {0} and rows["points"].sum() == 0
    assert commands(rows, run) == []


def test_each_other_geometry_needs_points_that_wait_least_and_most(
    run: Run, machines: Path
) -> None:
    names = ["small-160", "drawn/m01", "small-640", "small-40", "paper/DS3100", "paper/SS1"]
    rows = plan_table(run, names, machines).set_index("machine")
    assert rows.loc["drawn/m01", "geometry"] == 0 and len(set(rows["geometry"])) == 4
    small = rows.loc[["small-160", "small-640", "small-40"]]
    assert set(small["differs_in"]) == {"l1d"} and set(small["from"]) == {"small-640"}
    assert small["points"].tolist() == [2, 0, 0] and small["clocks_mhz"].iloc[0] == "40,640"
    assert rows.loc["paper/DS3100", "points"] == rows.loc["paper/SS1", "points"] == 1


def test_the_command_says_what_to_type(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["predict", str(QUICK), "--plan", "--machine", "drawn/m01,paper/DS3100"]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "osgap sweep --engine rvsim --machine paper/DS3100 --cpu-mhz" in said
    assert said.endswith("1 point to simulate\n")
    assert main([*words, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["machine"] for row in rows] == ["drawn/m01", "paper/DS3100"]
    assert main(["predict", str(QUICK), "--plan"]) == 2
    assert "--plan: found without --machine" in capsys.readouterr().err
