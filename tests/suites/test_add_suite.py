# SPDX-License-Identifier: BSD-3-Clause
"""What a suite declares, and that one more is a folder in workloads/ and one in osgap/suites/."""

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
from synthetic import Bench, write_run

from osgap.analysis.suite import Suite, composites, sets_for, subtracted
from osgap.base.paths import project_root
from osgap.suites import (
    combined_tables,
    default_tables,
    main_sets,
    published_means,
    reference_set,
    suites,
)

MADE_UP = """
import pandas as pd

from osgap.analysis.suite import CombinedResult, CombinedTable, Suite
from osgap.analysis.table import Column, Table

POINTS = Table("madeup_points", "the points of all runs", (Column("key", "its key", kind="text"),))


def _points(points):
    rows = pd.DataFrame({"key": [point.key for point in points]})
    return CombinedResult(rows, ["made up:", ("the points", rows)])


SUITE = Suite(
    name="madeup",
    title="Nobody 2026",
    workloads=("madeup",),
    sets={"madeup": ("made_one", "made_two")},
    rows=("made_one", "made_two"),
    combined=(CombinedTable(POINTS, _points),),
)
"""
SHOW = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from osgap.drawing.figure import discover, render
from osgap.base.terminal import make_console
from osgap.figures import OF_A_RUN
from osgap.cli.main import main
from osgap.printing.formats import descriptions
from osgap.printing.run import print_runs
run = Path(sys.argv[2])
print(descriptions()["madeup_points"])
print_runs(make_console(sys.stdout), [run])
print_runs(make_console(sys.stdout), [run], ["madeup_points"])
assert main(["suite", "madeup", str(run)]) == 0
render(discover(OF_A_RUN)["scaling"], run / "tables", run / "figures", ["svg"])
"""


@pytest.mark.long
def test_a_suite_is_added_by_two_folders(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    without = shutil.ignore_patterns("__py*")
    shutil.copytree(project_root() / "osgap", copy / "osgap", ignore=without)
    shutil.copytree(project_root() / "results" / "reference", copy / "results" / "reference")
    (copy / "osgap" / "suites" / "madeup").mkdir()
    (copy / "osgap" / "suites" / "madeup" / "suite.py").write_text(MADE_UP)
    benches = (
        Bench("empty_loop", "ns", 0.0, count=1000),
        Bench("integer_mix", "MIPS", 1000.0, count=200),
        Bench("made_one", "us", 1e4),
        Bench("made_two", "us", 1e4, memory=1e4),
    )
    run = write_run(tmp_path / "run", benches=benches)
    command = [sys.executable, "-c", SHOW, str(copy), str(run)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "the points of all runs"
    assert "benchmarks of Nobody 2026 5 times faster" in lines[1]
    assert any("geometric mean, Nobody 2026" in line for line in lines)
    assert lines.count("made up:") == 2
    means = pd.read_csv(run / "tables" / "geomean.csv").set_index(["set", "series", "clock_mhz"])
    assert means.loc[("madeup", "both", 320.0), "geomean"] == pytest.approx(1, rel=1e-2)
    assert len(pd.read_csv(run / "tables" / "madeup_points.csv")) == 9
    assert "Nobody 2026: 2 rows" in (run / "figures" / "scaling.svg").read_text()


@pytest.mark.slow
def test_a_folder_that_declares_no_suite_of_its_name_is_named(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(
        project_root() / "osgap", copy / "osgap", ignore=shutil.ignore_patterns("__py*")
    )
    (copy / "osgap" / "suites" / "madeup").mkdir()
    (copy / "osgap" / "suites" / "madeup" / "suite.py").write_text("SUITE = 3\n")
    code = "import sys; sys.path.insert(0, sys.argv[1]); from osgap.suites import suites; suites()"
    done = subprocess.run(
        [sys.executable, "-c", code, str(copy)], capture_output=True, text=True, cwd=tmp_path
    )
    assert "OsgapError: osgap/suites/madeup/suite.py: declares no SUITE" in done.stderr


def test_the_order_of_sets_stays() -> None:
    assert [name for suite in suites() for name in suite.sets] == [
        "figure1",
        "figure1_bcopy",
        "figure1_phases",
        "mcvoy",
        "byte",
    ]
    assert list(main_sets()) == ["figure1", "mcvoy", "byte"]
    assert reference_set() == "figure1" and list(published_means()) == ["figure1"]
    assert default_tables() == ("since_1990", "since_1990_means")
    assert list(combined_tables()) == [
        "variants",
        "since_1990",
        "since_1990_means",
        "hohmuth",
        "reflected",
        "raveling",
        "hypothesis",
    ]


def test_what_suites_declare_is_there_and_one_suites_own() -> None:
    folders = Counter(folder for suite in suites() for folder in suite.workloads)
    assert all((project_root() / "workloads" / folder).is_dir() for folder in folders)
    names = Counter(name for suite in suites() for name in suite.sets)
    names += Counter(combined.table.name for suite in suites() for combined in suite.combined)
    rows = Counter(name for suite in suites() for name in suite.rows)
    assert {*folders.values(), *names.values(), *rows.values()} == {1}
    for suite in suites():
        assert suite.figures is None or any(suite.figures.glob("*.py"))
        assert suite.main_set is None or set(suite.sets[suite.main_set]) <= set(suite.rows)


def test_only_a_suite_that_is_always_listed_has_sets_without_a_benchmark() -> None:
    always = Suite("a", "A", (), sets={"one": ("x",), "two": ("y",)}, always=True)
    other = Suite("b", "B", (), sets={"three": ("z",)})
    assert [name for name, _ in sets_for([always, other], set())] == ["one", "two"]
    assert [name for name, _ in sets_for([always, other], {"z"})] == ["one", "two", "three"]


def test_what_is_subtracted_and_summed_is_of_all_suites() -> None:
    suite = Suite(
        "a",
        "A",
        (),
        composites={"sum": ("x", "y")},
        overheads={"x": "idle"},
        uncorrected=frozenset({"y"}),
    )
    taken = subtracted([suite])
    assert (taken["x"], taken["y"], taken["empty_loop"], taken["integer_mix"]) == (
        "idle",
        None,
        None,
        None,
    )
    assert "z" not in taken
    assert composites([suite]) == {"sum": ("x", "y")}
