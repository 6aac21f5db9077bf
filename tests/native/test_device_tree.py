# SPDX-License-Identifier: BSD-3-Clause
"""measure.sh finds the measured CPU and its caches in the device trees of published boards."""

from dataclasses import replace
from pathlib import Path

import pytest
from board_trees import BOARDS, NEZHA, PREMIER_P550, VISIONFIVE2, Board, make_tree
from test_cores import facts_in

CACHES = {
    "visionfive2": {"cache-1": (2, 2097152, 2048, 64)},
    "p550": {"cache-1": (2, 262144, 512, 64), "cache-2": (3, 4194304, 4096, 64)},
    "d1": {},
}


def tree_facts(root: Path, *words: str) -> dict[str, str]:
    """The facts of the device tree that measure.sh prints of a machine, without their prefix."""
    done = facts_in(root, *words)
    assert done.returncode == 0 and done.stderr == ""
    prefix = "fact device-tree/"
    lines = [line for line in done.stdout.splitlines() if line.startswith(prefix)]
    return dict(line.removeprefix(prefix).partition(" ")[::2] for line in lines)


def numbers(board: Board, node: str) -> dict[str, str]:
    """The numbers of a node that belong to caches and TLBs."""
    return {
        f"cpu/{key}": str(value)
        for key, value in board.nodes[node].items()
        if ("-cache-" in key and "next" not in key) or "-tlb-" in key
    }


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("linked", [True, False])
def test_the_last_cpu_and_its_caches_are_found(tmp_path: Path, name: str, linked: bool) -> None:
    board = BOARDS[name]
    facts = tree_facts(make_tree(tmp_path, board, linked=linked))
    assert {
        key: value for key, value in facts.items() if key.startswith("cpu/") and value.isdigit()
    } == numbers(board, f"cpus/cpu@{board.harts[-1]}")
    assert facts["cpu/mmu-type"].rstrip() == f"riscv,{board.mmu}"
    caches = {key.partition("/")[0] for key in facts} - {"cpu"}
    assert {
        cache: tuple(
            int(facts[f"{cache}/cache-{key}"]) for key in ("level", "size", "sets", "block-size")
        )
        for cache in caches
    } == CACHES[name]
    assert all(facts[f"{cache}/cache-unified"] == "present" for cache in caches)


def test_the_first_cpu_of_the_visionfive_2_is_its_second_hart(tmp_path: Path) -> None:
    """Hart 0, the small core, runs no Linux."""
    facts = tree_facts(make_tree(tmp_path, VISIONFIVE2), "--cpu", "0")
    assert facts["cpu/compatible"].split() == ["sifive,u74-mc", "riscv"]
    assert facts["cpu/i-cache-size"] == "32768" and facts["cpu/tlb-split"] == "present"


def with_next(board: Board, node: str, handle: int) -> Board:
    """The board with another handle of a node's next cache."""
    nodes = {**board.nodes, node: {**board.nodes[node], "next-level-cache": handle}}
    return replace(board, nodes=nodes)


def test_a_handle_of_no_cache_ends_the_search(tmp_path: Path) -> None:
    nowhere = with_next(NEZHA, "cpus/cpu@0", 99)
    assert "cpu/d-cache-size" in tree_facts(make_tree(tmp_path / "nowhere", nowhere))
    # The handle of the interrupt controller.
    other = with_next(VISIONFIVE2, "cpus/cpu@4", 21)
    assert not any("cache-1/" in key for key in tree_facts(make_tree(tmp_path / "other", other)))


def test_caches_in_a_circle_end(tmp_path: Path) -> None:
    circle = with_next(PREMIER_P550, "soc/cache-controller@2010000", 40)
    facts = tree_facts(make_tree(tmp_path, circle))
    assert {key.partition("/")[0] for key in facts} == {"cpu", "cache-1", "cache-2", "cache-3"}


def test_numbers_of_two_cells_and_empty_ones_are_read(tmp_path: Path) -> None:
    root = make_tree(tmp_path, NEZHA)
    node = root / "sys/firmware/devicetree/base/cpus/cpu@0"
    (node / "d-cache-size").write_bytes(bytes([0, 0, 0, 1, 0, 0, 0, 0]))
    (node / "i-cache-size").write_bytes(b"")
    facts = tree_facts(root)
    assert facts["cpu/d-cache-size"] == str(1 << 32)
    assert facts["cpu/i-cache-size"] == ""


def test_a_machine_without_a_device_tree_has_none_of_its_facts(tmp_path: Path) -> None:
    root = make_tree(tmp_path, NEZHA)
    (root / "proc/device-tree").unlink()
    (root / "sys/devices/system/cpu/cpu0/of_node").unlink()
    (root / "sys/firmware").rename(root / "sys/other")
    assert tree_facts(root) == {}
