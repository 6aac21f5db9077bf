# SPDX-License-Identifier: BSD-3-Clause
"""Other publications' suites in the means, the printed summary and the scaling figure."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from suite_runs import CHECKS, byte, mcvoy, write_part
from synthetic import BENCHES, Bench

from osgap.analysis.reference import load_reference
from osgap.analysis.runs import machine_labels, placed_points
from osgap.drawing.display_names import benchmark_name
from osgap.drawing.figure import discover
from osgap.figures import OF_A_RUN
from osgap.printing.formats import render
from osgap.printing.tables import notes
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.directory import run_directories
from osgap.rundir.load import load_run
from osgap.suites import analyze, load_runs
from osgap.suites.hohmuth.benchmarks import MCVOY, MCVOY_MEMORY, MCVOY_ROWS
from osgap.suites.hohmuth.runs import measured_lines
from osgap.suites.raveling.benchmarks import BYTE_ROWS


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pd.DataFrame]:
    tmp_path = tmp_path_factory.mktemp("run")
    benches = {bench.name: bench for bench in (*mcvoy(), *byte())}
    run = write_part(tmp_path / "run", tuple(benches.values()), clocks=(20, 80))
    return analyze(load_run(run))


def test_a_mean_is_of_what_the_operating_system_does(tables: dict[str, pd.DataFrame]) -> None:
    geomeans = tables["geomean"].set_index(["set", "series", "clock_mhz"])
    assert geomeans.loc[("mcvoy", "fixed", 80.0), "of"] == 16
    assert geomeans.loc[("byte", "fixed", 80.0), "of"] == 7 + 2 * 9 + 4
    assert geomeans.loc[("byte", "fixed", 80.0), "not_run"] == ""
    assert geomeans.loc[("mcvoy", "both", 80.0), "geomean"] == pytest.approx(1, rel=1e-3)
    assert 0.25 < geomeans.loc[("mcvoy", "fixed", 80.0), "geomean"] < 1
    relatives = tables["relative"]
    own = relatives[(relatives["series"] == "fixed") & (relatives["clock_mhz"] == 80)]
    chosen = own[own["benchmark"].isin(MCVOY)]["relative"]
    mean = np.exp(np.log(chosen).mean())
    assert geomeans.loc[("mcvoy", "fixed", 80.0), "geomean"] == pytest.approx(mean)
    assert not set(MCVOY) & set(MCVOY_MEMORY)


def test_every_row_has_an_elasticity(tables: dict[str, pd.DataFrame]) -> None:
    fits = tables["elasticity"][tables["elasticity"]["kind"] == "fit"]
    own = fits[fits["series"] == "both"].set_index("benchmark")["elasticity"]
    for name in MCVOY_ROWS + BYTE_ROWS:
        assert np.atleast_1d(own.loc[name]) == pytest.approx(-1, abs=0.02)


def test_a_switch_is_a_hop_less_the_same_hop_of_one_process(tmp_path: Path) -> None:
    hops = {"ctxsw_2": 9000.0, "ctxsw_8": 2000.0}
    benches = [*CHECKS, *(Bench(name, "us", cost) for name, cost in hops.items())]
    benches += [Bench(f"ctxsw_overhead_{n}", "us", 4000.0) for n in (2, 8)]
    run = write_part(tmp_path / "run", tuple(benches), clocks=(20,))
    times = analyze(load_run(run))["times"].set_index("benchmark")
    assert times.loc["ctxsw_2", "ns_per_op"] == pytest.approx(5000)
    assert times.loc["ctxsw_2", "median"] == pytest.approx(5)
    assert times.loc["ctxsw_overhead_2", "ns_per_op"] == pytest.approx(4000)
    # It can come out below 0; then it is no time.
    assert times.loc["ctxsw_8", "ns_per_op"] == pytest.approx(-2000)
    (line,) = measured_lines(placed_points(load_runs([run])))
    assert line.values == {"ctxsw_2": pytest.approx(5)}


def test_a_run_without_them_has_no_rows_of_them(run_directory: Path) -> None:
    geomeans = analyze(load_run(run_directory))["geomean"]
    assert set(geomeans["set"]) == {"figure1", "figure1_bcopy", "figure1_phases"}


def test_the_summary_prints_each_set_that_was_run(tables: dict[str, pd.DataFrame]) -> None:
    text = render(tables, "summary")
    assert "MIPS-relative speed (R), Hohmuth 1996" in text
    assert "MIPS-relative speed (R), Raveling 1990" in text
    assert "Ousterhout" not in text
    assert not any("andrew" in note for note in notes(tables))
    assert text.count("clock, MHz") == 2


def test_the_scaling_figure_has_a_panel_a_suite(tables: dict[str, pd.DataFrame]) -> None:
    frames = {**tables, "reference/figure1_geomeans": load_reference("figure1_geomeans")}
    figure = discover(OF_A_RUN)["scaling"].draw(frames)
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == ["Hohmuth 1996: 16 rows", "Raveling 1990: 29 rows", "", ""]
    curves = {str(line.get_label()): line for line in figure.axes[0].get_lines()}
    both = np.asarray(curves["clock, memory and disk"].get_ydata(), dtype=float)
    assert both == pytest.approx([1, 1], rel=1e-3)
    dots = figure.axes[2]
    names = [label.get_text() for label in dots.get_yticklabels()]
    assert [name.partition(" (")[0] for name in names] == [
        benchmark_name(name).partition(" (")[0] for name in MCVOY_ROWS
    ]
    drawn = [line for line in dots.get_lines() if line.get_marker() not in ("None", None)]
    assert all(len(np.asarray(line.get_ydata())) == len(names) for line in drawn)
    assert len(figure.axes[3].get_yticklabels()) == 13 + 29


def test_the_figure_of_a_run_without_them_stays(tmp_path: Path) -> None:
    few = tuple(bench for bench in BENCHES if bench.name in ("integer_mix", "cswitch"))
    own = analyze(load_run(write_part(tmp_path / "run", few, clocks=(20, 80))))
    frames = {**own, "reference/figure1_geomeans": load_reference("figure1_geomeans")}
    (axes,) = discover(OF_A_RUN)["scaling"].draw(frames).axes
    assert "Ousterhout 1990, the same rows" in {str(line.get_label()) for line in axes.get_lines()}


def test_runs_are_found_below_a_directory(tmp_path: Path) -> None:
    few = mcvoy()[:4]
    one = write_part(tmp_path / "sweep" / "a", few, variant="musl", clocks=(20,))
    other = write_part(tmp_path / "sweep" / "b" / "c", few, calls="sud-first", clocks=(20,))
    assert run_directories([tmp_path / "sweep", one]) == [one, other]
    runs = load_runs([one, other])
    assert [(run.variant, run.calls) for run in runs] == [
        ("musl", "direct"),
        ("default", "sud-first"),
    ]
    every = placed_points(runs)
    assert {machine_labels(every)[point] for point in every} == {"base"}
    with pytest.raises(ResultsError, match=r"has no run\.json in or below it"):
        run_directories([tmp_path / "sweep" / "a" / "points"])
    assert not (one / "tables").exists()
