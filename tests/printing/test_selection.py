# SPDX-License-Identifier: BSD-3-Clause
"""Rows of any table: `osgap show`, its conditions, and its errors, which name what there is."""

import csv
import io
import json
from pathlib import Path

import pandas as pd
import pytest
from synthetic import FEW, write_run

from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.printing.selection import (
    across,
    find_table,
    meanings,
    select,
    with_positions,
    without_keys,
)
from osgap.rundir.archive import lock

LOCKED = project_root() / "results" / "locked"
LAB = LOCKED / "lab/three-clocks"
PAPER = LOCKED / "paper/fitted"
RELATIVE = find_table(LAB, "relative").rows


def switch_ms(column: str) -> str:
    """A cell of the context switch at 320 MHz, clock only, as the file has it."""
    with (LAB / "tables" / "relative.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    wanted = {"series": "fixed", "clock_mhz": "320", "benchmark": "cswitch"}
    (row,) = [row for row in rows if wanted.items() <= row.items()]
    return row[column]


def rows_of(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, str]]:
    assert main(["show", *words, "--format", "csv"]) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_a_table_without_conditions_is_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(LAB), "relative", "--format", "csv"]) == 0
    assert capsys.readouterr().out == (LAB / "tables" / "relative.csv").read_text()


def test_conditions_find_points_by_series_and_clock(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("benchmark=cswitch", "clock_mhz=20,320.0", "series=fixed")
    columns = ("--columns", "clock_mhz,median,metric")
    assert rows_of(capsys, str(LAB), "times", *words, *columns) == [
        {"clock_mhz": "20", "median": switch_ms("reference_value"), "metric": "ms"},
        {"clock_mhz": "320", "median": switch_ms("value"), "metric": "ms"},
    ]


def test_a_point_of_four_series_is_a_row_in_each() -> None:
    table = find_table(LAB, "times")
    rating = RELATIVE["reference_mips"].iloc[0]
    times = select(table, {"benchmark": ["getpid"], "clock_mhz": [20], "mips": [rating]})
    assert list(times["series"]) == ["fixed", "memory", "disk", "both"]
    assert times["key"].nunique() == 1
    assert list(times)[:3] == ["series", "clock_mhz", "key"] and "mips" not in times


def test_rows_on_a_terminal_have_names(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["benchmark=cswitch", "clock_mhz=320", "--columns", "series,relative,value"]
    assert main(["show", str(LAB), "relative", *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    (heading,) = [line for line in lines if "value" in line]
    assert [cell.strip() for cell in heading.strip("|").split("|")][1:] == ["relative", "value"]
    assert sum(f"{float(switch_ms('value')):.4g}" in line for line in lines) == 1


def test_keys_are_printed_where_they_tell_points_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(LAB), "times", "benchmark=getpid"]) == 0
    assert "20mhz-" not in capsys.readouterr().out
    assert main(["show", str(LAB), "times", "benchmark=getpid", "--columns", "key"]) == 0
    assert "20mhz-" in capsys.readouterr().out
    starts = RELATIVE.assign(series="")
    assert without_keys(starts) is starts


def test_a_view_has_the_series_as_columns(capsys: pytest.CaptureFixture[str]) -> None:
    (mean,) = rows_of(capsys, str(LAB), "fastest", "benchmark=mean")
    means = pd.read_csv(LAB / "tables" / "geomean.csv").set_index(["set", "series", "clock_mhz"])
    for series in ("fixed", "memory"):
        assert float(mean[series]) == means.loc[("figure1", series, 320), "geomean"]


def test_series_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    words = (str(LAB), "relative", "clock_mhz=320", "--columns", "benchmark,fs,relative")
    rows = rows_of(capsys, *words, "--across", "series")
    assert list(rows[0]) == ["benchmark", "fs", "fixed", "memory", "disk", "both"]
    (row,) = [row for row in rows if row["benchmark"] == "cswitch"]
    expected = RELATIVE[(RELATIVE["series"] == "memory") & (RELATIVE["clock_mhz"] == 320)]
    assert float(row["memory"]) == expected.set_index("benchmark").loc["cswitch", "relative"]
    clocks = ("benchmark=cswitch,read", "series=fixed", "--columns", "benchmark,median")
    rows = rows_of(capsys, str(LAB), "times", *clocks, "--across", "clock_mhz")
    assert list(rows[0]) == ["benchmark", "20", "80", "320"] and len(rows) == 2


def test_a_missing_cell_is_empty_and_a_double_one_an_error() -> None:
    frame = pd.DataFrame({"series": ["a", "b", "a"], "n": [1, 1, 2], "v": [1.0, 2.0, 3.0]})
    assert across(frame, "series").isna().to_numpy().tolist() == [[False] * 3, [False, False, True]]
    with pytest.raises(OsgapError, match="several rows with one n, series; allowed: one"):
        across(pd.concat([frame, frame]), "series")


def test_json_is_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("engine=rvsim", "machine=HP835", "--columns", "machine,paper", "--format", "json")
    assert main(["show", str(PAPER), "means", *words]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["machine"] == "HP835" and 0.2 < row["paper"] < 0.3


def test_columns_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["show", str(LAB), "attribution", "--columns", "cpi,memory_stall", "--explain"]) == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["column", "cpi", "memory_stall"]
    assert all(len(line.split()) > 3 for line in lines[1:])


def test_two_tables_of_one_name_have_their_own_meanings() -> None:
    means = find_table(PAPER, "means").rows
    assert [column.name for column in meanings(means, "means")] == list(means)


def test_an_unfinished_runs_tables_are_of_now(tmp_path: Path) -> None:
    directory = write_run(tmp_path / "run", benches=FEW, unfinished=("both-320",))
    (directory / "tables").mkdir()
    (directory / "tables" / "times.csv").write_text("key\nolder\n")
    assert len(select(find_table(directory, "times"), {"benchmark": ["getpid"]})) == 11
    assert not list(directory.rglob("relative.csv")), "nothing is written"


def test_an_accepted_run_without_tables_is_analysed(tmp_path: Path) -> None:
    directory = write_run(tmp_path / "run", benches=FEW)
    lock(directory, tmp_path / "locked")
    assert len(find_table(tmp_path / "locked", "points").rows) == 12


def test_other_tables_get_no_position() -> None:
    frame = pd.DataFrame({"a": [1]})
    for rows in (frame, RELATIVE):
        table = with_positions(rows, RELATIVE)
        assert table.rows is rows and table.columns == tuple(rows)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("benchmark=cswich",), "benchmark: found 'cswich'; did you mean cswitch? allowed: empty"),
        (("bnchmark=read",), "column: found 'bnchmark'; did you mean benchmark? allowed: series"),
        (("--columns", "relativ"), "column: found 'relativ'; did you mean relative? allowed"),
        (("clock_mhz=21",), "clock_mhz: found '21'; allowed: 20, 80, 320"),
        (("clock_mhz=slow",), "clock_mhz: found 'slow'; allowed: 20, 80, 320"),
        (("--across", "series"), "--across: found without --columns"),
        (("--across", "serie", "--columns", "fs,value"), "column: found 'serie'; did you mean ser"),
        (("fs=sprite", "benchmark=getpid"), "no row has fs=sprite and benchmark=getpid"),
    ],
)
def test_each_error_names_what_there_is(
    words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(LAB), "relative", *words]) == 2
    assert f"osgap show: {sentence}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("run", "name", "sentence"),
    [
        (
            "lab/three-clocks",
            "relativ",
            "table: found 'relativ'; did you mean relative? allowed: fa",
        ),
        (
            "paper/fitted",
            "cell",
            "table: found 'cell'; did you mean cells? allowed: agreement",
        ),
        (
            "prediction/latency-bandwidth",
            "times",
            "folder of 2 runs; allowed: one of gem5, rvsim",
        ),
        ("labb", "times", "labb"),
    ],
)
def test_each_unknown_table_or_run_is_a_sentence(run: str, name: str, sentence: str) -> None:
    with pytest.raises(OsgapError) as caught:
        find_table(LOCKED / run, name)
    assert sentence in str(caught.value)


def test_a_condition_without_a_value_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(LAB), "relative", "cswitch"]) == 2
    assert "found 'cswitch'; allowed: COLUMN=VALUE" in capsys.readouterr().err


def test_conditions_may_follow_options(capsys: pytest.CaptureFixture[str]) -> None:
    words = (str(LAB), "relative", "clock_mhz=320", "--columns", "series", "benchmark=cswitch")
    assert len(rows_of(capsys, *words)) == 4
    with pytest.raises(SystemExit):
        main(["show", *words, "--colums", "fs"])
    assert "--colums" in capsys.readouterr().err


def test_without_a_table_the_tables_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(LAB)]) == 0
    names = {line.split()[0] for line in capsys.readouterr().out.splitlines()}
    assert {"fastest", "relative", "samples", "disk"} <= names
    assert main(["show", str(PAPER)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[0] for line in lines[1:]} == {f.stem for f in (PAPER / "tables").iterdir()}
    assert all(len(line.split()) > 2 for line in lines[1:])


def test_a_table_that_a_run_lacks_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(LAB), "predicted"]) == 2
    assert "no point of this run was left to be predicted" in capsys.readouterr().err
