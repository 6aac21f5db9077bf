# SPDX-License-Identifier: BSD-3-Clause
"""Two trees of statistics side by side."""

import csv
import json
import math
from pathlib import Path

import pytest
from stats_texts import write_stats
from streams import streams

from osgap.base.errors import OsgapError
from osgap.cli.main import main
from osgap.gem5stats.sidebyside import COLUMNS, COMPARED, side_by_side

FIXTURES = Path(__file__).parent / "fixtures"


def _json(path: Path, values: dict[str, float]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    scalars = {name: {"type": "Scalar", "value": value} for name, value in values.items()}
    path.write_text(json.dumps({"simulated_begin_time": 0, **scalars}))
    return path


def _cells(a: Path, b: Path, select: str = ".") -> list[tuple[object, ...]]:
    table = side_by_side(a, b, select).table
    assert tuple(table.columns) == COLUMNS
    kept = ["file", "dump", "statistic", "a", "b", "ratio"]
    return [tuple(row) for row in table[kept].itertuples(index=False)]


def test_a_statistic_of_both_has_its_ratio_and_one_of_one_side_is_there(tmp_path: Path) -> None:
    a = write_stats(tmp_path / "a" / "stats.txt", {"x": 4, "y": 0, "z": 1}).parent
    b = write_stats(tmp_path / "b" / "stats.txt", {"x": 6, "y": 2, "w": 3}).parent
    assert _cells(a, b) == [
        ("stats.txt", 0, "x", 4, 6, 1.5),
        ("stats.txt", 0, "y", 0, 2, None),
        ("stats.txt", 0, "z", 1, None, None),
        ("stats.txt", 0, "w", None, 3, None),
    ]
    assert side_by_side(a, b, "x").table["unit"].tolist() == ["Count"]


def test_nan_is_gem5s_and_has_no_ratio(tmp_path: Path) -> None:
    a = write_stats(tmp_path / "a" / "stats.txt", {"x": 4, "y": 1e-300}).parent
    b = write_stats(tmp_path / "b" / "stats.txt", {"x": math.nan, "y": 1e300}).parent
    (x, y) = _cells(a, b)
    assert math.isnan(float(str(x[4]))) and x[5] is None and y[5] is None


def test_files_match_by_path_then_without_their_kind(tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    for name in ("p/stats.txt", "q/stats.txt", "r/stats.txt"):
        write_stats(a / name, {"x": 1})
    write_stats(b / "p" / "stats.txt", {"x": 2})
    _json(b / "q" / "stats.json", {"x": 3})
    write_stats(b / "s" / "stats.txt", {"x": 5})
    assert _cells(a, b) == [
        ("p/stats.txt", 0, "x", 1, 2, 2.0),
        ("q/stats.txt", 0, "x", 1, 3, 3.0),
        ("r/stats.txt", 0, "x", 1, None, None),
        ("s/stats.txt", 0, "x", None, 5, None),
    ]
    notes = side_by_side(a, b, ".").notes
    assert len(notes) == 3
    assert "averages over time" in notes[0]
    assert f"{a}: r/stats.txt has no counterpart in {b}" == notes[1]
    assert f"{b}: s/stats.txt has no counterpart in {a}" == notes[2]


def test_trees_of_one_file_each_match_whatever_it_is_called(tmp_path: Path) -> None:
    a = write_stats(tmp_path / "a" / "deep" / "stats.txt", {"x": 1})
    b = write_stats(tmp_path / "b" / "my_stats.txt", {"x": 2})
    assert _cells(tmp_path / "a", tmp_path / "b") == [("deep/stats.txt", 0, "x", 1, 2, 2.0)]
    assert _cells(a, b) == [("stats.txt", 0, "x", 1, 2, 2.0)]


def test_dumps_match_by_number_and_one_too_many_is_told(tmp_path: Path) -> None:
    a = write_stats(tmp_path / "a" / "stats.txt", {"x": 1}, {"x": 2}, {"x": 3})
    b = write_stats(tmp_path / "b" / "stats.txt", {"x": 5}, {"x": 6})
    assert [row[1:5] for row in _cells(a, b)] == [
        (0, "x", 1, 5),
        (1, "x", 2, 6),
        (2, "x", 3, None),
    ]
    assert side_by_side(a, b, ".").notes == (f"{a}: stats.txt: dump 2 is in one tree alone",)


def test_the_dump_of_json_is_the_last_one(tmp_path: Path) -> None:
    a = write_stats(tmp_path / "a" / "stats.txt", {"x": 1}, {"x": 2})
    b = _json(tmp_path / "b" / "stats.json", {"x": 4})
    assert [row[1:5] for row in _cells(a, b)] == [(0, "x", 1, None), (1, "x", 2, 4)]
    assert [row[1:5] for row in _cells(b, a)] == [(0, "x", None, 1), (0, "x", 4, 2)]


def test_gem5s_own_text_and_json_of_one_simulation_agree() -> None:
    text, written = (
        FIXTURES / f"gem5-24.0.0.1-o3-dumps.stats.{kind}.xz" for kind in ("txt", "json")
    )
    table = side_by_side(text, written).table
    last = table[table["dump"] == 2].set_index("statistic")
    same = ["simTicks", "simInsts", "system.cpu.numCycles", "system.mem_ctrl.dram.bytesRead::total"]
    assert last.loc[same, "ratio"].tolist() == [1, 1, 1, 1]
    assert last.loc["system.cpu.cpi", "a"] > 0 and last.loc["system.cpu.cpi", "b"] is None


def test_the_default_selection_tells_time_cpi_misses_and_memory() -> None:
    whole = FIXTURES / "gem5-24.0.0.1-two-cores.stats.txt.xz"
    names = set(side_by_side(whole, whole, COMPARED).table["statistic"])
    assert {"simSeconds", "system.cpu1.ipc", "system.l2.overallMissRate::total"} <= names
    assert "system.mem_ctrl.dram.bwTotal::total" in names and len(names) < 40


def test_the_command_prints_and_exports_both(tmp_path: Path) -> None:
    a = write_stats(tmp_path / "a" / "stats.txt", {"simTicks": 4, "other": 1}).parent
    b = write_stats(tmp_path / "b" / "stats.txt", {"simTicks": 6}).parent
    said = {}
    for format in ("text", "csv", "json"):
        with streams() as (out, err):
            assert main(["analyze", "--stats", str(a), str(b), "--format", format]) == 0
        assert err.text() == ""
        said[format] = out.text()
    assert said["text"].splitlines()[-1].split() == ["simTicks", "Count", "4", "6", "1.5"]
    record = {
        "file": "stats.txt",
        "dump": 0,
        "statistic": "simTicks",
        "unit": "Count",
        "a": 4,
        "b": 6,
        "ratio": 1.5,
    }
    assert json.loads(said["json"]) == [record]
    assert list(csv.DictReader(said["csv"].splitlines())) == [
        {name: str(value) for name, value in record.items()}
    ]


def test_json_of_odd_numbers_is_json(tmp_path: Path) -> None:
    a = write_stats(tmp_path / "a" / "stats.txt", {"x": math.nan, "y": 10**30, "z": math.inf})
    with streams() as (out, _):
        assert main(["analyze", "--stats", str(a), "--select", ".", "--format", "json"]) == 0
    (row,) = json.loads(out.text(), parse_constant=lambda name: pytest.fail(name))
    assert row["x"] is None and row["y"] == 10**30 and row["z"] is None


def test_a_damaged_file_is_told_after_what_could_be_compared(tmp_path: Path) -> None:
    a = write_stats(tmp_path / "a" / "stats.txt", {"simTicks": 4}).parent
    b = write_stats(tmp_path / "b" / "stats.txt", {"simTicks": 6}).parent
    (b / "stats.json").write_text("{")
    with streams() as (out, err):
        assert main(["analyze", "--stats", str(a), str(b), "--format", "csv"]) == 2
    assert "simTicks,Count,4,6,1.5" in out.text()
    assert err.text().count("\n") == 1 and "stats.json" in err.text()


def test_a_tree_without_statistics_is_told(tmp_path: Path) -> None:
    a = write_stats(tmp_path / "a" / "stats.txt", {"simTicks": 4}).parent
    (tmp_path / "b").mkdir()
    with pytest.raises(OsgapError, match="b: holds no file"):
        side_by_side(a, tmp_path / "b")
    with pytest.raises(OsgapError, match="no regular expression"):
        side_by_side(a, a, "(")


SHORT = """
---------- Begin Simulation Statistics ----------
simSeconds {seconds} # Number of seconds simulated (Second)
simTicks {ticks} # Number of ticks simulated (Tick)
simFreq 1000000000000 # The number of ticks per simulated second ((Tick/Second))

---------- End Simulation Statistics   ----------
"""


def test_short_a_and_short_b_differ_by_their_ticks_not_by_what_gem5_rounds(tmp_path: Path) -> None:
    """Runs of 1.4 and 2.6 us, which gem5 prints as 1 and 3 us: 1.857 times as long, not 3 times."""
    files = []
    for name, seconds, ticks in (("a", "0.000001", 1_400_000), ("b", "0.000003", 2_600_000)):
        files.append(tmp_path / f"short-{name}" / "stats.txt")
        files[-1].parent.mkdir()
        files[-1].write_text(SHORT.format(seconds=seconds, ticks=ticks))
    with streams() as (out, _):
        assert main(["analyze", "--stats", *map(str, files), "--format", "csv"]) == 0
    rows = {row["statistic"]: row for row in csv.DictReader(out.text().splitlines())}
    assert (rows["simSeconds"]["a"], rows["simSeconds"]["b"]) == ("1.4e-06", "2.6e-06")
    assert rows["simSeconds"]["ratio"][:5] == rows["simTicks"]["ratio"][:5] == "1.857"
