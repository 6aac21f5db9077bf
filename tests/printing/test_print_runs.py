# SPDX-License-Identifier: BSD-3-Clause
"""What analysing prints, in each format, and where it writes."""

import csv
import io
import json
import math
from pathlib import Path

import pandas as pd
import pytest
from suite_runs import byte, mcvoy, write_part
from synthetic import BENCHES, FEW, write_run

from osgap.base.terminal import make_console
from osgap.printing.formats import FORMATS, VIEWS, descriptions, printed_tables, render, table_rows
from osgap.printing.run import print_runs
from osgap.rundir.csvfile import ResultsError, write_table
from osgap.rundir.directory import ARCHIVE, is_accepted
from osgap.rundir.load import load_run
from osgap.suites import analyze


def printed(paths: list[Path], *names: str, **options: object) -> str:
    stream = io.StringIO()
    print_runs(make_console(stream), paths, names, **options)  # type: ignore[arg-type]
    return stream.getvalue()


def files(directory: Path) -> set[str]:
    return {str(p.relative_to(directory)) for p in directory.rglob("*") if p.is_file()}


@pytest.mark.slow
def test_by_default_a_sentence_then_one_table_then_what_is_to_be_known(run_directory: Path) -> None:
    lines = printed([run_directory]).splitlines()
    assert lines[0].startswith("A processor 16 times faster made the operating system ")
    assert lines[1].startswith("MIPS-relative speed (R) at 320 MHz")
    rows = [line.split("|")[1:-1] for line in lines if line.startswith("|")]
    assert [cell.strip() for cell in rows[0]] == [
        "benchmark",
        "clock only",
        "clock and memory",
        "clock and disk",
        "clock, memory and disk",
    ]
    assert rows[-1][0].strip() == "geometric mean, Ousterhout 1990"
    assert max(map(len, lines[1:])) <= 120
    # The mean is that of the rows above it.
    fixed = [float(row[1]) for row in rows[1:-1]]
    mean = math.exp(sum(map(math.log, fixed)) / len(fixed))
    assert float(rows[-1][1]) == pytest.approx(mean, abs=0.02)
    assert "more benchmarks ran that no mean has" in lines[-1]


def test_a_run_of_no_set_shows_its_benchmarks_without_a_mean(tmp_path: Path) -> None:
    names = {"empty_loop", "integer_mix", "stream_copy", "select_1", "bcopy_cached"}
    benches = tuple(bench for bench in BENCHES if bench.name in names)
    run = write_run(tmp_path / "run", benches=benches)
    rows = table_rows(analyze(load_run(run)), "fastest")
    assert set(rows["benchmark"]) == {b.name for b in benches} & {"select_1", "bcopy_cached"}
    assert "geometric mean" not in printed([run])


def test_each_suite_ends_in_its_mean(tmp_path: Path) -> None:
    benches = {bench.name: bench for bench in (*mcvoy()[:8], *byte()[:20])}
    run = write_part(tmp_path / "run", tuple(benches.values()), clocks=(20, 80))
    rows = table_rows(analyze(load_run(run)), "fastest")
    last = rows.groupby("set", sort=False).tail(1)
    assert last["set"].tolist() == ["mcvoy", "byte"]
    assert last["benchmark"].tolist() == ["mean", "mean"]
    assert last["both"].tolist() == pytest.approx([1, 1], rel=1e-3)


def test_notes_come_once_at_the_end_of_several_tables(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", benches=FEW, unfinished=("disk-320",))
    lines = printed([run], "speeds", "summary", "checks").splitlines()
    assert lines.count("not finished, left out: disk-320") == 1
    assert not any(line.startswith(("+", "|")) for line in lines[-2:])


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pd.DataFrame]:
    """The tables of a run of few benchmarks, as long ones take their time to print."""
    path = tmp_path_factory.mktemp("small") / "run"
    return analyze(load_run(write_run(path, benches=FEW, clocks=(20, 80))))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", [*VIEWS, *printed_tables()])
def test_every_table_has_every_format(
    small: dict[str, pd.DataFrame], name: str, format: str
) -> None:
    text = render(small, name, format)
    rows = table_rows(small, name)
    if format == "json":
        records = json.loads(text)
        assert len(records) == len(rows)
        assert all(list(record) == list(rows.columns) for record in records)
        undefined = int(rows.isna().to_numpy().sum())
        assert sum(value is None for record in records for value in record.values()) == undefined
    elif format == "csv":
        assert len(list(csv.DictReader(io.StringIO(text)))) == len(rows)
    else:
        assert text.strip()


def test_csv_is_as_in_the_runs_tables(small: dict[str, pd.DataFrame], tmp_path: Path) -> None:
    write_table(small["relative"], tmp_path / "relative.csv")
    assert render(small, "relative", "csv") == (tmp_path / "relative.csv").read_text()


def test_several_tables_in_json_are_by_name_and_in_csv_refused(few_directory: Path) -> None:
    document = json.loads(printed([few_directory], "points", "checks", format="json"))
    assert list(document) == ["points", "checks"]
    assert document["points"][0]["clock_mhz"] == 20
    with pytest.raises(ResultsError, match="format csv: found 2 tables; allowed: one at a time"):
        printed([few_directory], "points", "checks", format="csv")


def test_rows_of_several_runs_say_whose_they_are(tmp_path: Path) -> None:
    runs = [write_run(tmp_path / name, benches=FEW, clocks=(20, 80)) for name in ("a", "b")]
    rows = list(csv.DictReader(io.StringIO(printed(runs, "points", format="csv"))))
    assert {row["run"] for row in rows} == {str(run) for run in runs}
    assert json.loads(printed(runs, format="json"))[0]["run"] == str(runs[0])


@pytest.mark.slow
def test_tables_over_several_runs_give_the_rows_behind_them(tmp_path: Path) -> None:
    write_part(tmp_path / "a", mcvoy(), clocks=(20, 80))
    rows = json.loads(
        printed([tmp_path], "hohmuth", format="json", clocks=[80.0], series=["fixed"])
    )
    assert {row["clock_mhz"] for row in rows} == {80}
    cells = {row["benchmark"]: (row["unit"], row["value"]) for row in rows}
    assert len(cells) == len(rows) == 23
    assert cells["latency_l1"][0] == "ns" and cells["pipe_bandwidth"][0] == "MB/s"
    assert cells["null_call"] == ("us", pytest.approx(10 / 4 + 1))
    with pytest.raises(ResultsError, match="no finished point is at the clocks"):
        printed([tmp_path], "hohmuth", clocks=[33.0])


def test_bad_names_are_one_sentence_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match=r"no table 'speed'; did you mean speeds\?"):
        printed([tmp_path / "nothing"], "speed")
    with pytest.raises(ResultsError, match="format: found 'xml'; allowed: text, csv, json"):
        printed([tmp_path / "nothing"], format="xml")
    assert {"hohmuth", "reflected", "raveling", "hypothesis"} < set(descriptions())
    assert all(text and "\n" not in text for text in descriptions().values())


@pytest.mark.slow
def test_tables_are_written_into_a_run_or_below_the_output(tmp_path: Path) -> None:
    runs = [write_part(tmp_path / "in" / n, FEW, clocks=(20, 80)) for n in ("a/x", "b/x")]
    printed(runs[:1], "points")
    assert (runs[0] / "tables" / "times.csv").is_file()
    before = files(tmp_path / "in")
    printed(runs[:1], "points", output=tmp_path / "one")
    assert "tables/times.csv" in files(tmp_path / "one")
    printed(runs, "points", output=tmp_path / "two")
    assert {"a/x/tables/times.csv", "b/x/tables/times.csv"} < files(tmp_path / "two")
    assert files(tmp_path / "in") == before


@pytest.mark.slow
def test_nothing_is_written_into_an_accepted_run(
    tmp_path: Path,
) -> None:
    locked = tmp_path / "results" / "locked" / "r"
    write_part(locked / "a", mcvoy()[:4], clocks=(20, 80))
    write_part(locked / "b", mcvoy()[:4], calls="patch-first", clocks=(20, 80))
    before = files(tmp_path)
    assert "written to" not in printed([locked], "reflected", "points")
    assert files(tmp_path) == before
    text = printed([locked], "reflected", output=tmp_path / "out")
    assert f"written to {tmp_path / 'out' / 'tables' / 'reflected.csv'}" in text
    assert {"tables/reflected.csv", "a/tables/times.csv"} < files(tmp_path / "out")


def test_a_run_whose_points_are_archived_is_accepted_wherever_it_lies(tmp_path: Path) -> None:
    assert not is_accepted(tmp_path)
    (tmp_path / ARCHIVE).touch()
    assert is_accepted(tmp_path)
