# SPDX-License-Identifier: BSD-3-Clause
"""Several trees of statistics, each beside its base."""

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest
from examples import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stats_texts import write_stats
from streams import streams

from osgap.base.errors import OsgapError
from osgap.cli.main import main
from osgap.gem5stats.trees import base_values, bases, load_trees, normalised

L2_AND_WORKLOAD = r"l2_(?P<l2>\d+)kB/(?P<workload>\w+)"


def _sweep(folder: Path, ticks: dict[str, int]) -> Path:
    """Trees of the names and simTicks in `ticks`, each beside a config.json."""
    for name, value in ticks.items():
        write_stats(folder / name / "stats.txt", {"simTicks": value})
        (folder / name / "config.json").write_text("{}")
    return folder


def _rows(
    *paths: Path, names: str | None = None, base: Sequence[str] = (), select: str = "."
) -> tuple[list[list[object]], list[str]]:
    trees, notes = load_trees(paths, select, names)
    parameters = [tree.parameters for tree in trees]
    places = bases(parameters, base_values(base, parameters))
    table, left_out = normalised(trees, places)
    columns = [*parameters[0], "statistic", "value", "base", "ratio"]
    return table[columns].to_numpy().tolist(), notes + left_out


FOUR = {"l2_256kB/mcf": 8, "l2_256kB/lbm": 10, "l2_1024kB/mcf": 4, "l2_1024kB/lbm": 15}


def test_each_tree_is_beside_the_one_with_the_base_value_and_its_other_parameters(
    tmp_path: Path,
) -> None:
    sweep = _sweep(tmp_path, FOUR)
    assert _rows(sweep, names=L2_AND_WORKLOAD, base=["l2=256"]) == (
        [
            ["256", "lbm", "simTicks", 10, 10, 1.0],
            ["256", "mcf", "simTicks", 8, 8, 1.0],
            ["1024", "lbm", "simTicks", 15, 10, 1.5],
            ["1024", "mcf", "simTicks", 4, 8, 0.5],
        ],
        [],
    )
    assert [row[-1] for row in _rows(sweep)[0]] == [1.0, 0.8, 1.5, 0.4]


def test_names_of_other_versions_and_paths_stand_beside_the_base(tmp_path: Path) -> None:
    a = write_stats(tmp_path / "a" / "stats.txt", {"system.cpu.numCycles": 4, "x": 1})
    b = write_stats(tmp_path / "b" / "stats.txt", {"board.processor.cores.core.numCycles": 6})
    c = write_stats(tmp_path / "c" / "my_stats.txt", {"system.cpu0.numCycles": 2, "y": 1})
    rows, notes = _rows(a, b, c, select="numCycles|y|x")
    cycles = "system.cpu.numCycles"
    assert [row for row in rows if row[0] == cycles] == [
        [cycles, value, 4, value / 4] for value in (4, 6, 2)
    ]
    assert ["y", 1, None, None] in rows and ["x", None, 1, None] in rows
    assert f"{c}: my_stats.txt: dump 0: not in {a}: y" in notes
    assert sum("two names" in note for note in notes) == 2


def test_a_tree_without_a_base_and_a_path_that_does_not_match_are_told(tmp_path: Path) -> None:
    sweep = _sweep(tmp_path, {**FOUR, "l2_512kB/gcc": 3, "other": 1})
    rows, notes = _rows(sweep, names=L2_AND_WORKLOAD, base=["l2=256"])
    assert ["512", "gcc", "simTicks", 3, None, None] in rows and len(rows) == 5
    assert notes == [
        f"left out, because --names does not match: {sweep}/other",
        f"without a ratio, because no tree is the base: {sweep}/l2_512kB/gcc",
    ]


@pytest.mark.parametrize(
    ("names", "base", "words"),
    [
        ("(", [], "--names: '[(]' is no regular expression"),
        ("mcf", [], "--names: found 'mcf'; allowed: named groups"),
        ("(?P<file>mcf)", [], "--names: found a group file; allowed"),
        ("(?P<x>gcc)", [], "--names: '.*' does not match .*lbm, .* and 1 more"),
        (L2_AND_WORKLOAD, ["l2"], "--base: found 'l2'; allowed: l2=VALUE, workload=VALUE"),
        (L2_AND_WORKLOAD, ["l3=1"], "--base: found 'l3=1'; allowed: l2=VALUE, workload=VALUE"),
        (L2_AND_WORKLOAD, ["l2=2"], "--base: l2: found '2'; allowed: 256, 1024"),
        (r"l2_(?P<l2>\d+)kB", ["l2=256"], "--names: two trees have l2=256; allowed"),
    ],
)
def test_wrong_names_and_bases_are_told(
    tmp_path: Path, names: str, base: list[str], words: str
) -> None:
    with pytest.raises(OsgapError, match=words):
        _rows(_sweep(tmp_path, FOUR), names=names, base=base)


def test_a_directory_without_statistics_is_told(tmp_path: Path) -> None:
    with pytest.raises(OsgapError, match="holds no file called like"):
        load_trees([tmp_path], ".", "(?P<x>.)")


def test_a_tree_has_no_file_of_a_tree_below_it(tmp_path: Path) -> None:
    """Each directory is a tree of its own."""
    _sweep(tmp_path, {"l2_1": 5, "l2_1/l2_2": 7})
    assert _rows(tmp_path, names=r".*l2_(?P<l2>\d+)")[0] == [
        ["1", "simTicks", 5, 5, 1.0],
        ["2", "simTicks", 7, 5, 1.4],
    ]


@settings(max_examples=examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    count=st.integers(1, 5),
    dumps=st.lists(
        st.dictionaries(
            st.sampled_from(["simTicks", "system.cpu.numCycles", "system.l2.x::total"]),
            st.integers(1, 10**12) | st.floats(1e-6, 1e12),
            min_size=1,
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_trees_that_are_alike_have_only_the_ratio_one(
    tmp_path: Path, count: int, dumps: list[dict[str, float]]
) -> None:
    paths = [write_stats(tmp_path / str(n) / "stats.txt", *dumps).parent for n in range(count)]
    rows, notes = _rows(*paths)
    assert [row[-1] for row in rows] == [1.0] * (count * sum(map(len, dumps))) and notes == []


def test_the_command_prints_a_table_a_statistic_and_exports_a_row_a_tree(tmp_path: Path) -> None:
    command = ["analyze", "--stats", str(_sweep(tmp_path, FOUR)), "--names", L2_AND_WORKLOAD]
    with streams() as (out, err):
        assert main([*command, "--base", "l2=256"]) == 0
    assert err.text() == ""
    lines = [line.split("|")[1:-1] for line in out.text().splitlines() if "1024" in line]
    cells = [[cell.strip() for cell in line] for line in lines]
    assert cells == [["1024", "lbm", "15", "1.5"], ["1024", "mcf", "4", "0.5"]]
    assert out.text().splitlines()[0] == "base: l2=256"
    with streams() as (out, _):
        assert main([*command, "--format", "csv"]) == 0
    (*_, last) = csv.DictReader(out.text().splitlines())
    assert last == {
        "tree": f"{tmp_path}/l2_1024kB/mcf",
        "l2": "1024",
        "workload": "mcf",
        "file": "stats.txt",
        "dump": "0",
        "statistic": "simTicks",
        "unit": "Count",
        "value": "4",
        "base": "10",
        "ratio": "0.4",
    }
