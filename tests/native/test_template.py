# SPDX-License-Identifier: BSD-3-Clause
"""The machine file of a measured board: what it says, and that it can be loaded and simulated."""

import tomllib
from dataclasses import replace
from pathlib import Path

import measured
import pytest
from board_trees import BOARDS, NEZHA, PREMIER_P550, VISIONFIVE2, measured_text
from machine_files import GEM5, MIX, facts_of, loaded, of_board, text_of, todo

from osgap.base.paths import project_root
from osgap.engines import rvsim_config
from osgap.machines.machine import load_machine
from osgap.machines.system import system
from osgap.native.facts import machine_of
from osgap.native.merge import merge
from osgap.native.output import NativeError, parse
from osgap.native.template.write import check_target, write_machine_file

MACHINES = project_root() / "configs" / "machines"


@pytest.mark.parametrize("name", BOARDS)
def test_it_agrees_with_the_boards_own_file(tmp_path: Path, name: str) -> None:
    """Where the device tree or a chase tells what that file says too."""
    found, text = of_board(tmp_path, BOARDS[name])
    board = load_machine(MACHINES / "boards" / f"{name}.toml")
    assert found.cpu.clock_mhz.value == board.cpu.clock_mhz.value
    if name != "p550":  # its file has Sv39, the one that gem5 has too
        assert found.cpu.page_table_levels == board.cpu.page_table_levels
    assert found.caches.keys() == board.caches.keys()
    for level, cache in found.caches.items():
        own = board.caches[level]
        assert (cache.size_kib.value, cache.line_bytes.value) == (
            own.size_kib.value,
            own.line_bytes.value,
        )
        # The D1's ways are those of a data sheet there, which contradicts the device tree.
        assert name == "d1" or cache.ways.value == own.ways.value
        # The P550's l3 has a published latency there; here a second TLB is in it.
        if own.load_cycles and level != "l3":
            assert cache.load_cycles and cache.load_cycles.value == own.load_cycles.value
    # That file leaves out a page-table walk, which a chase has in it.
    latency = board.memory.latency_ns.value
    assert 0.98 * latency < found.memory.latency_ns.value < 1.12 * latency
    assert found.memory.bandwidth_mb_s.value == pytest.approx(
        board.memory.bandwidth_mb_s.value, rel=0.01
    )
    if name != "d1":
        assert found.cpu.tlb_entries.value == board.cpu.tlb_entries.value
    assert "assumed" not in found.l1d.size_kib.source
    assert ("tlb_entries: assumed" in todo(text)) == (name == "d1")


def test_each_figure_says_what_told_it(tmp_path: Path) -> None:
    found, text = of_board(tmp_path, VISIONFIVE2)
    assert found.l2 and found.l2.load_cycles and found.l1d.mshrs and found.l1d.load_cycles
    assert found.cpu.clock_mhz.source.startswith("1497.0 MHz, measured here")
    assert found.cpu.tlb_entries.source == "device tree: d-tlb-size"
    assert "page_table_levels = 3 # /proc/cpuinfo: mmu sv39" in text
    assert found.l1i.size_kib.source == "device tree: i-cache-size"
    assert found.l1i.ways.source == (
        "device tree: i-cache-size / i-cache-block-size / i-cache-sets"
    )
    assert found.l2.size_kib.source == "device tree: cache-size"
    # Times of rounds are up to 5 parts in a thousand longer.
    assert found.l1d.load_cycles.source == "chase over 16 KiB: 2.005 ns, measured here"
    assert found.l2.load_cycles.source == "chase over 128 KiB: 13.43 ns, measured here"
    assert (found.l1d.mshrs.value, found.l1d.mshrs.source) == (
        1,
        "8 chases at once over 16 MiB take 5.74 times as long as one, measured here",
    )
    assert found.memory.latency_ns.source == (
        "chase over 16 MiB: 167.2 ns, measured here, less 2 ns of a hit in the l1d; 4096 pages, "
        "so a second TLB or page-table walks are still in it"
    )
    assert found.memory.bandwidth_mb_s.source.startswith("858 MB/s copied, measured here, and thr")
    assert "the machine has 976 MiB" in found.memory.size_mib.source
    assert found.description.startswith("StarFive VisionFive 2 v1.3B: one sifive,u74-mc core at 15")


def test_misses_at_once_are_those_that_eight_chases_show(tmp_path: Path) -> None:
    found, _ = of_board(tmp_path, PREMIER_P550)
    assert found.l1d.mshrs and found.l1d.mshrs.value == 7
    fast = replace(NEZHA, ns={**NEZHA.ns, "chase8_16m": 150.0})
    found, _ = of_board(tmp_path / "fast", fast)
    assert found.l1d.mshrs and found.l1d.mshrs.value == 8
    assert "more cannot be seen" in found.l1d.mshrs.source


def test_what_nothing_tells_is_listed_and_not_guessed(tmp_path: Path) -> None:
    found, text = of_board(tmp_path, NEZHA)
    assert (found.cpu.core, found.cpu.width) == ("in-order-pipelined", 1)
    assert found.pipeline is found.predictor is found.second_tlb is found.l1d.prefetch is None
    assert 'core = "in-order-pipelined" # assumed\n' in text
    for words in ("[cpu] core and width", "trap_cycles", "[predictor]", "[second_tlb]", "prefetch"):
        assert words in todo(text)
    assert "[l2] and [l3]: the machine reports no cache behind" in todo(text)
    assert "[l1d]" not in todo(text)


@pytest.mark.parametrize(
    ("fact", "traps"), [("400", True), ("34", True), ("33", False), ("3", False)]
)
def test_a_misaligned_load_that_takes_long_traps(tmp_path: Path, fact: str, traps: bool) -> None:
    text = text_of(measured_text(VISIONFIVE2, {"misaligned": fact}))
    assert loaded(tmp_path, text).cpu.misaligned_traps is traps
    assert f"# a misaligned load takes {fact} ns, measured here" in text
    assert "misaligned" not in todo(text)


@pytest.mark.parametrize("fact", [None, "0", "fast"])
def test_an_unknown_misaligned_load_is_listed(tmp_path: Path, fact: str | None) -> None:
    text = text_of(measured_text(VISIONFIVE2, {"misaligned": fact}))
    assert not loaded(tmp_path, text).cpu.misaligned_traps
    assert "[cpu] misaligned_traps: true, if a misaligned access traps" in todo(text)


def test_a_core_that_executes_more_than_one_instruction_a_cycle_is_wider(tmp_path: Path) -> None:
    facts = facts_of(tmp_path / "root", VISIONFIVE2)
    # 10,000 instructions in 20 us, at 400 MHz.
    text = text_of(measured_text(replace(VISIONFIVE2, clock_khz=400_000), facts))
    assert loaded(tmp_path, text).cpu.width == 2
    assert "width = 2 # assumed, the least: integer_mix has 1.25 instructions a cycle here" in text


@pytest.mark.parametrize("name", BOARDS)
def test_both_simulators_can_have_it(tmp_path: Path, name: str) -> None:
    simulated = system(of_board(tmp_path, BOARDS[name])[0])
    rvsim_config.check(simulated)
    assert min(GEM5["hit_latencies"](simulated)) >= 1 and GEM5["device_cycles"](simulated) > 0
    assert len({cache.line_bytes for cache in simulated.caches.values()}) == 1
    assert simulated.memory.size_mib == 128


def test_without_a_chase_there_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(NativeError, match=r"found no chase that was measured; allowed: a measure"):
        text_of(measured.text())


def test_a_clock_beyond_all_machine_files_is_refused() -> None:
    with pytest.raises(NativeError, match="found a clock of 25000 MHz; allowed: 20000 MHz"):
        text_of(measured_text(replace(NEZHA, clock_khz=25_000_000), {}))


def test_words_of_the_machine_stay_words(tmp_path: Path) -> None:
    model = {"/sys/firmware/devicetree/base/model": 'a "board" \\ with\x1b[31m # [cpu]'}
    found = loaded(tmp_path, text_of(measured_text(NEZHA, model)))
    assert 'a "board" \\ with\\x1b[31m # [cpu]: one' in found.description


def test_it_extends_the_base_machine_where_that_is(tmp_path: Path) -> None:
    parsed = parse(measured_text(NEZHA, {}), "f")
    samples = merge(parsed, "f", MIX.instructions).transcript.samples
    machine = machine_of(parsed, MIX, "f")
    base = (MACHINES / "base.toml").read_text()
    (tmp_path / "machines" / "boards").mkdir(parents=True)
    (tmp_path / "machines" / "base.toml").write_text(base)
    below, alone = tmp_path / "machines" / "boards" / "mine.toml", tmp_path / "mine.toml"
    for path in (below, alone):
        write_machine_file(path, machine, parsed.facts, samples)
    assert tomllib.loads(below.read_text())["extends"] == "base"
    assert "extends" not in tomllib.loads(alone.read_text())
    assert load_machine(below).disk == load_machine(alone).disk


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("board", "found 'board'; allowed: a name of letters, digits, _ and -, and .toml"),
        ("my board.toml", "found 'my board.toml'; allowed: a name"),
        ("there.toml", "there.toml: exists; allowed: a new file"),
        ("none/board.toml", "none: no such directory"),
    ],
)
def test_where_no_machine_file_can_be(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "there.toml").write_text("mine")
    with pytest.raises(NativeError) as told:
        check_target(tmp_path / name)
    assert str(told.value).startswith("--machine-file: ") and words in str(told.value)
