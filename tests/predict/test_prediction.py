# SPDX-License-Identifier: BSD-3-Clause
"""Committed sweeps are predicted from two of their points, and `osgap predict` says how well."""

import csv
import io
import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from synthetic import write_run

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.layouts.values import MEAN, TIME
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.predict import axes
from osgap.predict.errors import spreads
from osgap.predict.observations import observations
from osgap.predict.prediction import Prediction, only_run, predict_run
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs

ROOT = project_root()
LOCKED = ROOT / "results" / "locked"
MACHINES = ROOT / "configs" / "machines"


def settled(run: AnalysedRun) -> tuple[str, ...]:
    """The keys of the series `fixed` at 20 and 320 MHz."""
    points = run.tables["points"].query("memory == disk == 'fixed' and clock_mhz in (20, 320)")
    return tuple(points["key"].unique())


@pytest.fixture(scope="module", params=["default", "gem5"])
def made(request: pytest.FixtureRequest) -> Prediction:
    run = only_run(LOCKED / "curve" / request.param)
    return predict_run(run, {}, settled(run), MACHINES)


@pytest.mark.slow
def test_two_points_give_the_other_nineteen(made: Prediction) -> None:
    assert len(made.used) == 2 and made.errors["key"].nunique() == 19
    apart = made.errors.assign(size=made.errors["error"].abs())
    times = apart[apart["quantity"] == TIME]["size"]
    means = apart[apart["quantity"] == MEAN]["size"]
    assert times.median() < 0.01 and times.quantile(0.9) < 0.06
    assert means.median() < 0.01 and means.max() < 0.05


@pytest.mark.slow
def test_intervals_of_some_points_hold_at_others(made: Prediction) -> None:
    known = made.errors["clock_mhz"].isin([40, 160, 320])
    own = spreads(made.errors[known])
    others = made.errors[~known & (made.errors["quantity"] != TIME)]
    inside = [
        abs(row["error"])
        <= np.log(own[row["quantity"], row["set"], row["benchmark"], row["fs"]].factor)
        for row in others.to_dict("records")
    ]
    assert len(inside) > 200 and np.mean(inside) >= 0.9


@pytest.mark.slow
def test_a_grid_is_of_the_runs_machine_and_benchmarks(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["predict", str(LOCKED / "curve/quick" / "rvsim"), "--format", "csv"]
    assert main([*words, "--cpu-mhz", "30,500", "--latency-ns", "x1,50"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    # The run's slowest clock is there too, since R is relative to it.
    assert {row["clock_mhz"] for row in rows} == {"20", "30", "500"}
    assert {row["series"] for row in rows} == {"fixed", "fixed-lat50"}
    own = {row["benchmark"]: row for row in rows if row["clock_mhz"] == "500"}
    assert {"getpid", "andrew_total", "integer_mix"} <= own.keys()
    read = own["read"]
    assert float(read["low"]) < float(read["value"]) < float(read["high"])
    at_reference = [row for row in rows if row["clock_mhz"] == "20" and row["relative"]]
    assert all(row["relative"] == row["relative_low"] == "1" for row in at_reference)


def test_what_was_used_and_how_far_it_is_off_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    run = LOCKED / "curve/quick" / "rvsim"
    assert main(["predict", str(run), "--cpu-mhz", "640"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Predicted. ") and "\npredicted from 20mhz-" in said
    assert "errors at 3 points not used" in said
    assert (
        main(["predict", str(run), "--use", "20mhz", "--table", "means", "--format", "json"]) == 0
    )
    means = json.loads(capsys.readouterr().out)
    assert means and all(row["geomean"] for row in means)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--use", "999mhz"], "no finished point that begins with '999mhz'"),
        (["--cpu-mhz", "7.3.1"], "--cpu-mhz"),
        (["--cpu-mhz", "0"], "--cpu-mhz: found 0;"),
        (["--latency-ns", "x9999999"], "--latency-ns: found 'x9999999'"),
        (["--memory", "faster"], "memory"),
        (["--table", "relative"], "table: found 'relative'"),
        (["--sweep", "nothing"], "nothing"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["predict", str(LOCKED / "curve/quick" / "rvsim"), *words])
    except SystemExit as stop:
        status = int(str(stop.code))
    told = capsys.readouterr().err.splitlines()
    assert status == 2 and said in told[-1]
    assert [line for line in told if line.startswith("osgap predict: ")] == told[-1:]


@pytest.mark.slow
def test_with_layouts_an_interval_is_another_layouts() -> None:
    run = only_run(LOCKED / "curve/default")

    def width(lenders: list[Path]) -> dict[str, float]:
        use = settled(run)
        rows = predict_run(run, {"clock_mhz": [640]}, use, MACHINES, lenders).predicted
        rows = rows[(rows["clock_mhz"] == 640) & (rows["fs"] == "none")].set_index("benchmark")
        return dict(np.log(rows["relative_high"] / rows["relative_low"]))

    alone, other = width([]), width([LOCKED / "layouts/five-layouts"])
    assert other["cswitch"] > 3 * alone["cswitch"]
    assert other["getpid"] == pytest.approx(alone["getpid"], rel=0.1)


@pytest.mark.slow
def test_two_points_alone_have_the_intervals_of_another_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = LOCKED / "layouts/ten-layouts" / "rvsim" / "default"
    assert main(["predict", str(run), "--cpu-mhz", "80"]) == 0
    assert "no point of the run was simulated and not used: inter" in capsys.readouterr().out
    analysed = only_run(run)
    alone = predict_run(analysed, {"clock_mhz": [80]}, (), MACHINES).means
    lent = predict_run(
        analysed, {"clock_mhz": [80]}, (), MACHINES, prior=LOCKED / "prediction/latency-bandwidth"
    ).means
    assert alone[alone["clock_mhz"] == 80]["low"].isna().all()
    rows = lent[lent["clock_mhz"] == 80]
    assert (rows["low"] < rows["geomean"]).all() and (rows["geomean"] < rows["high"]).all()
    other = predict_run(
        analysed, {"clock_mhz": [80]}, (), MACHINES, prior=LOCKED / "curve/gem5"
    ).means
    assert other.equals(alone)


@pytest.mark.parametrize("column", ["idle_cycles", "stall_cycles", "bytes_read"])
def test_a_run_whose_engine_does_not_count_is_refused(tmp_path: Path, column: str) -> None:
    run = write_run(tmp_path / "run", clocks=(20, 80))
    (analysed,) = load_runs([run])
    samples = analysed.tables["samples"].assign(**{column: np.nan})
    with pytest.raises(ResultsError, match="allowed: a run on rvsim"):
        observations(analysed.run, samples)


def test_a_machine_file_with_other_caches_is_refused(
    tmp_path: Path,
) -> None:
    machines = tmp_path / "machines"
    shutil.copytree(MACHINES, machines)
    file = machines / "base.toml"
    file.write_text(file.read_text().replace("value = 32", "value = 64"))
    run = only_run(LOCKED / "curve/quick" / "rvsim")
    with pytest.raises(OsgapError, match=r"l1i: found .* simulate one point of this machine"):
        predict_run(run, {}, (), machines)


@pytest.mark.slow
def test_other_machines_are_predicted_relative_to_the_runs_slowest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["predict", str(LOCKED / "curve/quick" / "rvsim"), "--machine", "drawn/m01,drawn/m07"]
    assert main([*words, "--table", "means", "--format", "json"]) == 0
    rows = [row for row in json.loads(capsys.readouterr().out) if row["set"] == "figure1"]
    assert [row["machine"] for row in rows] == ["base", "drawn/m01", "drawn/m07"]
    assert rows[0]["geomean"] == 1 and all(0.1 < row["geomean"] < 0.6 for row in rows[1:])
    assert main([*words, "--cpu-mhz", "40"]) == 2
    assert "--cpu-mhz: found beside --machine" in capsys.readouterr().err


def test_a_machine_with_other_caches_or_a_slower_clock_is_refused() -> None:
    run = only_run(LOCKED / "curve/quick" / "rvsim")
    with pytest.raises(OsgapError, match=r"smp-1.toml: l2: found"):
        predict_run(run, {}, (), MACHINES, names=["smp-1"])
    with pytest.raises(OsgapError, match=r"base.toml: cpu.clock_mhz: found 20; allowed: over 20"):
        predict_run(run, {}, (), MACHINES, names=["base"])


def test_no_interval_is_narrower_than_its_rows_own_errors() -> None:
    rows = [("R", "", "read", "unix", error) for error in (0.1, -0.1, 0.1)]
    rows += [("R", "", "getpid", "none", 0.0)] * 30
    found = pd.DataFrame(rows, columns=["quantity", "set", "benchmark", "fs", "error"])
    own = spreads(found)
    assert own["R", "", "read", "unix"].factor > np.exp(0.1)
    assert own["R", "", "getpid", "none"].factor < own["R", "", "read", "unix"].factor


def test_no_grid_of_local_files_is_of_networks(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever axes sweeps have: their formula has the clock, memory and the disk."""
    quantities = ["clock_mhz", "latency_ns", "bandwidth_mb_s", "disk_speed"]
    assert [quantity.key for quantity in axes.QUANTITIES] == quantities
    assert axes.AXES == ("clock_mhz", "latency_ns", "bandwidth_mb_s", "memory", "disk")
    for option, value in (
        ("--network", "scaled"),
        ("--network-mbit-s", "100"),
        ("--network-delay-us", "1"),
    ):
        assert main(["predict", str(LOCKED / "curve/quick/rvsim"), option, value]) == 2
        told = capsys.readouterr().err
        assert f"{option}: found with" in told and "whose files no network moves; allowed" in told


def test_points_that_differ_in_a_cache_are_refused() -> None:
    analysed = only_run(LOCKED / "curve/quick" / "rvsim")
    keys = list(analysed.run.points)
    point = analysed.run.points[keys[-1]]
    system = point.record.system
    cache = system.l1d.model_copy(update={"ways": 2 * system.l1d.ways})
    record = point.record.model_copy(update={"resolved": system.model_copy(update={"l1d": cache})})
    run = replace(
        analysed.run, points={**analysed.run.points, keys[-1]: replace(point, record=record)}
    )
    with pytest.raises(ResultsError, match=f"point {keys[-1]}: l1d: found .*since a prediction"):
        observations(run, pd.DataFrame())
