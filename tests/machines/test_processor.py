# SPDX-License-Identifier: BSD-3-Clause
"""Machine files of processors of today: caches by load_cycles, a third one, queues, predictors."""

import re
from pathlib import Path

import pytest

from osgap.base.config import ConfigError
from osgap.base.paths import project_root
from osgap.engines import gem5, load, rvsim_config, rvsim_memory
from osgap.engines.contract import EngineError
from osgap.machines.machine import load_machine
from osgap.machines.system import System, system

BOARDS = project_root() / "configs" / "machines" / "boards"
P550 = BOARDS / "p550.toml"


def _changed(folder: Path, *changes: tuple[str, str]) -> Path:
    """A copy of the P550's file with other words, beside the base machine's."""
    text = P550.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "base.toml").write_text((BOARDS.parent / "base.toml").read_text())
    path = folder / "board.toml"
    path.write_text(text)
    return path


def _p550(**changes: object) -> System:
    return system(load_machine(P550)).model_copy(update=changes)


def test_a_board_keeps_what_its_file_says() -> None:
    simulated = _p550()
    assert [cache.load_cycles for cache in simulated.data_caches] == [3, 13, 38]
    assert simulated.last_cache_bytes == 4 << 20
    assert (simulated.page_table_levels, simulated.misaligned_traps) == (3, True)
    assert simulated.pipeline is not None and simulated.pipeline.reorder_buffer == 72
    assert simulated.second_tlb is not None and simulated.second_tlb.entries == 512


def test_a_machine_of_1990_has_no_new_key() -> None:
    resolved = system(load_machine(BOARDS.parent / "base.toml")).model_dump(mode="json")
    assert not {"l3", "pipeline", "predictor", "second_tlb"} & resolved.keys()
    assert "load_cycles" not in resolved["l1d"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([("value = 38,", "value = 13,")], "load_cycles: found 3, 13, 13 from l1d on"),
        ([("load_cycles = { value = 13,", "hit_cycles = 9 # {")], "found 3, 0, 38 from l1d on"),
        ([('prefetch = "stride"\n', "")], "found prefetch or prefetch_lines; allowed: both, or"),
        ([("[l2]", "[l4]")], "l4: unknown key"),
        ([("page_table_levels = 3", "page_table_levels = 2")], "cpu.page_table_levels: found 2"),
        ([("value = 72,", "value = 0,")], "pipeline.reorder_buffer"),
    ],
)
def test_a_file_that_cannot_be_is_refused(tmp_path, changes, words) -> None:
    with pytest.raises(ConfigError, match=re.escape(words)):
        load_machine(_changed(tmp_path, *changes))


def test_rvsim_gets_the_latencies_that_add_up_to_the_load_cycles() -> None:
    options = rvsim_config.config(_p550())
    # Out of order, a load takes 1 cycle beside the first cache, and 1 for each cache behind it.
    assert [options.l1d.latency, options.l2.latency, options.l3.latency] == [2, 9, 24]
    behind = 38 - 3
    whole = options.memory_controller.latency + rvsim_memory.MISS_PATH_CYCLES + behind
    assert whole == round(190 * 1.4)


def test_rvsim_gets_queues_ports_units_predictor_and_tlbs() -> None:
    options = rvsim_config.config(_p550())
    core = options.backend
    assert (core.rob_size, core.issue_queue_size, core.load_queue_size) == (72, 32, 24)
    assert (core.store_buffer_size, core.load_ports, core.store_ports) == (16, 1, 1)
    assert (options.btb_size, options.ras_size, options.trap_latency) == (32, 16, 13)
    assert options.branch_predictor.global_size_bits == 13
    assert (options.tlb_size, options.l2_tlb_size, options.l2_tlb_ways) == (32, 512, 4)
    assert (options.paging_mode_max, options.misaligned_access_trap) == ("sv39", True)
    assert (options.load_prefetcher.l1_lines, options.load_prefetcher.l2_lines) == (1, 16)
    assert options.store_prefetcher.l2_lines == 16


def test_several_harts_have_an_l2_each_and_share_the_l3() -> None:
    options = rvsim_config.config(_p550(harts=4))
    assert options.l2.size_bytes == 256 << 10 and options.l3.size_bytes == 4 << 20
    assert options.l3.latency == 24 - rvsim_config.FABRIC_CYCLES


def test_a_load_shorter_than_rvsims_is_refused() -> None:
    short = _p550(core="in-order-pipelined")
    short = short.model_copy(update={"l1d": short.l1d.model_copy(update={"load_cycles": 2})})
    with pytest.raises(EngineError, match=r"l1d\.load_cycles: found 2; allowed by rvsim with core"):
        load("rvsim").check(short)


def test_a_stride_prefetcher_behind_the_l2_is_refused_by_rvsim() -> None:
    simulated = _p550()
    assert simulated.l3 is not None
    l3 = simulated.l3.model_copy(update={"prefetch": "stride", "prefetch_lines": 2})
    with pytest.raises(EngineError, match=r"l3\.prefetch: found stride; allowed by rvsim: stride"):
        load("rvsim").check(simulated.model_copy(update={"l3": l3}))


def test_gem5_refuses_a_memory_nearer_than_its_caches() -> None:
    near = _p550()
    near = near.model_copy(update={"memory": near.memory.model_copy(update={"latency_ns": 25.0})})
    with pytest.raises(EngineError, match=r"memory\.latency_ns: found 25 ns"):
        gem5._check_latency(near)
