# SPDX-License-Identifier: BSD-3-Clause
"""`osgap import`: a run that every command reads, with the text's numbers; its refusals."""

import json
from pathlib import Path

import pandas as pd
import pytest
from board_runs import write_board
from foreign_texts import LMBENCH, UNIXBENCH, lmbench_summary, sbc_bench
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from osgap.base import durable
from osgap.base.errors import OsgapError
from osgap.cli.main import main
from osgap.imports.programs import LMBENCH as OF_LMBENCH
from osgap.imports.programs import PROGRAMS, TextPart, parse
from osgap.rundir.archive import lock
from osgap.rundir.load import load_run
from osgap.suites import analyze, load_runs

TEXTS = {
    "lmbench": LMBENCH,
    "unixbench": UNIXBENCH,
    "sbc-bench": sbc_bench(),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of each program's text."""
    folder = tmp_path_factory.mktemp("imported")
    for program, text in TEXTS.items():
        (folder / f"{program}.txt").write_text(text)
        words = [program, str(folder / f"{program}.txt"), "--output", str(folder / program)]
        assert main(["import", *words, "--name", "board", "--one-core"]) == 0
    return folder


def test_every_value_is_printed_with_its_benchmark(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "report").write_text(UNIXBENCH)
    assert main(["import", "unixbench", str(tmp_path / "report"), "--output", str(tmp_path)]) == 2
    assert "holds 'report', and osgap has not written it" in capsys.readouterr().err
    words = ["unixbench", str(tmp_path / "report"), "--output", str(tmp_path / "run")]
    assert main(["import", *words]) == 0
    out = capsys.readouterr().out.splitlines()
    (pipe,) = (line for line in out if line.startswith("| Pipe Throughput  "))
    assert [cell.strip() for cell in pipe.split("|")[2:5]] == [
        "400000",
        "loops/s",
        "byte/pipe_throughput",
    ]
    (switch,) = (line for line in out if "Pipe-based" in line)
    assert "on several cores" in switch and "| -" in switch
    assert out[-2:] == [
        "4 of 10 values are of benchmarks of ours",
        f"finished: {tmp_path / 'run'}",
    ]
    assert main(["import", *words]) == 2
    assert "run: holds a run; allowed: a new or empty directory" in capsys.readouterr().err


def test_it_is_a_measured_run_of_one_point(runs: Path) -> None:
    run = load_run(runs / "unixbench")
    (point,) = run.points.values()
    assert not run.is_simulated and point.record.machine == "board"
    assert point.record.axes.clock_mhz == 1250 and point.record.orders.rounds == 1
    assert point.record.resolved.clock_origin == "rated"
    assert (point.path / "console.txt").read_text() == UNIXBENCH
    sweep = json.loads((runs / "unixbench" / "run.json").read_text())["sweep"]
    assert sweep["sha256"] == durable.sha256(runs / "unixbench.txt")
    assert sweep["description"] == (
        f"values of UnixBench 5.1.3, imported from a file of SHA-256 {sweep['sha256'][:12]}..."
    )


@pytest.mark.parametrize(
    ("program", "benchmark", "value"),
    [
        ("unixbench", "pipe_throughput", 2.5),
        ("unixbench", "spawn", 0.5),
        ("unixbench", "execl", 0.8),
        ("unixbench", "context1", 20.0),
        ("lmbench", "syscall_null", 0.25),
        ("lmbench", "ctxsw_2", 8.0),
        ("lmbench", "tcp_bandwidth_512k", 400.0),
        ("lmbench", "latency_l1", 2.4),
        ("sbc-bench", "memcpy", 500.0),
        ("sbc-bench", "chase_16k", 2.5),
    ],
)
def test_the_result_is_the_texts(runs: Path, program: str, benchmark: str, value: float) -> None:
    times = analyze(load_run(runs / program))["times"].set_index("benchmark")
    assert times.loc[benchmark, "median"] == pytest.approx(value, rel=1e-9)
    assert times.loc[benchmark, "batches"] == 1


def test_all_values_are_kept(runs: Path) -> None:
    (file,) = (runs / "lmbench").glob("points/*/values.csv")
    table = pd.read_csv(file, keep_default_na=False).set_index("metric")
    assert len(table) == 33
    assert table.loc["null_syscall_us", "benchmark"] == "boards/syscall_null"
    assert table.loc["sig_handler_us", "benchmark"] == ""
    assert table.loc["sig_handler_us", "note"].startswith("of several benchmarks")


def test_no_interval_is_invented(runs: Path) -> None:
    assert "intervals" not in analyze(load_run(runs / "lmbench"))


@pytest.mark.slow
def test_other_commands_read_it(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "slow").write_text(sbc_bench().replace("Measured: 1200", "Measured: 900"))
    words = ["sbc-bench", str(tmp_path / "slow"), "--output", str(tmp_path / "other")]
    assert main(["import", *words]) == 0
    run = runs / "sbc-bench"
    assert main(["analyze", str(run), "--output", str(tmp_path / "tables")]) == 0
    assert "times: every benchmark" in capsys.readouterr().out
    assert main(["show", str(run), "times", "benchmark=memcpy"]) == 0
    # Two real machines are compared whatever their clocks are.
    words = [str(run), str(tmp_path / "other"), "--output", str(tmp_path / "compared")]
    assert main(["compare", *words]) == 0
    out = capsys.readouterr().out
    assert "time b/a" in out and "R b/a" not in out and "nan" not in out
    assert [path.name for path in (tmp_path / "compared" / "figures").glob("*.svg")] == [
        "agreement.svg"
    ]
    assert main(["report", str(run), "--output", str(tmp_path / "page.html")]) == 0
    assert "imported from a file of SHA-256" in (tmp_path / "page.html").read_text()


def test_an_accepted_run_keeps_its_values(runs: Path, tmp_path: Path) -> None:
    lock(runs / "lmbench", tmp_path / "lmbench")
    (run,) = load_runs([tmp_path / "lmbench"])
    assert len(run.tables["times"]) == 19


def test_its_values_stand_beside_a_boards_predictions(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_board(tmp_path / "d1", "d1")
    words = ["d1", str(tmp_path / "d1"), "--native", str(runs / "lmbench")]
    assert main(["board", *words, "--table", "board_imported", "--format", "json"]) == 0
    rows = {row["row"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["null call"]["measured"] == 0.25 and rows["null call"]["unit"] == "us"
    assert rows["null call"]["predicted"] == pytest.approx(0.61)
    assert rows["null call"]["ratio"] == pytest.approx(0.61 / 0.25)
    # One that a difference predicts, and one of two metrics.
    assert rows["signal handled"]["measured"] == 4.0 and rows["signal handled"]["ratio"] > 0
    assert rows["protection fault"]["measured"] == pytest.approx(4.3)
    assert rows["files created and deleted, empty"]["comparable"] == "no"
    # It has no value of null I/O, whose two parts are single rows of the text.
    assert "null I/O" not in rows
    assert main(["board", *words]) == 0
    out = capsys.readouterr().out
    assert f"{runs / 'lmbench'} beside Allwinner D1: predicted, and predicted by" in out
    assert f"{runs / 'lmbench'} beside Allwinner D1 on rvsim, distro" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["bench", "{unixbench}"], "program: found 'bench'; allowed: lmbench, unixbench, sbc-"),
        (["unixbench", "nowhere"], "nowhere: cannot be read: No such file or directory"),
        (["lmbench", "{unixbench}"], "allowed: a file of lmbench 3's results"),
        (["unixbench", "{unixbench}", "--host", "a"], "--host: found with unixbench; allowed"),
        (["lmbench", "{lmbench}", "--cpu", "0"], "--cpu: found with lmbench; allowed: with sbc-"),
        (["lmbench", "{lmbench}", "--cpu-mhz", "nan"], "clock: found nan MHz; allowed: --cpu-"),
        (["unixbench", "{clockless}"], "clock: found none; allowed: --cpu-mhz MHZ, from 1 to"),
        (["unixbench", "{rowless}"], "found 1 value, none of an operation that a benchmark"),
    ],
)
def test_refusals(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = UNIXBENCH.splitlines(keepends=True)
    texts = {
        "lmbench": LMBENCH,
        "unixbench": UNIXBENCH,
        "clockless": UNIXBENCH.replace(" @ 1.25GHz", ""),
        "rowless": "".join(row for row in rows if "samples" not in row or "Whetstone" in row),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    filled = [word.format(**{name: tmp_path / name for name in texts}) for word in words]
    assert main(["import", *filled, "--output", str(tmp_path / "run")]) == 2
    err = capsys.readouterr().err
    assert told in err and err.count("\n") == 1
    assert not (tmp_path / "run").exists()


def _mutated(text: str, cuts: list[tuple[int, int, str]]) -> str:
    for start, length, instead in cuts:
        start %= len(text) + 1
        text = text[:start] + instead + text[start + length :]
    return text


CUTS = st.lists(
    st.tuples(st.integers(0, 5000), st.integers(0, 200), st.text(max_size=8)), max_size=4
)


@pytest.mark.parametrize("program", PROGRAMS)
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(cuts=CUTS, is_summary=st.booleans())
def test_no_text_breaks_it(
    program: str, cuts: list[tuple[int, int, str]], is_summary: bool
) -> None:
    text = TEXTS[program]
    if program == OF_LMBENCH and is_summary:
        text = lmbench_summary("one")
    try:
        parsed = parse(program, _mutated(text, cuts), "here", TextPart())
    except OsgapError as error:
        assert str(error).startswith("here")
    else:
        assert parsed.readings and all(0 < reading.value < 1e15 for reading in parsed.readings)


@pytest.mark.parametrize("program", PROGRAMS)
@given(content=st.binary(max_size=300))
def test_no_bytes_break_it(
    program: str, content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / "bytes"
    file.write_bytes(content)
    assert main(["import", program, str(file)]) == 2


def test_the_figure_of_an_imported_run_has_its_times(tmp_path: Path) -> None:
    text = tmp_path / "sbc.txt"
    text.write_text(sbc_bench())
    run = tmp_path / "run"
    assert main(["import", "sbc-bench", str(text), "--output", str(run)]) == 0
    assert main(["analyze", str(run)]) == 0
    assert main(["plot", str(run)]) == 0
    assert {path.stem for path in (run / "figures").iterdir()} == {"measured_times"}
    assert main(["plot", str(run), "--figure", "since_1990"]) == 2
