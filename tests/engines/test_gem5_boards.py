# SPDX-License-Identifier: BSD-3-Clause
"""configs/gem5: processors of today become gem5's caches, queues, units and predictors."""

from types import SimpleNamespace

import pytest
from gem5_scripts import read_system
from open_rows import with_rows

from osgap.base.paths import project_root
from osgap.engines import gem5
from osgap.engines.contract import EngineError
from osgap.machines.machine import load_machine
from osgap.machines.system import System, system

BOARDS = project_root() / "configs" / "machines" / "boards"


def _simulated(name: str) -> System:
    return system(load_machine(BOARDS / f"{name}.toml"))


def _board(name: str):
    return read_system(_simulated(name))


def test_the_latencies_add_up_to_the_load_cycles(scripts) -> None:
    out_of_order, pipelined = _board("p550"), _board("visionfive2")
    # Out of order 1 cycle beside the first cache, 3 from its latency to the second's, 2 further on.
    assert scripts.latencies.hit_latencies(out_of_order) == [2, 13 - 2 - 3, 38 - 13 - 2]
    assert scripts.latencies.device_cycles(out_of_order) == round(190 * 1.4) - (38 + 2 - 3)
    # On Minor a load's own cycles are its unit's.
    assert scripts.latencies.hit_latencies(pipelined) == [1, 20 - 1 - 3]
    assert scripts.latencies.device_cycles(_board("d1")) == 155 - (1 + 3 - 3)


def test_rows_and_what_is_outside_them_add_up_to_the_latency(scripts, monkeypatch) -> None:
    monkeypatch.setattr(scripts.memory, "DRAMInterface", object)
    interfaces, controller = [], SimpleNamespace()

    def channeled(interface, channels, line, size):
        interfaces.append(interface)
        return SimpleNamespace(get_memory_controllers=lambda: [controller])

    monkeypatch.setattr(scripts.memory, "ChanneledMemory", channeled)
    read = read_system(with_rows(_simulated("d1")))
    scripts.memory.build_memory(read)
    (interface,) = interfaces
    times = [getattr(interface, name) for name in ("tCL", "tRCD", "tRP", "tBURST")]
    parts = [int(time.removesuffix("ps")) for time in (*times, controller.static_frontend_latency)]
    assert sum(parts) == scripts.latencies.device_cycles(read) * 1000
    assert parts[:3] == [14000] * 3


def test_rows_that_take_longer_than_the_memory_are_refused(scripts) -> None:
    near = with_rows(_simulated("d1"), latency_ns=60.0)
    read = read_system(near)
    with pytest.raises(ValueError, match=r"memory.latency_ns: found 60; allowed: .* ns more"):
        scripts.memory.build_memory(read)
    with pytest.raises(EngineError, match=r"memory.rows: found .* allowed by gem5: at most"):
        gem5._check_latency(near)


def test_load_cycles_too_near_each_other_are_refused(scripts) -> None:
    read = _board("p550")
    read.l3.load_cycles = 15
    with pytest.raises(ValueError, match="load_cycles: found 3, 13, 15"):
        scripts.latencies.hit_latencies(read)


def test_the_core_has_the_files_queues_ports_and_predictor(scripts) -> None:
    cpu = scripts.processor.build_processor(_board("p550")).cores[0].core
    assert (cpu.numROBEntries, cpu.numIQEntries, cpu.LQEntries, cpu.SQEntries) == (72, 32, 24, 16)
    assert (cpu.cacheLoadPorts, cpu.cacheStorePorts, cpu.trapLatency) == (1, 1, 13)
    assert cpu.branchPred.globalPredictorSize == 1 << 13
    assert (cpu.branchPred.btb.numEntries, cpu.branchPred.ras.numEntries) == (32, 16)
    integers, whole = cpu.fuPool.FUList[:2]
    assert integers.count == 3 and whole.opList[1].opLat == 12


def test_minor_has_the_files_units_and_one_access_at_a_time(scripts) -> None:
    cpu = scripts.processor.build_processor(_board("visionfive2")).cores[0].core
    assert cpu.executeMaxAccessesInMemory == 1
    units = {type(unit).__name__: unit for unit in cpu.executeFuncUnits.funcUnits}
    assert units["MinorDefaultMemFU"].opLat == 2
    assert units["MinorDefaultIntMulFU"].opLat == 3 and units["MinorDefaultIntDivFU"].opLat == 6


def test_each_core_has_an_l2_before_the_l3_of_all(scripts) -> None:
    caches = scripts.caches.OsgapCaches(_board("p550"), "own")
    ports = caches._connect_lower([8, 23], 16, 2)
    assert len(ports) == 2 and ports[0] is not ports[1]
    assert [cache.tag_latency for cache in caches.l2cache] == [8, 8]
    assert caches.l3cache.tag_latency == 23 and caches.l3cache.mshrs == 32
    assert all(cache.mem_side is caches.l3bus.cpu_side_ports for cache in caches.l2cache)
    assert caches.l2cache[0].prefetcher.degree == 16


def test_a_machine_that_traps_misaligned_accesses_leaves_them_to_the_firmware(scripts) -> None:
    for traps in (True, False):
        board = SimpleNamespace(_traps_misaligned=traps, mem_ranges="all")
        core = SimpleNamespace(pma=SimpleNamespace(misaligned="none"))
        core.get_mmu = lambda core=core: SimpleNamespace(pma_checker=core.pma)
        board.get_processor = lambda core=core: SimpleNamespace(get_cores=lambda: [core])
        scripts.board.allow_misaligned(board)
        assert core.pma.misaligned == ("none" if traps else "all")


def test_the_only_tlb_has_the_second_ones_entries(scripts) -> None:
    read = _board("d1")
    assert (read.tlb_entries, read.second_tlb.entries) == (10, 128)
    cpu = scripts.processor.build_processor(read).cores[0].core
    assert cpu.mmu.itb.size == cpu.mmu.dtb.size == 128
    read.second_tlb = None
    assert scripts.processor.tlb_entries(read) == 10
