# SPDX-License-Identifier: BSD-3-Clause
"""The rows of boards.toml: complete, consistent with the values, and refused where they are not."""

import shutil
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.analysis.reference import load_reference
from osgap.base.config import ConfigError
from osgap.base.paths import project_root
from osgap.image.benchmarks import declared
from osgap.rundir.csvfile import ResultsError
from osgap.suites.boards.rows import BoardRow, boards_of, load_rows
from osgap.suites.boards.units import UNITS, drawn_us, time_ns, value_of

REFERENCE = project_root() / "results" / "reference"
BOARDS = ["visionfive2", "p550", "d1"]
ROW = """
[[row]]
board = "d1"
name = "null call"
metric = "null_syscall_us"
benchmark = "boards/syscall_null"
kind = "system"
role = "prediction"
comparable = true
program = "getppid"
"""


@pytest.fixture(scope="module")
def rows() -> list[BoardRow]:
    return load_rows()


@pytest.fixture(scope="module")
def values() -> pd.DataFrame:
    return load_reference("board_values")


def test_every_measured_value_is_in_a_row(rows: list[BoardRow], values: pd.DataFrame) -> None:
    have = {
        (board, metric) for board, metric in zip(values["board"], values["metric"], strict=True)
    }
    assert {(row.board, metric) for row in rows for metric in row.metrics} == have
    assert boards_of(rows) == BOARDS


def test_no_value_is_there_twice(values: pd.DataFrame) -> None:
    where = ["board", "machine", "os", "metric", "source"]
    assert not values.duplicated(where).any()
    assert (values[["source", "os", "unit"]] != "").all(axis=None)


def test_each_benchmark_is_in_workloads(rows: list[BoardRow]) -> None:
    sources = project_root().glob("workloads/*/*.c")
    known = {f"{p.parent.name}/{name}" for p in sources for name in declared(p.read_text())}
    assert {name for row in rows for name in row.terms} - known == set()


def test_a_row_that_does_not_count_says_why(rows: list[BoardRow]) -> None:
    assert [row.name for row in rows if not row.comparable and not row.why] == []
    assert [row.name for row in rows if row.comparable and not row.terms] == []
    assert [row.name for row in rows if row.terms and not row.program] == []


def test_repeats_are_one_value_with_a_spread(rows: list[BoardRow]) -> None:
    by_name = {(row.board, row.name): row for row in rows}
    calls = by_name["visionfive2", "five calls"].measured
    assert calls.value == pytest.approx((555476.9 * 558193.3) ** 0.5)
    assert (calls.low, calls.high, calls.count) == (555476.9, 558193.3, 2)
    # One system's value, beside the spread of all.
    copy = by_name["p550", "memcpy"].measured
    assert (copy.value, copy.low, copy.high) == pytest.approx((4570.8, 1146.8, 4570.8))
    fault = by_name["d1", "protection fault"].measured
    assert fault.value == pytest.approx(15.7 + 0.145) and fault.count == 1


def test_an_image_decides_what_counts(rows: list[BoardRow]) -> None:
    (spawn,) = (row for row in rows if row.name == "process created" and row.board == "p550")
    assert spawn.counts_on("distro") and not spawn.counts_on("default")
    (call,) = (row for row in rows if row.name == "null call" and row.board == "d1")
    assert call.counts_on("distro") and call.counts_on("default")
    (before,) = (row for row in rows if row.name == "null call, before the patch")
    assert not before.counts_on("distro")


def test_benchmarks_are_told_with_their_factors(rows: list[BoardRow]) -> None:
    by_name = {row.name: row for row in rows if row.board == "d1"}
    assert by_name["null call"].benchmark == "boards/syscall_null"
    handled = "1 x boards/signal_catch -1 x boards/signal_send"
    assert by_name["signal handled"].benchmark == handled


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('metric = "null_', 'metric = "nul_', "there is no value 'nul_syscall_us'; did you mean"),
        ('"d1"', '"d2"', "row 'null call' of d2: metric: there is no value"),
        (
            'metric = "',
            'os = "BSD"\nmetric = "',
            "there is no system 'BSD'; known: Linux 6.1.0-rc3",
        ),
        ('"null_syscall_us"', '["null_syscall_us", "l1_ns"]', "found units us, ns; allowed: one"),
        ('"null_syscall_us"', '"7zip_1t_MIPS"', "metric: found the unit 'MIPS'; allowed: ns, us"),
        ('"null_syscall_us"', '["bw_tcp_MBps", "mem_read_MBps"]', "2 metrics of a rate; allowed"),
        ("boards/syscall_null", "syscall_null", "benchmark"),
        ('"boards/syscall_null"', "{}", "benchmark"),
        ("true", "false", "comparable: found false; allowed: with why"),
        ('"prediction"', '"source"', "found source of a system row; allowed: prediction of a"),
        ('"system"', '"user"', "found prediction of a user row; allowed"),
        ('"system"', '"kernel"', "kind"),
        ('"d1"', '["d1", "d1"]', "row 'null call' of d1: is there twice"),
        ('"d1"', "[]", "board"),
        ("comparable", "compared", "compared"),
        ('kind = "', 'operations = 0\nkind = "', "operations"),
    ],
)
def test_a_wrong_row_is_refused(tmp_path: Path, old: str, new: str, told: str) -> None:
    shutil.copy(REFERENCE / "board_values.csv", tmp_path)
    assert old in ROW
    (tmp_path / "boards.toml").write_text(ROW.replace(old, new, 1))
    with pytest.raises(ConfigError) as error:
        load_rows(tmp_path)
    assert told in str(error.value) and str(tmp_path / "boards.toml") in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (",0.61,", ",fast,", "value: found 'fast'; allowed: a number above 0"),
        (",0.61,", ",0,", "value: found '0.0'; allowed: a number above 0"),
        (",0.61,", ",-1,", "value: found '-1.0'; allowed: a number above 0"),
        ("metric,value", "metric,number", "has no column value"),
    ],
)
def test_a_wrong_value_is_refused(tmp_path: Path, old: str, new: str, told: str) -> None:
    text = (REFERENCE / "board_values.csv").read_text()
    (tmp_path / "board_values.csv").write_text(text.replace(old, new, 1))
    (tmp_path / "boards.toml").write_text(ROW)
    with pytest.raises(ConfigError, match=told):
        load_rows(tmp_path)


def test_values_in_two_units_are_refused(tmp_path: Path) -> None:
    text = (REFERENCE / "board_values.csv").read_text()
    line = next(line for line in text.splitlines() if ",null_syscall_us,0.61," in line)
    more = line.replace("0.61,us", "610,ns").replace("6.1.0", "6.1.1")
    (tmp_path / "board_values.csv").write_text(f"{text}{more}\n")
    (tmp_path / "boards.toml").write_text(ROW)
    with pytest.raises(ConfigError, match="null_syscall_us: found units us, ns; allowed: one"):
        load_rows(tmp_path)


@given(st.sampled_from(sorted(UNITS)), st.floats(1e-6, 1e12))
def test_a_value_is_a_time_and_back(unit: str, value: float) -> None:
    assert value_of(time_ns(value, unit), unit) == pytest.approx(value)
    # The better value is the shorter time.
    assert (time_ns(2 * value, unit) < time_ns(value, unit)) == UNITS[unit].is_rate


@pytest.mark.parametrize(
    ("value", "unit", "ns", "drawn"),
    [
        (2.5, "ns", 2.5, 0.0025),
        (0.61, "us", 610, 0.61),
        (500000, "loops/s", 2000, 2),
        (600, "loops/min", 1e8, 1e5),
        (100, "MWIPS", 1e6, 1000),
        (1000, "MB/s", 1, 1.024),
        (1e6, "KiB/s", 1000 / 1024, 1),
    ],
)
def test_the_time_of_a_value(value: float, unit: str, ns: float, drawn: float) -> None:
    assert time_ns(value, unit) == pytest.approx(ns)
    assert drawn_us(value, unit) == pytest.approx(drawn)


def test_an_unknown_unit_is_refused() -> None:
    with pytest.raises(ResultsError, match="unit: found 'iter/s'; allowed: ns, us"):
        time_ns(1, "iter/s")
