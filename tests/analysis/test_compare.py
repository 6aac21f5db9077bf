# SPDX-License-Identifier: BSD-3-Clause
"""Two runs side by side: ratios known from their models, and a band on every curve."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PolyCollection
from synthetic import BENCHES, EMPTY_NS, Bench, parts, write_run

from osgap.analysis.compare import Side, compare, notes
from osgap.base.paths import project_root
from osgap.drawing.figure import discover
from osgap.figures import OF_TWO_RUNS
from osgap.printing import images
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.load import load_run
from osgap.suites import analyze

FEW = {"empty_loop", "integer_mix", "getpid", "cswitch", "read", "create_delete_0"}


def slower_memory(series: str, clock: float, bench: Bench) -> tuple[float, float, float]:
    """The synthetic machine with memory half as fast, and a processor that takes 1.1 the time."""
    cpu, memory, disk = parts(series, clock, bench)
    return cpu * 1.1, memory * 2, disk


def _write_pair(folder: Path) -> tuple[Path, Path]:
    benches = tuple(bench for bench in BENCHES if bench.name in FEW)
    first = write_run(folder / "first", benches=benches)
    return first, write_run(folder / "second", benches=benches, parts=slower_memory)


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    return _write_pair(tmp_path)


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pd.DataFrame]:
    """The tables of the comparison of such a pair."""
    pair = _write_pair(tmp_path_factory.mktemp("pair"))
    first, second = (analyze(load_run(path)) for path in pair)
    return compare(Side("first", first), Side("second", second))


def _row(frame: pd.DataFrame, name: str, clock: float, series: str = "fixed") -> pd.Series:
    where = (frame["benchmark"] == name) & (frame["clock_mhz"] == clock)
    return frame[where & (frame["series"] == series)].iloc[0]


def test_time_ratios_are_of_times_for_rates_too(compared) -> None:
    rows = compared["compared"]
    assert _row(rows, "getpid", 20)["time_ratio"] == pytest.approx(1.1, rel=0.01)
    read = next(bench for bench in BENCHES if bench.name == "read")
    cpu, memory = read.cpu / 16, read.memory
    expected = (1.1 * cpu + 2 * memory) / (cpu + memory)
    assert _row(rows, "read", 320)["time_ratio"] == pytest.approx(expected, rel=0.01)
    assert cpu > EMPTY_NS


def test_r_and_its_distance(compared) -> None:
    row = _row(compared["compared"], "read", 320)
    assert row["relative_difference"] == row["relative_b"] - row["relative_a"]
    read = next(bench for bench in BENCHES if bench.name == "read")

    def r(processor: float, memory: float) -> float:
        slow, fast = (processor * read.cpu / speed + memory * read.memory for speed in (1, 16))
        return slow / fast / 16

    assert row["relative_a"] == pytest.approx(r(1, 1), rel=0.01)
    assert row["relative_b"] == pytest.approx(r(1.1, 2), rel=0.01)


def test_elasticities_and_means_stand_side_by_side(compared) -> None:
    tables = compared
    slopes = tables["slopes"].set_index(["series", "benchmark", "fs"])
    assert slopes.loc[("fixed", "getpid", "none"), "difference"] == pytest.approx(0, abs=0.01)
    assert slopes.loc[("fixed", "cswitch", "none"), "difference"] > 0.1
    assert (tables["means"]["ratio"].dropna() <= 1.001).all()


@pytest.mark.slow
def test_work_is_instructions_and_the_busy_cycles_of_each(pair, compared) -> None:
    work = compared["work"]
    row = _row(work, "create_delete_0", 320)
    samples, points = (analyze(load_run(pair[0]))[name] for name in ("samples", "points"))
    series = points[(points["series"] == "fixed") & (points["clock_mhz"] == 320)]
    own = samples[(samples["key"] == series["key"].iloc[0]) & (samples["fs"] == row["fs"])]
    own = own[own["benchmark"] == "create_delete_0"]
    busy = (own["cycles"] - own["idle_cycles"]) / own["insts"]
    assert row["busy_cpi_a"] == pytest.approx(busy.median())
    assert 0 < row["busy_cpi_a"] < (own["cycles"] / own["insts"]).median()
    assert row["insts_ratio"] == row["insts_b"] / row["insts_a"] == pytest.approx(1)


def test_the_notes_count_what_lies_apart(compared) -> None:
    far, apart = notes(compared)
    assert "cswitch" in far and "read" in far and "getpid" not in far
    assert apart.startswith("R differs by more than 0.15")


def test_runs_without_a_common_point_are_refused(tmp_path: Path) -> None:
    benches = tuple(bench for bench in BENCHES if bench.name in FEW)
    paths = [
        write_run(tmp_path / "a", benches=benches, clocks=(20, 80)),
        write_run(tmp_path / "b", benches=benches, clocks=(40, 160)),
    ]
    sides = [Side(path.name, analyze(load_run(path))) for path in paths]
    with pytest.raises(ResultsError, match="no benchmark at the same clock"):
        compare(*sides)


def test_a_series_has_a_line_of_each_run_and_no_band(compared) -> None:
    tables = compared
    drawn = discover(OF_TWO_RUNS)
    assert set(drawn) == {"agreement", "relative", "relative_others", "scaling"}
    for name in ("relative", "scaling"):
        for axes in drawn[name].draw(tables).axes:
            if axes.get_visible():
                bands = [c for c in axes.collections if isinstance(c, PolyCollection)]
                curves = [line for line in axes.lines if len(np.asarray(line.get_xdata())) == 3]
                assert not bands and len(curves) == 8


@pytest.mark.long
def test_the_script_writes_tables_and_figures(pair, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "osgap", "compare", *pair, "--output", tmp_path / "out"],
        cwd=project_root(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "first (a) and second (b), clock only" in done.stdout
    names = {path.name for path in (tmp_path / "out" / "tables").iterdir()}
    assert names == {f"{n}.csv" for n in ("sides", "compared", "slopes", "means", "work")}
    assert len(list((tmp_path / "out" / "figures").glob("*.svg"))) == 4


def _with_kernel(run: Path, version: str) -> Path:
    record = json.loads((run / "run.json").read_text())
    record["image"] = {**record.get("image", {}), "kernel": {"version": version}}
    (run / "run.json").write_text(json.dumps(record))
    return run


def test_another_kernel_is_said(pair: tuple[Path, Path]) -> None:
    first, second = pair
    _with_kernel(first, "6.12.117")
    assert images.notes(first, _with_kernel(second, "6.12.118")) == [
        "another kernel: 6.12.117 in A, 6.12.118 in B"
    ]
    assert images.notes(first, _with_kernel(second, "6.12.117")) == []
