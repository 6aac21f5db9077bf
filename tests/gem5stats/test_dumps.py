# SPDX-License-Identifier: BSD-3-Clause
"""The dump of a file that is chosen, and what changed since the one before."""

import lzma
import math
from argparse import ArgumentTypeError
from decimal import Decimal
from pathlib import Path

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from stats_texts import write_stats
from streams import streams

from osgap.cli.main import main
from osgap.cli.statistics import dump_number
from osgap.gem5stats.aliases import CAMEL
from osgap.gem5stats.dumps import DumpView, is_counter
from osgap.gem5stats.gem5text import BEGIN, END
from osgap.gem5stats.sidebyside import side_by_side
from osgap.gem5stats.textrow import parse_row
from osgap.gem5stats.tree import Tree, load

FIXTURES = Path(__file__).parent / "fixtures"
RESETS = FIXTURES / "gem5-24.0.0.1-o3-dumps.stats.txt.xz"
DIFFERENCES = DumpView(differences=True)


def _text(path: Path, *dumps: str) -> Path:
    path.write_text("".join(f"{BEGIN}\n{rows}\n{END}\n" for rows in dumps))
    return path


def _columns(found: Tree) -> dict[str, list[object]]:
    return {str(name): list(cells) for name, cells in found.table.items() if name != "file"}


@pytest.mark.parametrize(
    ("typed", "numbers"), [("1", [1]), ("-1", [2]), ("last", [2]), ("-3", [0]), ("all", [0, 1, 2])]
)
def test_a_dump_is_chosen_by_its_number_from_either_end(
    tmp_path: Path, typed: str, numbers: list[int]
) -> None:
    file = write_stats(tmp_path / "stats.txt", *({"x": at * 10} for at in range(3)))
    with streams() as (out, err):
        assert main(["analyze", "--stats", str(file), "--select", "x", "--dump", typed]) == 0
    rows = [f"stats.txt,{number},{number * 10}" for number in numbers]
    assert out.text().splitlines()[1:] == rows and err.text() == ""


def test_a_number_that_a_file_lacks_names_the_file_and_the_others_are_read(tmp_path: Path) -> None:
    write_stats(tmp_path / "a" / "stats.txt", {"x": 1})
    write_stats(tmp_path / "b" / "stats.txt", {"x": 1}, {"x": 2})
    words = ["analyze", "--stats", str(tmp_path), "--select", "x", "--dump"]
    for typed, told in (
        ("1", "a/stats.txt: --dump: found 1; allowed: 0, or -1 from the end"),
        ("2", "b/stats.txt: --dump: found 2; allowed: 0 to 1, or -2 to -1 from the end"),
    ):
        with streams() as (out, err):
            assert main([*words, typed]) == 2
        assert told in err.text() and ("b/stats.txt,1,2" in out.text()) is (typed == "1")
    for typed in ("one", "", "1.5", "--1", "٣"):
        with pytest.raises(ArgumentTypeError, match="allowed: a number from 0"):
            dump_number(typed)


def test_of_two_trees_the_chosen_dumps_stand_beside_each_other(tmp_path: Path) -> None:
    a = write_stats(tmp_path / "a" / "stats.txt", {"x": 1}, {"x": 2}, {"x": 3})
    b = write_stats(tmp_path / "b" / "stats.txt", {"x": 5}, {"x": 6})
    pair = side_by_side(a, b, "x", DumpView(-1))
    assert pair.table[["dump", "a", "b"]].to_numpy().tolist() == [[2, 3, 6]]
    assert pair.notes == ()


def test_counters_are_subtracted_and_ratios_left_out(tmp_path: Path) -> None:
    """0.3 - 0.1 has no noise of its binary form, and a row that was 0 may have been left out."""
    rows = "finalTick {0}0 # (Tick)\nsimTicks {0}0 # (Tick)\nx 0.{0} # (Second)\nipc {0} # (Count)"
    late = rows.format(3) + "\nnew 7 # (Count)\nbusy 1 # ((Count/Cycle))"
    found = load(_text(tmp_path / "stats.txt", rows.format(1), late), ".", DIFFERENCES)
    assert _columns(found) == {
        "dump": [0, 1],
        "finalTick": [10, 20],
        "simTicks": [10, 20],
        "x": [0.1, 0.2],
        "ipc": [1, None],
        "new": [None, 7],
    }
    assert found.notes[0].endswith("left out where a dump goes on counting: ipc, busy")


def test_dumps_after_a_reset_stay_and_instructions_are_subtracted() -> None:
    """gem5 reset the statistics between these dumps, but counts simInsts on; ipc tells it."""
    select = "^simInsts$|^simTicks$|cpu.numCycles|cpu.ipc"
    plain, changes = load(RESETS, select), load(RESETS, select, DIFFERENCES)
    same = ["simTicks", "system.cpu.numCycles", "system.cpu.ipc"]
    assert changes.table[same].equals(plain.table[same])
    computed = changes.table["system.cpu.ipc"] * changes.table["system.cpu.numCycles"]
    assert [round(insts) for insts in computed] == changes.table["simInsts"].tolist()
    assert "2 of 3 dumps count from a reset" in changes.notes[0] and len(changes.notes) == 1


def test_a_counter_that_fell_tells_a_reset_where_there_is_no_final_tick(tmp_path: Path) -> None:
    dumps = ({"x": 1, "y": 9}, {"x": 4, "y": 9}, {"x": 5, "y": 8})
    found = load(write_stats(tmp_path / "stats.txt", *dumps), ".", DIFFERENCES)
    assert _columns(found) == {"dump": [0, 1, 2], "x": [1, 3, 5], "y": [9, 0, 8]}


def test_a_row_that_may_be_damaged_has_no_difference(tmp_path: Path) -> None:
    file = _text(tmp_path / "stats.txt", "x 1\ny 2#3", "x 3\ny 30")
    found = load(file, ".", DIFFERENCES)
    assert found.table["x"].tolist() == [1, 2] and math.isnan(found.table["y"][1])
    assert len(found.faults) == 1


STEP = st.tuples(st.integers(1, 10**18), st.decimals(0, 10**9, places=6), st.booleans())


@settings(deadline=None, max_examples=examples(25))
@given(steps=st.lists(STEP, min_size=1, max_size=9))
def test_changes_are_what_was_counted_between_dumps(
    steps: list[tuple[int, Decimal, bool]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whether gem5 resets the statistics before a dump or not."""
    ticks, seconds, end, dumps = 0, Decimal(0), 0, []
    for step, more, reset in steps:
        ticks, seconds, end = (
            (0 if reset else ticks) + step,
            more + (not reset) * seconds,
            end + step,
        )
        dumps.append(f"simTicks {ticks}\nfinalTick {end}\nx {seconds:f}\nsimInsts {end}")
    file = _text(tmp_path_factory.mktemp("t") / "stats.txt", *dumps)
    found = load(file, "simTicks|simInsts|x", DIFFERENCES).table
    assert found["simTicks"].tolist() == found["simInsts"].tolist() == [step for step, *_ in steps]
    assert found["x"].tolist() == [float(more) for _, more, _ in steps]


def test_kinds_of_statistics_are_known_by_unit_and_by_name() -> None:
    rows = [
        parse_row(line.rstrip())
        for line in lzma.decompress(RESETS.read_bytes()).decode().splitlines()
        if line[:1] in tuple("shf")
    ]
    no_counters = {row.name for row in rows if not is_counter(row.name, row.unit)}
    units = {row.unit for row in rows if row.name not in no_counters}
    assert units == {"Count", "Cycle", "Tick", "Byte", "Second", "Joule", "Unspecified"}
    # What has a counter's unit and is none:
    ends = {name.rpartition(".")[2] for name in no_counters}
    assert {"clock", "hostMemory", "tagsInUse", "loadToUse::mean", "warmupTick"} <= ends
    assert all(is_counter(row.name, None) or row.name in no_counters for row in rows)
    derived = {name for name in CAMEL if not is_counter(f"system.{name}", None)}
    assert {"sim_freq", "overall_miss_rate", "idle_fraction", "wb_fanout", "bw_total"} <= derived
    assert not derived & {"sim_ticks", "overall_misses", "num_busy_cycles", "bytes_read"}
