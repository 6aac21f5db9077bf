# SPDX-License-Identifier: BSD-3-Clause
"""A measurement becomes a run that every command reads, and its numbers are those measured."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import measured
import pandas as pd
import pytest
from checkout import ROOT
from stderr import sentences
from streams import streams

from osgap.cli.main import main
from osgap.drawing import figure
from osgap.rundir.archive import lock
from osgap.rundir.load import load_run

MIPS = measured.MIX / 20.0 * (1 - 0.0025)
"""In the middle of the rounds times are 2.5 parts in a thousand longer."""


def osgap(*words: str | Path) -> tuple[int, str, str]:
    with streams() as (out, err):
        try:
            status = main([str(word) for word in words])
        except SystemExit as ended:
            status = int(str(ended.code))
    return status, out.text(), err.text()


@pytest.fixture
def undrawn() -> Iterator[None]:
    """No figure is drawn, which takes most of the time."""
    with patch.object(figure, "render", lambda *_, **_options: []):
        yield


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("native")
    status, out, err = osgap(
        "native", "--import", measured.file(folder), "--output", folder / "run", "--name", "board"
    )
    assert status == 0, err
    assert f"finished: {folder / 'run'}" in out
    return folder / "run"


def near(value: float) -> object:
    """Tables have six digits."""
    return pytest.approx(value, rel=1e-5)


def table(run: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(run / "tables" / f"{name}.csv")


def test_it_is_a_run_of_one_point(run: Path) -> None:
    loaded = load_run(run)
    (point,) = loaded.points.values()
    assert (point.record.engine, point.record.machine) == ("native", "board")
    assert point.record.axes.clock_mhz == 1500
    assert point.record.orders.rounds == measured.ROUNDS
    assert point.record.orders.sets["create_delete_0.sprite.count"] == 100
    assert loaded.series == {"fixed": {1500.0: point.record.key}}
    assert (point.path / "console.txt").read_text() == measured.text()


def test_the_rating_is_from_the_instructions_counted(run: Path) -> None:
    assert table(run, "points")["mips"].iloc[0] == pytest.approx(MIPS, rel=1e-5)


def test_every_median_has_its_interval(run: Path) -> None:
    own = table(run, "intervals").set_index(["benchmark", "fs"])
    assert len(own) == len(measured.BENCHES) + 1
    assert (own["low"] <= own["median"]).all() and (own["median"] <= own["high"]).all()
    # The rounds go from 0 to 5 parts in a thousand; the empty loop's own time is not subtracted
    # from the rating.
    getpid = own.loc["getpid", "none"]
    assert getpid["median"] == pytest.approx(0.2 * 1.0025, rel=1e-4)
    assert 0.002 < getpid["width"] <= 0.0051
    times = table(run, "times").set_index(["benchmark", "fs"])["median"]
    assert times.to_dict() == pytest.approx(own["median"].to_dict())


def test_r_is_times_as_fast_by_times_as_many_mips(run: Path) -> None:
    own = table(run, "since_1990").set_index("benchmark")
    getpid = own.loc["getpid"]
    # 207 us and 0.9 MIPS: Tables 2 and 1 of 1990.
    assert getpid["paper"] == 207 and getpid["fs"] == "none"
    assert getpid["faster"] == near(207 / getpid["value"])
    assert getpid["mips_ratio"] == near(MIPS / 0.9)
    assert getpid["relative"] == near(getpid["faster"] / getpid["mips_ratio"])
    assert getpid["kept_up"] == near(207 / getpid["mips_ratio"])
    bcopy = own.loc["bcopy_uncached"]
    assert bcopy["faster"] == near(bcopy["value"] / 3.3)
    assert bcopy["kept_up"] == near(3.3 * bcopy["mips_ratio"])
    assert own.loc["create_delete_0", "fs"] == "unix"
    assert (own["relative_low"] < own["relative"]).all()
    assert (own["relative"] < own["relative_high"]).all()


def test_figure_1_has_the_papers_machines_and_this_one(run: Path) -> None:
    means = table(run, "since_1990_means")
    assert len(means[means["source"] == "paper"]) == 10
    (own,) = means[means["source"] == "measured"].to_dict("records")
    speeds = table(run, "since_1990").set_index("benchmark")["relative"]
    assert own["rows"] == 7 and own["mips"] == pytest.approx(MIPS, rel=1e-5)
    assert own["geomean"] == near(speeds.prod() ** (1 / 7))
    reference = means[means["machine"] == "MVAX2"]["geomean"]
    assert reference.to_list() == pytest.approx([1.0])


@pytest.mark.long
def test_its_figures_are_drawn_and_no_others(run: Path) -> None:
    stems = {path.stem for path in (run / "figures").iterdir()}
    assert stems == {"since_1990", "figure1_measured", "measured_times"}
    (run / "figures" / "since_1990.svg").unlink()
    status, out, err = osgap("plot", run)
    assert status == 0, err
    assert str(run / "figures" / "since_1990.svg") in out


def test_analyze_shows_it_beside_1990(run: Path) -> None:
    status, out, _ = osgap("analyze", run)
    assert status == 0
    assert "board beside the MicroVAX II of 1990" in out and "R (sim)" in out
    status, out, _ = osgap("analyze", run, "--table", "intervals", "--format", "csv")
    assert status == 0 and out.startswith("key,benchmark,fs,metric,rounds,median,low,high,width")


@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
def test_a_repeat_is_compared_by_its_intervals(run: Path, tmp_path: Path) -> None:
    for name, slower in (("same", 1.0005), ("slower", 1.1)):
        file = measured.file(tmp_path, slower=slower, facts={"load": "0.1 0.2 0.3 1/2 3"})
        status, _, err = osgap("native", "--import", file, "--output", tmp_path / name)
        assert status == 0, err
    status, out, err = osgap("compare", run, tmp_path / "same", "--output", tmp_path / "a")
    assert status == 0, err
    assert "medians differ by more than the intervals do: none of 10 rows" in out
    status, out, _ = osgap("compare", run, tmp_path / "slower", "--output", tmp_path / "b")
    assert status == 0 and "medians differ by more than the intervals do: 10 of 10 rows" in out


@pytest.mark.long
@pytest.mark.usefixtures("few_resamples")
def test_the_papers_tables_have_it_too(run: Path, tmp_path: Path) -> None:
    words = ("paper", f"rvsim={ROOT / 'results/locked/paper/fitted-rvsim'}", "--native", run)
    status, out, err = osgap(*words, "--table", "means", "--output", tmp_path / "paper")
    assert status == 0, err
    assert "board beside the MicroVAX II of 1990" in out
    assert (tmp_path / "paper" / "figures" / "figure1.png").is_file()
    status, _, err = osgap("paper", "--native", ROOT / "results/locked/curve/quick/rvsim")
    assert status == 2 and "found a run on rvsim; allowed: on native" in err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("replay",), "native: is a real machine; osgap native measures it"),
        (("predict",), "found a measured machine (board); allowed: a simulated one"),
    ],
)
def test_what_only_a_simulated_machine_can_is_refused(
    run: Path, words: tuple[str, ...], sentence: str
) -> None:
    status, _, err = osgap(*words, run)
    assert status == 2
    assert sentence in sentences(err)[0]


def test_it_is_locked_and_read_in_place(run: Path, tmp_path: Path) -> None:
    lock(run, tmp_path / "locked")
    status, out, err = osgap("analyze", tmp_path / "locked", "--table", "since_1990")
    assert status == 0, err
    assert "board beside the MicroVAX II" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--import", "{file}", "--output", "{run}"), "holds a run; allowed: a new or empty"),
        (("--import", "{file}", "--seconds", "5"), "--seconds: found beside --import"),
        (("--bundle", "riscv64", "--scratch", "{folder}"), "--scratch: found beside --bundle"),
        (("--bundle", "riscv64", "--import", "{file}"), "--import: found beside --bundle"),
        (("--bundle", "sparc"), "--bundle: found 'sparc'; allowed: riscv64, arm64"),
        (("--import", "{none}"), "none: cannot be read"),
        (("--import", "{uncounted}"), "instructions: the machine counts them neither by perf"),
        (("--run", "ousterhout,ousterhout/getpid"), "run: found 'ousterhout/getpid' beside 'ous"),
        (("--run", "checks,checks"), "run: found 'checks' twice; allowed: each benchmark once"),
        (("--run", "ousterhouse"), "did you mean ousterhout or"),
        (("--import", "{file}", "--cpu", "1"), "--cpu: found beside --import"),
        (("--cpu", "9999"), "--cpu: found 9999; allowed: "),
        (("--scratch", "{none}"), "/none: no such directory"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    run: Path, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    (tmp_path / "x").mkdir()
    uncounted = measured.file(tmp_path / "x", mix="none", facts={"uname": "Linux 6.1 aarch64"})
    fill = {
        "file": measured.file(tmp_path),
        "run": run,
        "folder": tmp_path,
        "none": tmp_path / "none",
        "uncounted": uncounted,
    }
    given = [word.format(**fill) for word in words]
    if "--output" not in given and "--bundle" not in given:
        given += ["--output", str(tmp_path / "new")]
    status, _, err = osgap("native", *given)
    assert status == 2
    (said,) = sentences(err)
    assert sentence in said


@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
def test_a_board_that_cannot_count_has_the_guests_count(tmp_path: Path) -> None:
    file = measured.file(tmp_path, mix="none")
    status, _, err = osgap("native", "--import", file, "--output", tmp_path / "run")
    assert status == 0, err
    (point,) = load_run(tmp_path / "run").points.values()
    mix = point.record.resolved.mix  # type: ignore[union-attr]
    assert mix.counted_by == "guest" and 10_000 < mix.instructions < 100_000
