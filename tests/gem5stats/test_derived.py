# SPDX-License-Identifier: BSD-3-Clause
"""Rates and speed-ups that are computed from gem5's counters; right values by hand."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from stats_texts import write_stats
from streams import streams

from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.gem5stats.derived import COUNTERS, derived, other_caches
from osgap.gem5stats.tree import load
from osgap.gem5stats.trees import load_trees

FIXTURES = Path(__file__).parent / "fixtures"
GUIDE = project_root() / "docs" / "guide" / "gem5.md"
NAMES = r"l2_(?P<l2>\d+)kB/(?P<workload>\w+)"
CORE = "system.cpu"


def _table(
    *paths: Path, names: str | None = None, base: Sequence[str] = ()
) -> tuple[list[dict[str, Any]], list[str]]:
    trees, _ = load_trees(paths, COUNTERS, names)
    result = derived(trees, base)
    return result.table.to_dict("records"), list(result.notes)


def _of(folder: Path, dump: Mapping[str, float]) -> dict[str, Any]:
    (row,), _ = _table(write_stats(folder / "stats.txt", dump))
    return row


def test_rates_are_those_of_all_cores_and_caches_and_of_exact_time(tmp_path: Path) -> None:
    counters = {
        "simSeconds": 0,  # rounded by gem5
        "simTicks": 2_000,
        "simFreq": 10**12,
        "system.cpu0.numCycles": 2000,
        "system.cpu1.numCycles": 3000,
        "system.cpu0.commitStats0.numInsts": 1000,
        "system.cpu1.commitStats0.numInsts": 3000,
        "system.cpu0.ipc": 99,
        "system.cpu0.dcache.overallMisses::total": 10,
        "system.cpu1.dcache.overallMisses::total": 30,
        "system.cpu1.dcache.overallMisses::cpu1.data": 30,
        "system.l2.replacements": 0,
    }
    assert _of(tmp_path, counters) == {
        "tree": f"{tmp_path}/stats.txt",
        "file": "stats.txt",
        "dump": 0,
        "seconds": 2e-9,
        "instructions": 4000,
        "cycles": 5000,
        "ipc": 0.8,
        "cpi": 1.25,
        "l1d_mpki": 10,
        "l2_mpki": 0,
        "speedup": 1,
    }


@pytest.mark.parametrize(
    ("counters", "instructions"),
    [
        ({f"{CORE}.committedInsts": 7, f"{CORE}.commitStats0.numInsts": 5}, 5),
        ({f"{CORE}.commitStats0.numInsts": 5, f"{CORE}.commitStats1.numInsts": 6}, 11),
        ({f"{CORE}.committedInsts::0": 3, f"{CORE}.committedInsts::total": 7, "simInsts": 9}, 7),
        ({"board.processor.cores.core.exec_context.thread_0.numInsts": 7, "simInsts": 9}, 7),
        ({"simInsts": 9, "simTicks": 5, "finalTick": 5}, 9),
        ({"sim_insts": 9, "sim_ticks": 5}, 9),
        ({"simInsts": 9, "simTicks": 5, "finalTick": 6}, None),
    ],
)
def test_instructions_are_the_committed_ones_since_the_last_reset(
    tmp_path: Path, counters: Mapping[str, float], instructions: int | None
) -> None:
    assert _of(tmp_path, counters)["instructions"] == instructions


def test_misses_of_ruby_count_and_json_has_none(tmp_path: Path) -> None:
    ruby = {
        "board.processor.cores0.core.commitStats0.numInsts": 2000,
        "board.cache_hierarchy.ruby_system.l1_controllers0.L1Dcache.m_demand_misses": 4,
        "system.cpu0.l2.cache.m_demand_misses": 6,
    }
    row = _of(tmp_path, ruby)
    assert (row["l1d_mpki"], row["l2_mpki"]) == (2, 3)
    values = {"simTicks": 5, "finalTick": 5, "simInsts": 9, "system.l2.replacements": 7}
    scalars = {name: {"type": "Scalar", "value": value} for name, value in values.items()}
    (tmp_path / "stats.json").write_text(json.dumps({"simulated_begin_time": 0, **scalars}))
    rows, notes = _table(tmp_path / "stats.json")
    assert rows[0]["l2_mpki"] is None and rows[0]["instructions"] == 9
    assert notes == [f"no seconds, cycles, ipc, cpi, l2_mpki, speedup of {tmp_path}/stats.json"]


def test_caches_of_no_known_level_are_told(tmp_path: Path) -> None:
    misses = ("system.llc.overallMisses::total", "system.cpu.itb_walker_cache.overallMisses::total")
    dump = dict.fromkeys([*misses, "system.l2.overallMisses::total"], 1)
    trees, _ = load_trees([write_stats(tmp_path / "stats.txt", dump)], COUNTERS)
    assert other_caches(trees) == [f"no mpki of caches of no known level: {', '.join(misses)}"]
    assert other_caches(load_trees([FIXTURES / "gem5_stats.txt"], COUNTERS)[0]) == []


def test_cpi_is_what_gem5_prints_for_one_core() -> None:
    file = FIXTURES / "gem5-24.0.0.1-o3-dumps.stats.txt.xz"
    printed = [dump.values["system.cpu.cpi"] for dump in load(file, r"^system\.cpu\.cpi$").dumps]
    assert [row["cpi"] for row in _table(file)[0]] == pytest.approx(printed, abs=1e-6)


def _sweep(folder: Path, seconds: Mapping[str, float]) -> Path:
    for name, value in seconds.items():
        write_stats(folder / name / "stats.txt", {"simSeconds": value})
    return folder


FOUR = {"l2_256kB/mcf": 8, "l2_256kB/lbm": 8, "l2_512kB/mcf": 4, "l2_512kB/lbm": 1}


def test_the_geometric_mean_is_over_the_trees_of_one_value_of_the_base(tmp_path: Path) -> None:
    rows, _ = _table(_sweep(tmp_path, FOUR), names=NAMES, base=["l2=256"])
    cells = [(row["l2"], row["workload"], row["speedup"]) for row in rows[2:]]
    assert cells == [
        ("512", "lbm", 8),
        ("512", "mcf", 2),
        ("256", "geomean", 1),
        ("512", "geomean", pytest.approx(4)),
    ]


@pytest.mark.parametrize("size", ["size", "count", "mean", "index", "weight", "level_0"])
def test_a_parameter_may_have_any_name(tmp_path: Path, size: str) -> None:
    names = NAMES.replace("<l2>", f"<{size}>").replace("<workload>", "<name>")
    rows, _ = _table(_sweep(tmp_path, FOUR), names=names, base=[f"{size}=256"])
    assert (rows[-1][size], rows[-1]["name"]) == ("512", "geomean")


def test_a_mean_that_lacks_a_tree_is_left_out_and_told(tmp_path: Path) -> None:
    seconds = {name: value for name, value in FOUR.items() if name != "l2_512kB/mcf"}
    rows, notes = _table(_sweep(tmp_path, seconds), names=NAMES, base=["l2=256"])
    assert [row["l2"] for row in rows if row["workload"] == "geomean"] == ["256"]
    assert notes[-1] == "no geomean of l2=512: 1 of 2 trees have a speedup"


def test_a_tree_of_one_parameter_has_no_mean(tmp_path: Path) -> None:
    rows, _ = _table(_sweep(tmp_path, FOUR), names=r"(?P<path>l2.*)", base=["path=l2_256kB/mcf"])
    assert [row["speedup"] for row in rows] == [1, 1, 8, 2]


def test_a_selection_beside_derived_is_refused(tmp_path: Path) -> None:
    with streams() as (_, err):
        sweep = str(_sweep(tmp_path, FOUR))
        assert main(["analyze", "--stats", sweep, "--derived", "--select", "x"]) == 2
    assert "--select: found beside --derived" in err.text()


def test_the_guides_commands_print_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The trees of the guide: 1,000,000 instructions at 1 GHz, with a size of the second level."""
    times = {"mcf": (3, 2), "lbm": (2, 1.5)}
    for size, column in (("256", 0), ("1024", 1)):
        for workload, columns in times.items():
            milliseconds = columns[column]
            dump = {
                "simSeconds": milliseconds / 1e3,
                f"{CORE}.numCycles": int(milliseconds * 1e6),
                f"{CORE}.commitStats0.numInsts": 10**6,
                f"{CORE}.dcache.overallMisses::total": 40_000,
                "system.l2.overallMisses::total": int(milliseconds * 8e3),
            }
            write_stats(tmp_path / "sweep" / f"l2_{size}kB" / workload / "stats.txt", dump)
    monkeypatch.chdir(tmp_path)
    shown = re.findall(
        r"```sh\n\.venv/bin/osgap (analyze --stats sweep .*?)\n```\n\n```\n(.*?)```",
        GUIDE.read_text(),
        re.DOTALL,
    )
    assert shown
    for command, output in shown:
        words = re.findall(r"'([^']*)'|(\S+)", command.replace("\\\n", " "))
        with streams() as (out, err):
            assert main([quoted or bare for quoted, bare in words]) == 0
        assert (out.text(), err.text()) == (output, "")


def test_json_has_the_counters_too(tmp_path: Path) -> None:
    with streams() as (out, _):
        sweep = str(_sweep(tmp_path, FOUR))
        assert main(["analyze", "--stats", sweep, "--derived", "--format", "json"]) == 0
    first = json.loads(out.text())[0]
    assert first["seconds"] == 8 and first["cycles"] is None and first["speedup"] == 1
