# SPDX-License-Identifier: BSD-3-Clause
"""`osgap board`: its tables, its figure, a real board beside the simulated, its refusals."""

import json
from pathlib import Path

import measured
import pandas as pd
import pytest
from board_runs import measured_times, write_board
from synthetic import FILES, Bench

from osgap.cli.main import main
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs
from osgap.suites.boards import results
from osgap.suites.boards.native import native_table
from osgap.suites.boards.simulated import simulated_boards

SLOWER = 1.3


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The D1 in two layouts, SLOWER times as slow as measured, a tenth apart."""
    folder = tmp_path_factory.mktemp("boards")
    for layout in range(2):
        factor = SLOWER * (1 + layout / 10)
        write_board(folder / f"d1-{layout}", "d1", layout=layout, slower=factor)
    return folder


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A measured machine in two rounds."""
    folder = tmp_path_factory.mktemp("native")
    words = ["--output", str(folder / "run")]
    assert main(["native", "--import", str(measured.file(folder, rounds=2)), *words]) == 0
    return folder / "run"


@pytest.mark.slow
def test_all_is_printed_written_and_drawn(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["board", "d1", str(runs), "--output", str(tmp_path / "out")]) == 0
    out = capsys.readouterr().out
    assert (
        "rvsim with the image distro predicts 21 rows of the operating system (Allwinner D1): "
        in out
    )
    assert "over rows and layouts" in out and "rows that the machine files are" not in out
    assert "Allwinner D1: not comparable, not counted" in out
    assert out.splitlines()[-1].endswith("figures/predicted.png")
    files = {path.stem for path in (tmp_path / "out" / "tables").glob("*.csv")}
    assert files == {"board", "board_summary", "board_pairs", "board_rows"}
    assert {path.name for path in (tmp_path / "out" / "figures").iterdir()} == {
        "predicted.svg",
        "predicted.png",
    }


def test_named_tables_alone_are_printed(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--table", "board_summary", "--format", "json"]
    assert main(["board", "d1", str(runs), *words]) == 0
    summary = {row["role"]: row for row in json.loads(capsys.readouterr().out)}
    assert summary["prediction"]["ratio"] == pytest.approx(SLOWER * 1.1**0.5, rel=1e-3)
    assert summary["prediction"]["rows"] == 21 and summary["prediction"]["layouts"] == 2
    assert list(tmp_path.iterdir()) == []
    assert main(["board", "d1", str(runs), "--table", "board", "--table", "board_pairs"]) == 0
    assert "null call" in capsys.readouterr().out


def test_the_rows_need_no_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "all", "--table", "board_rows", "--format", "csv"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].startswith("board,row,kind,role,comparable,needs,unit,measured")
    assert {line.partition(",")[0] for line in table[1:]} == {"visionfive2", "p550", "d1"}
    assert main(["board", "d1", "--table", "board_rows"]) == 0
    assert "ramlat_1ptr_64KiB_ns" in capsys.readouterr().out


def test_a_suite_of_its_own_command(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["d1", str(runs), "--table", "board_summary"]
    assert main(["suite", "boards", *words]) == 0
    assert "within 1.5x" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["d2"], "board: found 'd2'; allowed: visionfive2, p550, d1, or all"),
        (["d1", "--table", "bord"], "--table: found 'bord'; did you mean board"),
        (["d1", "--format", "csv"], "format csv: found 2 tables; allowed: one at a time"),
        (["d1", "--table", "board_native"], "found board_native; allowed: with --native"),
        (["d1", "nowhere"], "nowhere"),
        (["d1", "{runs}", "--table", "board_rows"], "RUN: found beside --table board_rows"),
        (["all", "{runs}", "--native", "{native}"], "--native: found beside all; allowed: with"),
        (["p550", "{runs}"], "found a run of 'boards/d1' on rvsim; allowed: a simulated run of"),
        (["d1", "{runs}", "--native", "{runs}"], "found a run on rvsim; allowed: one of osgap"),
        (
            ["d1", "{runs}", "--native", "{native}", "--table", "board"],
            "--native: found with board; allowed: with board_native",
        ),
    ],
)
def test_refusals(
    words: list[str],
    told: str,
    runs: Path,
    native: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    filled = [word.format(runs=runs, native=native) for word in words]
    assert main(["board", *filled]) == 2
    assert told in capsys.readouterr().err


def test_without_committed_runs_a_run_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(results, "committed_folder", lambda: tmp_path / "none")
    assert main(["board", "all"]) == 2
    assert "none: there are no committed runs of boards; allowed: give a RUN" in (
        capsys.readouterr().err
    )


@pytest.mark.slow
def test_each_benchmark_of_a_real_board_stands_beside_the_simulated(
    native: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (real,) = load_runs([native])
    times = real.tables["times"].set_index("benchmark")
    getpid = times.loc["getpid", "ns_per_op"]
    copy = times.loc["bcopy_uncached"]
    benches = {
        "getpid": Bench("getpid", "us", 2 * getpid, count=10000),
        # Other working sets: a byte takes three times as long.
        "bcopy_uncached": Bench(
            "bcopy_uncached", "MB/s", 3 * copy["ns_per_op"] / copy["bytes"] * 4096, bytes=4096
        ),
        "create_delete_0": Bench("create_delete_0", "ms", 1e6, fs=FILES, count=5),
        **{k: v for k, v in measured_times("d1").items() if k == "syscall_null"},
    }
    for layout in range(2):
        write_board(tmp_path / f"run-{layout}", "d1", layout=layout, benches=benches)
    words = ["board", "d1", str(tmp_path), "--native", str(native), "--format", "json"]
    assert main([*words, "--table", "board_native"]) == 0
    rows = pd.DataFrame(json.loads(capsys.readouterr().out)).set_index(["benchmark", "fs"])
    assert rows.loc[("getpid", "none"), "ratio"] == pytest.approx(2, rel=1e-3)
    assert rows.loc[("getpid", "none"), "measured"] == pytest.approx(getpid / 1e3, rel=1e-3)
    assert rows.loc[("getpid", "none"), "predicted"] == pytest.approx(2 * getpid / 1e3, rel=1e-3)
    assert rows.loc[("bcopy_uncached", "none"), "ratio"] == pytest.approx(3, rel=1e-3)
    rate = rows.loc[("bcopy_uncached", "none")]
    assert rate["predicted"] == pytest.approx(rate["measured"] / 3, rel=1e-3)
    assert rate["unit"] == "MB/s" and rate["measured_low"] <= rate["measured"]
    assert rows.loc[("integer_mix", "none"), "unit"] == "us"
    assert {fs for name, fs in rows.index if name == "create_delete_0"} == {"unix", "sprite"}
    assert "empty_loop" not in rows.index.get_level_values(0)
    # No published row, and no benchmark that was not measured.
    assert "syscall_null" not in rows.index.get_level_values(0)
    interval = rows.loc[("getpid", "none"), ["ratio_low", "ratio", "ratio_high"]]
    assert interval.is_monotonic_increasing and interval.is_unique
    assert (
        main(["board", "d1", str(tmp_path), "--native", str(native), "--table", "board_native"])
        == 0
    )
    assert "beside Allwinner D1 on rvsim, distro" in capsys.readouterr().out


def test_a_real_board_with_nothing_in_common_is_refused(native: Path, tmp_path: Path) -> None:
    few = {k: v for k, v in measured_times("d1").items() if k == "syscall_null"}
    simulated = simulated_boards(
        load_runs([write_board(tmp_path / "a", "d1", benches=few)]), ["d1"]
    )
    own = [type(one)(one.board, one.engine, one.image, {0: {}}) for one in simulated]
    with pytest.raises(ResultsError, match="has no benchmark that was simulated on d1"):
        native_table("d1", load_runs([native]), own)
