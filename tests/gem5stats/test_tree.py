# SPDX-License-Identifier: BSD-3-Clause
"""Other people's stats.txt files in one table."""

import csv
import lzma
import subprocess
import sys
from pathlib import Path

import pytest

from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.gem5stats.documents import csv_text
from osgap.gem5stats.gem5text import BEGIN, END
from osgap.gem5stats.tree import load

DUMP = f"""
{BEGIN}
simSeconds                                   0.000012                       # Seconds (Second)
system.cpu.ipc                                    nan                       # IPC (Count/Cycle)
system.cpu.op::No_OpClass                          12      1.20%      1.20% # Class (Count)
system.cpu.op::total                             1000                       # Class (Count)
system.mem.lat::0-15                                3     60.00%     60.00% # Latency (Tick)
system.mem.hist |           1      5.00%      5.00% |          19     95.00%    100.00% # H (Count)
{END}
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Two good files, one of them compressed and one with two dumps."""
    for name in ("a/m5out", "b"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "a" / "m5out" / "stats.txt").write_text(DUMP * 2)
    packed = lzma.compress(DUMP.replace("12 ", "13 ").encode())
    (tmp_path / "b" / "stats.txt.xz").write_bytes(packed)
    (tmp_path / "b" / "config.ini").write_text("not statistics")
    return tmp_path


def test_every_dump_of_every_file_is_a_row(tree: Path) -> None:
    table = load(tree, "simSeconds|total").table
    assert table["file"].tolist() == ["a/m5out/stats.txt"] * 2 + ["b/stats.txt.xz"]
    assert table["dump"].tolist() == [0, 1, 0]
    assert table["system.cpu.op::total"].tolist() == [1000, 1000, 1000]


def test_vectors_distributions_and_nan_come_through(tree: Path) -> None:
    rows = list(csv.DictReader(csv_text(load(tree, ".").table).splitlines()))
    assert rows[0]["system.cpu.ipc"] == "nan"
    assert rows[0]["system.cpu.op::No_OpClass"] == "12"
    assert rows[0]["system.mem.lat::0-15"] == "3"
    assert rows[0]["system.mem.hist[1]"] == "19"


def test_what_a_dump_lacks_is_empty(tree: Path) -> None:
    (tree / "b" / "my_stats.txt").write_text(f"{BEGIN}\nsimTicks 5 # (Tick)\n{END}\n")
    rows = list(csv.DictReader(csv_text(load(tree, "^sim").table).splitlines()))
    by_file = {row["file"]: row for row in rows}
    assert by_file["b/my_stats.txt"] == {
        "file": "b/my_stats.txt",
        "dump": "0",
        "simSeconds": "",
        "simTicks": "5",
    }


def test_a_cut_file_keeps_its_whole_rows_and_is_told(tree: Path) -> None:
    (tree / "b" / "stats.txt").write_text(DUMP + DUMP[:200])
    (tree / "a" / "stats.txt").write_text("")
    collected = load(tree, "simSeconds")
    assert collected.table["simSeconds"].tolist() == [12e-6] * 4 + [13e-6]
    assert len(collected.faults) == 2
    assert "a/stats.txt: is empty" in collected.faults[0]
    assert "b/stats.txt: the dump begun on line 11 has no end line" in collected.faults[1]


@pytest.mark.parametrize(
    ("select", "told"), [("(", "no regular expression"), ("^nothing$", "no statistic matches")]
)
def test_a_selection_that_selects_nothing_is_told(tree: Path, select: str, told: str) -> None:
    with pytest.raises(OsgapError, match=told):
        load(tree, select)


def test_a_directory_without_statistics_is_told(tmp_path: Path) -> None:
    with pytest.raises(OsgapError, match="holds no file"):
        load(tmp_path, ".")


def _analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    script = project_root() / "scripts" / "analyze.py"
    return subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True)


@pytest.mark.slow
def test_the_script_prints_csv_and_its_status_tells_of_faults(tree: Path) -> None:
    done = _analyze("--stats", str(tree), "--select", "ipc")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "file,dump,system.cpu.ipc"
    (tree / "b" / "stats.txt").write_text(DUMP[:200])
    done = _analyze("--stats", str(tree), "--select", "ipc")
    assert done.returncode == 2 and len(done.stdout.splitlines()) == 5
    assert "stats.txt: the dump begun on line 2 has no end line" in done.stderr
    assert done.stderr.count("\n") <= 2 and "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_run_and_a_tree_exclude_each_other() -> None:
    assert _analyze().returncode == 2
    assert _analyze("run", "--stats", "tree").returncode == 2


def test_a_plain_gem5s_own_file_is_read_whole() -> None:
    """Three dumps asked for and the one at exit, of an O3 CPU with DDR3, as v24.0.0.1 left it."""
    file = Path(__file__).parent / "fixtures" / "gem5-24.0.0.1-o3.stats.txt.xz"
    table = load(file, ".").table
    assert len(table) == 4
    row = table.iloc[0]
    # A vector and its total; a distribution; a value that gem5 could not compute.
    total = "system.cpu.commitStats0.committedInstType::total"
    parts = [name for name in table.columns if name.startswith(total.removesuffix("total"))]
    assert row[total] == sum(row[name] for name in parts if name != total) > 4000
    assert row["system.cpu.numIssuedDist::samples"] > 1000
    assert row["system.cpu.dcache.tags.avgRefs"] != row["system.cpu.dcache.tags.avgRefs"]
    assert not table.isna().all(axis=0)["system.mem_ctrls.dram.bytesRead::total"]


def test_a_name_twice_in_a_dump_keeps_both_values_and_is_noted(tmp_path: Path) -> None:
    """gem5 21 to 23 print two statistics of an O3 core as idleCycles."""
    rows = "cpu.idleCycles 0 # IEW (Cycle)\ncpu.idleCycles 501 # Core (Cycle)\nx 1\n"
    (tmp_path / "stats.txt").write_text(f"{BEGIN}\n{rows}{END}\n" * 2)
    collected = load(tmp_path, ".")
    assert collected.table["cpu.idleCycles[0]"].tolist() == [0, 0]
    assert collected.table["cpu.idleCycles[1]"].tolist() == [501, 501]
    assert collected.faults == () and len(collected.notes) == 1
    assert "stats.txt: cpu.idleCycles is there twice in a dump" in collected.notes[0]


def test_a_message_is_a_column(tmp_path: Path) -> None:
    begin = BEGIN.replace(" -", " : boot -")
    (tmp_path / "stats.txt").write_text(f"{begin}\nx 1\n{END}\n{BEGIN}\nx 2\n{END}\n")
    table = load(tmp_path, "x").table
    assert list(table.columns) == ["file", "dump", "message", "x"]
    assert table["message"].tolist() == ["boot", ""]


@pytest.mark.parametrize(("ticks", "files"), [(5, ["stats.txt"]), (6, ["stats.txt", "stats.json"])])
def test_text_and_json_of_one_run_are_one(tmp_path: Path, ticks: int, files: list[str]) -> None:
    """JSON of another run, which lies there still, is kept."""
    (tmp_path / "stats.txt").write_text(f"{BEGIN}\nsimTicks 5\nx 1\n{END}\n")
    scalars = ", ".join(
        f'"{name}": {{"type": "Scalar", "value": {value}}}'
        for name, value in (("simTicks", ticks), ("x", 1))
    )
    (tmp_path / "stats.json").write_text(f'{{"simulated_begin_time": 0, {scalars}}}')
    collected = load(tmp_path, "^x$")
    assert collected.table["file"].tolist() == files and collected.faults == ()
    assert len(collected.notes) == 2 - len(files)


def test_hdf5_is_said_not_to_be_read(tmp_path: Path) -> None:
    (tmp_path / "stats.h5").write_bytes(b"\x89HDF")
    with pytest.raises(OsgapError, match="is HDF5, which is not read"):
        load(tmp_path, ".")
