# SPDX-License-Identifier: BSD-3-Clause
"""User, system and real time: modes.csv from a point's directory to the table."""

from pathlib import Path

import pandas as pd
import pytest
from synthetic import seal

from osgap.analysis.counters import COUNTERS
from osgap.analysis.modes import MODES
from osgap.analysis.tables import read_tables, write_tables
from osgap.base.errors import OsgapError
from osgap.guest.records import ModeTimes, columns
from osgap.rundir.files import PointFiles
from osgap.rundir.load import load_run
from osgap.suites import analyze
from osgap.sweep import replay

HEADER = ",".join(column.name for column in columns(ModeTimes))


def tell(run: Path, key: str, *rows: str) -> Path:
    """Writes a point's modes.csv and its digest."""
    file = run / "points" / key / "modes.csv"
    file.write_text("\n".join([HEADER, *rows]) + "\n")
    seal(file.parent)
    return file


def getpid_rows(run: Path) -> list[str]:
    """A batch each: cold, then 25,000 and 35,000 ns of user time in 100 operations."""
    samples = load_run(run).points["fixed-80"].samples
    regions = samples[samples["benchmark"] == "getpid"]["region"].tolist()
    users = (90000, 25000, 35000)
    return [
        f"{region},getpid,none,{batch},{user},{480000 - user},1000"
        for batch, (region, user) in enumerate(zip(regions, users, strict=True))
    ]


def test_no_modes_no_rows(few_directory: Path) -> None:
    table = analyze(load_run(few_directory))["modes"]
    assert table.empty and list(table.columns) == MODES.names
    write_tables({"modes": table}, few_directory / "tables")
    assert list(read_tables(few_directory / "tables", ["modes"])["modes"].columns) == MODES.names


def test_medians_over_the_batches_of_one_operation(few_directory: Path) -> None:
    tell(few_directory, "fixed-80", *getpid_rows(few_directory))
    tables = analyze(load_run(few_directory))
    row = tables["modes"].iloc[0].to_dict()
    assert len(tables["modes"]) == 1
    assert (row["key"], row["benchmark"], row["fs"]) == ("fixed-80", "getpid", "none")
    assert row["user_ns_per_op"] == 350 and row["idle_ns_per_op"] == 10
    assert row["system_ns_per_op"] == pytest.approx(4450)
    # The synthetic engine gives a quarter of the busy cycles to the user.
    assert row["real_ns_per_op"] == pytest.approx(20050 / 4)
    assert row["engine_user_ns_per_op"] == pytest.approx(20050 / 16, rel=1e-3)
    assert row["engine_system_ns_per_op"] == pytest.approx(20050 * 3 / 16, rel=1e-3)


@pytest.mark.slow
def test_a_counted_batch_is_not_timed_where_others_are(few_directory: Path) -> None:
    before = analyze(load_run(few_directory))["times"].set_index(["key", "benchmark", "fs"])
    *_, counted = getpid_rows(few_directory)
    tell(few_directory, "fixed-80", counted)
    after = analyze(load_run(few_directory))["times"].set_index(["key", "benchmark", "fs"])
    own = ("fixed-80", "getpid", "none")
    assert (before.loc[own, "batches"], after.loc[own, "batches"]) == (3, 2)
    assert before.drop(index=own).equals(after.drop(index=own))


def test_an_engine_that_does_not_tell_modes_apart_has_none(few_directory: Path) -> None:
    rows = getpid_rows(few_directory)
    stats = few_directory / "points" / "fixed-80" / "stats.txt"
    lines = stats.read_text().splitlines(keepends=True)
    counted = ("osgap.cycles.user", "osgap.cycles.kernel")
    stats.write_text("".join(line for line in lines if not line.startswith(counted)))
    tell(few_directory, "fixed-80", *rows)
    row = analyze(load_run(few_directory))["modes"].iloc[0]
    assert row["user_ns_per_op"] == 350 and pd.isna(row["engine_user_ns_per_op"])
    assert pd.isna(row["engine_system_ns_per_op"])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("999,getpid,none,0,1,2,3", "has regions that are not in"),
        ("0,getpid,none,0,1,2,3", "has regions that are not in"),
        ("0,empty_loop,none,0,1,2", ":2: has 6 cells, not 7"),
        ("0,empty_loop,none,0,1,x,3", ":2: kernel_ns is 'x', not a whole"),
        ("0,empty_loop,none,0,1,2,3\n0,empty_loop,none,0,1,2,3", "has regions that are not in"),
    ],
)
def test_what_contradicts_the_samples_is_named(few_directory: Path, row: str, message: str) -> None:
    tell(few_directory, "fixed-80", row)
    with pytest.raises(OsgapError, match=rf"modes\.csv.*{message}"):
        load_run(few_directory)


def test_a_file_that_was_changed_or_is_gone_is_named(few_directory: Path) -> None:
    file = tell(few_directory, "fixed-80", *getpid_rows(few_directory))
    text = file.read_text()
    file.write_text(text.replace("90000", "90001"))
    with pytest.raises(OsgapError, match=r"modes\.csv: is not the file that done\.json"):
        load_run(few_directory)
    file.unlink()
    with pytest.raises(OsgapError, match=r"modes\.csv: cannot be read"):
        load_run(few_directory)


COUNTER_LINES = "region,benchmark,fs,batch,counter,value\n"


def tell_counters(run: Path, text: str) -> Path:
    """Writes a point's counters.csv and its digest."""
    file = run / "points" / "fixed-80" / "counters.csv"
    file.write_text(COUNTER_LINES + text)
    seal(file.parent)
    return file


def test_counters_have_a_table_where_any_are_told(few_directory: Path) -> None:
    assert "counters" not in analyze(load_run(few_directory))
    samples = load_run(few_directory).points["fixed-80"].samples
    regions = samples[samples["benchmark"] == "getpid"]["region"].tolist()
    rows = [
        f"{region},getpid,none,{batch},{name},{value * (batch + 1)}\n"
        for batch, region in enumerate(regions)
        for name, value in (("contended", 3), ("wait_ns", 700))
    ]
    tell_counters(few_directory, "".join(rows))
    table = analyze(load_run(few_directory))["counters"]
    assert list(table.columns) == COUNTERS.names
    assert table.drop(columns=["key", "benchmark", "fs"]).to_numpy().tolist() == [
        ["contended", 3, 6, 3, 9],
        ["wait_ns", 3, 1400, 700, 2100],
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("999,getpid,none,0,sleeps,1\n", "has regions that are not in"),
        ("0,empty_loop,none,0,sleeps,1\n" * 2, "has regions that are not in"),
        ("0,empty_loop,none,0,sleeps,x\n", ":2: value is 'x', not a whole"),
    ],
)
def test_counters_that_contradict_the_samples_are_named(
    few_directory: Path, text: str, message: str
) -> None:
    tell_counters(few_directory, text)
    with pytest.raises(OsgapError, match=rf"counters\.csv.*{message}"):
        load_run(few_directory)


def test_a_replay_compares_modes(few_directory: Path, tmp_path: Path) -> None:
    file = tell(few_directory, "fixed-80", *getpid_rows(few_directory))
    point, other = file.parent, tmp_path / "other"
    other.mkdir()
    for each in point.iterdir():
        (other / each.name).write_bytes(each.read_bytes())
    assert replay.compare("fixed-80", PointFiles(point), PointFiles(other)).differing == 0
    (other / "modes.csv").write_text(file.read_text().replace(",90000,", ",91000,"))
    found = replay.compare("fixed-80", PointFiles(point), PointFiles(other))
    assert (found.differing, found.name) == (1, "modes.csv row 1 user_ns")
    (other / "modes.csv").unlink()
    assert replay.compare("fixed-80", PointFiles(point), PointFiles(other)).worst == 1
