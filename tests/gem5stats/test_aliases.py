# SPDX-License-Identifier: BSD-3-Clause
"""Statistics of other versions, paths and caches stand beside each other, and the rest is told."""

from pathlib import Path

import pytest

from osgap.errors import OsgapError
from osgap.gem5stats.aliases import counterparts, today
from osgap.gem5stats.gem5text import BEGIN, END
from osgap.gem5stats.sidebyside import side_by_side
from osgap.gem5stats.tree import load


def _tree(folder: Path, *rows: str) -> Path:
    folder.mkdir()
    text = "".join(f"{row}\n" for row in rows)
    (folder / "stats.txt").write_text(f"\n{BEGIN}\n{text}\n{END}\n")
    return folder


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sim_seconds", "simSeconds"),
        ("host_mem_usage", "hostMemory"),
        ("system.cpu.dcache.overall_miss_rate::total", "system.cpu.dcache.overallMissRate::total"),
        ("a.dcache.ReadReq_mshr_misses::cpu.data", "a.dcache.ReadReq.mshrMisses::cpu.data"),
        ("a.membus.pkt_count_a.icache_port::total", "a.membus.pktCount_a.icache_port::total"),
        ("a.ruby.l1_cntrl0.L1Dcache.demand_misses", "a.ruby.l1_cntrl0.L1Dcache.m_demand_misses"),
        ("a.ruby.network.average_flit_latency", "a.ruby.network.average_flit_latency"),
        ("system.mem_ctrls.my_own", "system.mem_ctrls.my_own"),
        ("system.cpu.numCycles", "system.cpu.numCycles"),
    ],
)
def test_a_name_before_version_21_is_read_as_the_one_since(old: str, new: str) -> None:
    assert today(old) == new == today(new)


SAME = [
    ("system.cpu.numCycles", "board.processor.cores.core.numCycles"),
    ("system.cpu.numCycles", "system.switch_cpus.numCycles"),
    ("system.cpu.ipc", "system.cpu_cluster.cpus.ipc"),
    ("system.cpu1.ipc", "board.processor.cores1.core.ipc"),
    ("system.cpu.committedInsts", "board.processor.cores.core.commitStats0.numInsts"),
    ("system.cpu.dcache.overallMisses::total", "board.cache_hierarchy.l1dcaches.overallMisses"),
    ("system.cpu.icache.overallMisses::total", "board.cache_hierarchy.l1i-cache-0.overallMisses"),
    ("system.l2.overallMissRate::total", "board.cache_hierarchy.l2-cache-0.overallMissRate::total"),
    ("system.cpu.l2cache.tags.x", "board.cache_hierarchy.l2_cache.tags.x"),
    ("system.mem_ctrls.bytesRead::total", "board.memory.mem_ctrl.dram.bytesRead::total"),
    ("system.physmem.bwTotal::total", "system.mem_ctrls0.dram.bwTotal::total"),
    ("system.cpu.dcache.overallMisses::total", "a.ruby.l1_cntrl0.L1Dcache.m_demand_misses"),
    ("system.cpu.icache.overallHits::total", "a.ruby_system.l1_controllers.L1Icache.m_demand_hits"),
    ("system.l2.overallAccesses::total", "a.ruby.l2_cntrl0.L2cache.m_demand_accesses"),
]


@pytest.mark.parametrize(("left", "right"), SAME)
def test_a_statistic_of_the_same_part_has_a_counterpart(left: str, right: str) -> None:
    assert counterparts([left], [right]) == {left: right}
    assert counterparts([right], [left]) == {right: left}


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (["system.cpu.ipc"], ["system.cpu0.dcache.ipc"]),
        (["system.cpu.ipc"], ["board.processor.cores1.core.ipc"]),
        (["system.cpu.ipc"], ["system.cpu0.ipc", "system.cpu1.ipc"]),
        (["a.cpu.ipc"], ["b.cpu.ipc", "b.switch_cpus.ipc"]),
        (["a.cpu.icache.x"], ["a.cpu.dcache.x"]),
        (["a.l2.x"], ["a.l3.x"]),
        (["simTicks"], ["finalTick"]),
        (["system.iobus.x"], ["board.iobus.x"]),
    ],
)
def test_what_may_be_another_part_has_none(left: list[str], right: list[str]) -> None:
    assert counterparts(left, right) == {}


def test_a_name_that_both_have_counts_before_any_other() -> None:
    left = ["system.cpu.ipc", "system.cpu.cpi"]
    assert counterparts(left, ["system.cpu.ipc", "system.switch_cpus.ipc"]) == {left[0]: left[0]}


def test_times_are_ticks_over_frequency_not_what_is_rounded(tmp_path: Path) -> None:
    frequency = "simFreq 1000000000000"
    a = _tree(tmp_path / "a", "sim_seconds 0.000001", "sim_ticks 1400000", "sim_freq 1000000000000")
    b = _tree(tmp_path / "b", "simSeconds 0.000003", "simTicks 2600000", frequency)
    table = side_by_side(a, b, "simSeconds").table
    assert table["ratio"].tolist() == [2600000 / 1400000]
    assert load(a, "sim_seconds").table["simSeconds"].tolist() == [1.4e-6]
    (b / "stats.txt").write_text(
        (b / "stats.txt").read_text() + f"\n{BEGIN}\nsimSeconds 0.000001\nsimTicks 5\n{END}\n"
    )
    assert load(b, "simSeconds").table["simSeconds"].tolist() == [2.6e-6, 5e-12]


def test_a_comparison_says_what_it_left_out_and_what_has_two_names(tmp_path: Path) -> None:
    a = _tree(tmp_path / "a", "sim_ticks 4", "system.cpu.numCycles 9", "x 1")
    b = _tree(tmp_path / "b", "simTicks 8", "board.processor.cores.core.numCycles 3", "y 1", "z 2")
    pair = side_by_side(a, b, ".")
    assert pair.table[["statistic", "a", "b"]].to_numpy().tolist() == [
        ["simTicks", 4, 8],
        ["system.cpu.numCycles", 9, 3],
        ["x", 1, None],
        ["y", None, 1],
        ["z", None, 2],
    ]
    assert pair.notes == (
        f"{a}: stats.txt: dump 0: not in {b}: x",
        f"{b}: stats.txt: dump 0: not in {a}: y, z",
        "compared under two names: system.cpu.numCycles and board.processor.cores.core.numCycles",
    )


def test_a_tree_with_nothing_to_read_is_a_side_that_is_empty(tmp_path: Path) -> None:
    a, b = _tree(tmp_path / "a"), _tree(tmp_path / "b", "simTicks 5")
    (a / "stats.txt").write_text("")
    pair = side_by_side(a, b)
    assert pair.table[["statistic", "a", "b"]].to_numpy().tolist() == [["simTicks", None, 5]]
    assert pair.faults == (f"{a / 'stats.txt'}: is empty",)
    with pytest.raises(OsgapError, match="is empty"):
        side_by_side(a, a)
