# SPDX-License-Identifier: BSD-3-Clause
"""The door for notebooks: osgap.load_run."""

import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure
from synthetic import FEW, write_run

import osgap
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.predict.prediction import PREDICTED
from osgap.rundir import load
from osgap.rundir.csvfile import ResultsError
from osgap.suites import analyze

ROOT = project_root()
LOCKED = ROOT / "results" / "locked"
DOCUMENT = ROOT / "docs" / "tutorial" / "notebooks.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_a_run_has_typed_tables(tmp_path: Path) -> None:
    directory = write_run(tmp_path / "run", benches=FEW, unfinished=("both-320",))
    run = osgap.load_run(str(directory))
    assert (run.name, run.path, run.unfinished) == ("run", directory, ("both-320",))
    expected = analyze(load.load_run(directory))
    assert run.tables.keys() == expected.keys()
    for name, table in expected.items():
        pd.testing.assert_frame_equal(run.tables[name], table)
    assert run.points is run.tables["points"]
    assert run.tables["relative"]["relative"].dtype == float
    assert set(run.points["key"]) == set(load.load_run(directory).keys)


@pytest.fixture(scope="module")
def lab() -> osgap.LoadedRun:
    """The committed run of the lab, whose tables are computed once."""
    return osgap.load_run(LOCKED / "lab/three-clocks")


def test_a_run_prints_itself_in_five_lines(lab: osgap.LoadedRun) -> None:
    lines = repr(lab).splitlines()
    assert lines[0] == "run three-clocks: 9 points, machine base, engine rvsim"
    assert [line.partition(":")[0] for line in lines[1:]] == [
        "clocks in MHz",
        "series",
        "benchmarks",
        "tables",
    ]
    assert "fixed (clock only), memory (clock and memory)" in lines[2]
    assert set(lines[4].removeprefix("tables: ").split(", ")) <= lab.tables.keys()
    page = lab._repr_html_()
    assert page.count("<tr>") == 5 and "clock only" in page and "\n" not in page
    assert len(repr(lab.tables)) < 1000 and "relative (144 rows" in repr(lab.tables)


def test_many_names_are_cut_and_unfinished_points_told(tmp_path: Path) -> None:
    assert ", ... (" in repr(osgap.load_run(LOCKED / "curve/quick" / "rvsim"))
    directory = write_run(tmp_path / "<b>", benches=FEW, unfinished=("both-320",))
    run = osgap.load_run(directory)
    assert "1 not finished" in repr(run)


def test_a_wrong_name_of_a_table_lists_the_tables(lab: osgap.LoadedRun) -> None:
    with pytest.raises(KeyError) as caught:
        lab.tables["relativ"]
    assert isinstance(caught.value, OsgapError)
    assert str(caught.value).startswith("there is no table 'relativ'; did you mean relative?")
    assert "attribution" in str(caught.value)
    assert lab.tables.get("relativ") is None


def test_r_and_rows_of_a_benchmark(lab: osgap.LoadedRun) -> None:
    speeds = lab.R(benchmark="cswitch", series=("fixed", "memory"), clock_mhz=320)
    assert list(speeds.columns) == ["series", "clock_mhz", "benchmark", "fs", "R"]
    expected = lab.tables["relative"].query(
        "benchmark == 'cswitch' and clock_mhz == 320 and series in ['fixed', 'memory']"
    )
    assert list(speeds["R"]) == list(expected["relative"]) and len(speeds) == 2
    rows = lab.rows("times", ["clock_mhz", "metric"], benchmark="cswitch", series="fixed")
    assert rows.values.tolist() == [[20.0, "ms"], [80.0, "ms"], [320.0, "ms"]]
    assert list(lab.rows("fastest", benchmark="mean")["set"]) == ["figure1"]
    with pytest.raises(OsgapError, match="did you mean cswitch"):
        lab.R(benchmark="cswich")


def test_fs_is_the_text_none_where_no_files_are_used(lab: osgap.LoadedRun) -> None:
    """docs/tutorial/notebooks.md says so."""
    assert set(lab.R(benchmark="getpid")["fs"]) == {"none"}
    assert "`none`" in DOCUMENT.read_text(encoding="utf-8")


def test_a_run_is_drawn(lab: osgap.LoadedRun) -> None:
    figure = lab.plot()
    assert isinstance(figure, Figure) and figure.axes[0].lines
    with pytest.raises(OsgapError, match="did you mean scaling"):
        lab.plot("scalling")


@pytest.mark.slow
def test_a_prediction_holds_a_simulation(lab: osgap.LoadedRun) -> None:
    frame = lab.predict(clock_mhz=160, use=["20mhz", "320mhz-a82"])
    assert list(frame.columns) == PREDICTED.names
    at_160 = frame[(frame["clock_mhz"] == 160) & (frame["benchmark"] == "cswitch")]
    (row,) = at_160.to_dict("records")
    (speed,) = osgap.load_run(LOCKED / "lab/160mhz").R(benchmark="cswitch", clock_mhz=160)["R"]
    assert row["simulated"] == "no"
    assert row["relative_low"] <= speed <= row["relative_high"]


def test_a_wrong_prediction_is_a_sentence(lab: osgap.LoadedRun) -> None:
    with pytest.raises(OsgapError, match="clok: unknown key"):
        lab.predict(clok=160)
    with pytest.raises(OsgapError, match="table: found 'mean'; allowed: 'predicted', 'means'"):
        lab.predict("mean")
    with pytest.raises(OsgapError, match="machines: found beside clock_mhz"):
        lab.predict(clock_mhz=160, machines=["base"])


def test_what_is_no_run_is_a_sentence_and_a_missing_file(tmp_path: Path) -> None:
    for error in (OsgapError, ResultsError, FileNotFoundError):
        with pytest.raises(error, match=r"nothing: no such directory$"):
            osgap.load_run(tmp_path / "nothing")
    with pytest.raises(FileNotFoundError, match=r"lob: no such directory; did you mean .*/lab\?"):
        osgap.load_run(LOCKED / "lob")
    with pytest.raises(FileNotFoundError, match="folder of 2 runs; allowed: one of gem5, rvsim"):
        osgap.load_run(LOCKED / "prediction/latency-bandwidth")
    with pytest.raises(FileNotFoundError, match=r"has no run\.json in or below it"):
        osgap.load_run(tmp_path)


def test_runs_lists_what_can_be_loaded(tmp_path: Path) -> None:
    listed = osgap.runs(LOCKED)
    (row,) = listed[listed["name"] == "three-clocks"].to_dict("records")
    assert (row["machine"], row["variant"], row["points"]) == ("base", "default", 9)
    assert osgap.load_run(row["path"]).name == "three-clocks"
    assert len(osgap.runs()) >= len(listed)
    with pytest.raises(FileNotFoundError):
        osgap.runs(tmp_path)


def test_names_are_there_for_completion() -> None:
    assert {"load_run", "runs", "LoadedRun"} <= set(dir(osgap)) & set(osgap.__all__)
    assert all(hasattr(osgap, name) for name in osgap.__all__)


def test_importing_osgap_brings_nothing_else() -> None:
    code = (
        "import sys, osgap, osgap.base.errors; "
        "print(sorted({'pandas', 'pydantic', 'numpy'} & set(sys.modules)), hasattr(osgap, 'x'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["[]", "False"]


@pytest.mark.slow
def test_the_documents_examples_run() -> None:
    if not DOCUMENT.is_file():
        pytest.skip("docs/tutorial/notebooks.md is not there")
    blocks = BLOCK.findall(DOCUMENT.read_text(encoding="utf-8"))
    assert blocks
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
