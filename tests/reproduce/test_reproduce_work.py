# SPDX-License-Identifier: BSD-3-Clause
"""osgap reproduce: makes runs in order, goes on past failures, and compares what was made."""

import csv
import io
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd
import pytest

from osgap.base import durable
from osgap.base.errors import OsgapError
from osgap.cli.main import main
from osgap.reproduce.declared import DeclaredRun
from osgap.reproduce.difference import Lenders, RunDifference, Verdict, _judgement, difference
from osgap.reproduce.file_difference import tables_difference
from osgap.reproduce.printed import result_csv, result_lines, result_table
from osgap.reproduce.reproduction import Reproduction, status_of
from osgap.reproduce.work import Places, check_output, finished_points
from osgap.rundir.archive import lock
from osgap.sweep.snakemake import Interrupted

SWEEP = ("sweep", "--engine", "fake", "--cpu-mhz", "20,40")
FIRST = DeclaredRun(
    name="a/first", question="Is it so?", page="README.md", commands=(SWEEP,), points=3
)
SECOND = FIRST.model_copy(update={"name": "a/second"})
TABLES = DeclaredRun(
    name="a/tables",
    question="And so?",
    page="README.md",
    depends=("a/first",),
    commands=(("compare", "{a/first}", "{a/first}"),),
)
Words = list[list[str]]


@pytest.fixture
def places(tmp_path: Path, fake_run: Path) -> Places:
    """Two committed runs and a folder of tables."""
    for name in ("first", "second"):
        lock(fake_run, tmp_path / "locked" / "a" / name)
    write_table(tmp_path / "locked" / "a" / "tables", "n,x\na,1.0\nb,4.0\n")
    return Places(tmp_path / "locked", tmp_path / "again")


def write_table(folder: Path, text: str) -> None:
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    (folder / "tables" / "t.csv").write_text(text)


def copier(source: Path, seen: Words) -> Callable[[list[str]], int]:
    """A `perform` that copies a finished run, or writes a table; the second run fails."""

    def perform(words: list[str]) -> int:
        seen.append(words)
        target = Path(words[words.index("--output") + 1])
        if target.name == "second":
            raise OsgapError("no such machine")
        if words[0] == "sweep":
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            write_table(target, "n,x\na,1.0\nb,4.0\n")
        return 0

    return perform


def outcomes(results: Sequence[RunDifference]) -> list[str]:
    return [f"{result.name} {result.outcome}" for result in results]


def test_an_interrupt_ends_all_runs(places: Places) -> None:
    seen: Words = []

    def perform(words: list[str]) -> int:
        seen.append(words)
        raise Interrupted("first: interrupted; 1 of 3 points is finished and kept")

    runs = [FIRST, SECOND]
    obstacles = {run.name: "" for run in runs}
    with pytest.raises(Interrupted):
        Reproduction(places, perform, [], obstacles).results(runs)
    assert len(seen) == 1


def test_a_failure_ends_no_other_run_and_is_told_at_the_end(places: Places, fake_run: Path) -> None:
    seen: Words = []
    runs = [FIRST, SECOND, TABLES]
    obstacles = {run.name: "" for run in runs}
    results = Reproduction(places, copier(fake_run, seen), ["--jobs", "1"], obstacles).results(runs)
    assert outcomes(results) == ["a/first equal", "a/second failed", "a/tables equal"]
    assert results[1].reason == "no such machine" and status_of(results) == 2
    assert "a/second: failed: no such machine" in list(result_lines(results))
    first, _, tables = seen
    assert first == [*SWEEP, "--output", str(places.output / "a/first"), "--jobs", "1"]
    made = str(places.output / "a/first")
    assert tables[:3] == ["compare", made, made] and "--jobs" not in tables
    assert finished_points(FIRST, places) == 3 and finished_points(SECOND, places) == 0


def test_a_run_with_an_obstacle_is_skipped_with_its_reason(places: Places) -> None:
    def perform(words: list[str]) -> int:
        raise AssertionError(words)

    (result,) = Reproduction(places, perform, [], {"a/first": "no gem5"}).results([FIRST])
    assert (result.outcome, result.reason) == (Verdict.SKIPPED, "no gem5")
    assert status_of([result]) == 0 and not (places.output / "a").exists()


def test_a_dependence_that_was_not_made_is_the_committed_run(places: Places) -> None:
    assert places.folder("a/first") == places.locked / "a/first"
    (places.output / "a/first").mkdir(parents=True)
    assert places.folder("a/first") == places.output / "a/first"


def test_other_numbers_differ_by_how_much_with_the_reason(places: Places, fake_run: Path) -> None:
    made = shutil.copytree(fake_run, places.output / "a/first")
    for file in made.glob("points/*/samples.csv"):
        rows = pd.read_csv(file)
        rows.loc[rows["benchmark"] == "getpid", "guest_ns"] *= 2
        rows.to_csv(file, index=False)
        done = json.loads(file.with_name("done.json").read_text())
        done["sha256"]["samples.csv"] = durable.sha256(file)
        file.with_name("done.json").write_text(json.dumps(done))
    record = json.loads((made / "run.json").read_text())
    record["versions"]["engine"] = "fake 9"
    (made / "run.json").write_text(json.dumps(record))
    found = difference(FIRST, places, Lenders(places.locked))
    assert found.outcome is Verdict.DIFFERS and found.where.startswith("getpid ")
    assert found.time == pytest.approx(1.0, rel=0.1) and found.unlimited > 0
    assert found.reason.endswith("here fake 9") and status_of([found]) == 1


def test_a_run_of_another_request_is_a_failure(places: Places, fake_run: Path) -> None:
    made = shutil.copytree(fake_run, places.output / "a/first")
    record = json.loads((made / "run.json").read_text())
    record["sweep"]["machine"] = ["other"]
    (made / "run.json").write_text(json.dumps(record))
    with pytest.raises(OsgapError, match="no committed run of a/first has its request"):
        difference(FIRST, places, Lenders(places.locked))


def test_rows_are_judgement_by_their_layouts_where_there_are_any() -> None:
    rows = pd.DataFrame(
        {
            "benchmark": ["getpid", "read", "cswitch"],
            "fs": ["none", "unix", "none"],
            "series": "fixed",
            "clock_mhz": 20.0,
            "time_ratio": [1.0, 1.02, 1.0005],
            "relative_ratio": [1.0, 0.99, 1.0],
            "time_differs": ["no", "no", ""],
            "relative_differs": ["no", "no", ""],
        }
    )
    within = _judgement("n", rows, "")
    assert (within.outcome, within.beyond, within.unlimited) == (Verdict.WITHIN, 0, 0)
    assert within.where == "read unix fixed 20 MHz" and within.time == pytest.approx(0.02)
    assert within.speed == pytest.approx(0.01)
    beyond = _judgement("n", rows.assign(relative_differs=["no", "yes", ""]), "")
    assert (beyond.outcome, beyond.beyond) == (Verdict.DIFFERS, 1)
    unlimited = _judgement("n", rows.assign(time_ratio=[1.0, 1.02, 1.002]), "")
    assert (unlimited.outcome, unlimited.unlimited) == (Verdict.DIFFERS, 1)


@pytest.mark.parametrize(
    ("text", "names", "worst", "where"),
    [
        ("n,x\na,1.0\nb,4.0\n", (), 0.0, ""),
        ("n,x\na,1.0\nb,5.0\n", ("t",), 0.2, "t.csv x"),
        ("n,x\na,1.0\nc,4.0\n", ("t",), 1.0, "t.csv n"),
        ("n,x\na,1.0\n", ("t",), 1.0, "t.csv"),
        ("n,x\na,1.0\nb,\n", ("t",), 1.0, "t.csv x"),
    ],
)
def test_tables_are_compared_to_the_byte_else_by_their_numbers(
    text: str, names: tuple[str, ...], worst: float, where: str, places: Places
) -> None:
    write_table(places.output / "a/tables", text)
    found = tables_difference(places.locked / "a/tables", places.output / "a/tables")
    assert found is not None
    assert (found.names, found.where) == (names, where) and found.worst == pytest.approx(worst)


def test_nothing_is_written_among_committed_runs(tmp_path: Path) -> None:
    locked = tmp_path / "results" / "locked"
    with pytest.raises(OsgapError, match="holds committed runs; allowed: a folder elsewhere"):
        check_output(locked / "again")
    assert not locked.exists()
    assert check_output(tmp_path / "again") == tmp_path / "again"


def test_the_table_fits_and_the_file_has_all() -> None:
    results = [
        RunDifference("a/first", Verdict.WITHIN, "image 1, here 2", 9, 0, 0, 0.5, 0.25, "getpid"),
        RunDifference("b", Verdict.SKIPPED, "no gem5"),
    ]
    table = result_table(results)
    assert table.rows[0] == ("a/first", "within layouts", "9", "0", "50.00%", "25.00%", "getpid")
    first, second = csv.DictReader(io.StringIO(result_csv(results)))
    assert (first["largest_time_difference"], first["reason"]) == ("0.5", "image 1, here 2")
    assert (second["outcome"], second["reason"]) == ("skipped", "no gem5")
    assert list(result_lines(results))[-1] == "1 within layouts, 1 skipped"


def test_an_unknown_name_has_similar_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "curve/quik", "--dry-run"]) == 2
    assert "there is no run 'curve/quik'; did you mean curve/quick" in capsys.readouterr().err
