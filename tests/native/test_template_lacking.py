# SPDX-License-Identifier: BSD-3-Clause
"""The machine file of a machine whose facts lack something, or contradict what was measured."""

from dataclasses import replace
from pathlib import Path

import measured
import pytest
from board_trees import PREMIER_P550, VISIONFIVE2, measured_text
from machine_files import facts_of, loaded, of_board, text_of, todo, without

from osgap.engines import rvsim_config
from osgap.machines.system import system

CPU = measured.CPU
SYSFS = {
    f"{CPU}/cpu3/cache/index{number}/{key}": f"{value};"
    for number, cache in enumerate(
        [
            ("1", "Data", "48K", "64", "12"),
            ("1", "Instruction", "32K", "64", "8"),
            ("2", "Unified", "1024K", "128", "16"),
            ("3", "Unified", "33792K", "64", "11"),
        ]
    )
    for key, value in zip(
        ("level", "type", "size", "coherency_line_size", "ways_of_associativity"),
        cache,
        strict=True,
    )
}


def test_caches_of_sysfs_become_such_as_can_be_simulated(tmp_path: Path) -> None:
    text = text_of(measured_text(VISIONFIVE2, SYSFS))
    found = loaded(tmp_path, text)
    assert found.l2 and found.l3
    assert (found.l1d.size_kib.value, found.l1d.ways.value) == (48, 12)
    assert found.l1d.size_kib.source == "/sys: size"
    assert found.l2.line_bytes.value == 64
    assert found.l2.line_bytes.source == (
        "assumed: the nearest that can be simulated; /sys: coherency_line_size is 128"
    )
    # 33 MiB have no power of two of sets with 32 ways or fewer.
    assert (found.l3.size_kib.value, found.l3.ways.value) == (32768, 8)
    assert found.l3.size_kib.source.endswith("; /sys: size is 34603008")
    assert "[l3] size_kib, ways: assumed" in todo(text)
    rvsim_config.check(system(found))


def test_sysfs_and_the_device_tree_complete_each_other(tmp_path: Path) -> None:
    tree = facts_of(tmp_path / "root", VISIONFIVE2)
    data = {key: value for key, value in SYSFS.items() if "index0" in key}
    data[f"{CPU}/cpu3/cache/index0/ways_of_associativity"] = None
    found = loaded(tmp_path, text_of(measured_text(VISIONFIVE2, {**tree, **data})))
    assert found.l2 and found.l2.size_kib.value == 2048
    assert (found.l1d.size_kib.value, found.l1d.size_kib.source) == (48, "/sys: size")
    # The ways of the tree do not fit the size of /sys.
    assert found.l1d.ways.value == 6


def test_a_cache_that_no_chase_fits_has_an_assumed_latency(tmp_path: Path) -> None:
    facts = facts_of(tmp_path / "root", PREMIER_P550)
    board = without(PREMIER_P550, "chase_512k", "chase_1m", "chase_4m")
    text = text_of(measured_text(board, facts))
    found = loaded(tmp_path, text)
    assert found.l3 and found.l3.load_cycles
    # Between 13 and 286 cycles.
    assert found.l3.load_cycles.value == 61 and found.l3.load_cycles.source.startswith("assumed: ")
    assert "[l3] load_cycles: assumed" in todo(text)
    rvsim_config.check(system(found))


def test_a_cache_that_is_not_reported_is_seen(tmp_path: Path) -> None:
    """The VisionFive 2 with a device tree that leaves out the second cache."""
    cpu = {
        key: value for key, value in VISIONFIVE2.nodes["cpus/cpu@4"].items() if "next" not in key
    }
    board = replace(VISIONFIVE2, nodes={**VISIONFIVE2.nodes, "cpus/cpu@4": cpu})
    found, text = of_board(tmp_path, board)
    assert found.l2 is None and found.memory.latency_ns.value == pytest.approx(165, abs=1)
    assert (
        "[l1d]: a load takes 13.4 ns over 128 KiB, but 167 ns over 16 MiB: there seems to be a "
        "cache behind it that the machine does not report"
    ) in todo(text)


def test_a_chase_that_the_last_cache_holds_is_said(tmp_path: Path) -> None:
    facts = facts_of(tmp_path / "root", PREMIER_P550)
    text = text_of(measured_text(without(PREMIER_P550, "chase_16m"), facts))
    assert loaded(tmp_path, text).memory.latency_ns.value == pytest.approx(102, abs=1)
    assert "[memory] latency_ns: a load takes 104 ns over 4 MiB, much of which the last" in todo(
        text
    )


def test_a_machine_that_tells_nothing_has_the_usual_caches(tmp_path: Path) -> None:
    text = text_of(measured_text(VISIONFIVE2, {"uname": "Linux 6.1 x86_64", "cpuinfo": "x : y;"}))
    found = loaded(tmp_path, text)
    assert [cache.size_kib.value for cache in found.caches.values()] == [32, 32]
    assert found.memory.latency_ns.value == pytest.approx(165.2, abs=1)
    assert "[l1d] size_kib, ways, line_bytes: assumed" in todo(text)
    assert "page_table_levels: 3 for Sv39" in todo(text)
    rvsim_config.check(system(found))


def test_without_boards_the_chases_of_checks_tell(tmp_path: Path) -> None:
    board = replace(
        without(VISIONFIVE2, *VISIONFIVE2.ns),
        ns={"pointer_chase_l1": 2.0, "pointer_chase_memory": 180.0, "memcpy": 860.0},
    )
    found = loaded(tmp_path, text_of(measured_text(board, facts_of(tmp_path / "root", board))))
    assert found.l1d.load_cycles and found.l1d.load_cycles.value == 3
    assert found.memory.latency_ns.value == pytest.approx(178.4, abs=1)
    assert found.l1d.mshrs is None
