# SPDX-License-Identifier: BSD-3-Clause
"""configs/gem5: how a system becomes gem5's objects, with recorders in gem5's place."""

import sys
from types import SimpleNamespace

import pytest
from gem5_scripts import SCRIPTS, Recorder, read_system

from osgap.base.paths import project_root
from osgap.machines.machine import load_machine
from osgap.machines.system import system

BASE = load_machine(project_root() / "configs" / "machines" / "base.toml")


def _system(**changes):
    """The base machine at 160 MHz as run.py reads it."""
    return read_system(system(BASE, 160).model_copy(update=changes))


def test_a_period_of_half_a_tick_is_rounded_for_clock_and_memory_alike(scripts) -> None:
    read = _system(**{"clock_mhz": 640.0})
    read.memory.latency_ns = 6.25
    assert scripts.memory.period_ps(read) == 1563
    # 4 cycles less 2: 3125 ps would be a tick short of the second edge.
    assert scripts.memory.build_memory(read).latency == "3126ps"


@pytest.mark.parametrize(
    ("core", "kind"),
    [
        ("atomic", "RiscvAtomicSimpleCPU"),
        ("in-order", "RiscvTimingSimpleCPU"),
        ("in-order-pipelined", "RiscvMinorCPU"),
        ("out-of-order", "RiscvO3CPU"),
    ],
)
def test_core_names_gem5s_model(scripts, core, kind) -> None:
    read = _system()
    read.core, read.width, read.tlb_entries = core, 3, 32
    cpu = scripts.processor.build_processor(read).cores[0].core
    assert type(cpu).__name__ == kind
    assert cpu.mmu.itb.size == cpu.mmu.dtb.size == 32
    if core == "out-of-order":
        assert cpu.issueWidth == cpu.commitWidth == 3
    if core == "in-order-pipelined":
        assert cpu.executeIssueLimit == 3


def test_a_taken_branch_waits_for_its_target_on_a_pipelined_core_alone(scripts) -> None:
    read = _system(refill_cycles=3)
    read.core, read.width = "in-order-pipelined", 1
    cpu = scripts.processor.build_processor(read).cores[0].core
    assert cpu.fetch1ToFetch2BackwardDelay == 3
    read.core = "atomic"  # as the same system boots
    cpu = scripts.processor.build_processor(read).cores[0].core
    assert "fetch1ToFetch2BackwardDelay" not in vars(cpu)


@pytest.mark.parametrize(("line_bytes", "accesses"), [(16, 1), (32, 2), (64, 2)])
def test_a_pipelined_cores_accesses_cannot_write_a_whole_line(
    scripts, line_bytes: int, accesses: int
) -> None:
    read = _system()
    read.core, read.l1d.line_bytes = "in-order-pipelined", line_bytes
    cpu = scripts.processor.build_processor(read).cores[0].core
    assert cpu.executeMaxAccessesInMemory == accesses and accesses * 8 < line_bytes


def test_memory_has_the_latency_less_the_caches_and_the_bandwidth(scripts) -> None:
    memory = scripts.memory.build_memory(_system())
    # 200 ns less 2 cycles of 6.25 ns; 400 MB/s.
    assert memory.latency == "187500ps" and memory.latency_var == "0ps"
    assert memory.bandwidth == "400000000B/s" and memory.size == "128MiB"


@pytest.mark.parametrize(
    ("axes", "latency", "bandwidth"),
    [
        ({"latency_ns": "x0.5"}, "93750ps", "400000000B/s"),
        ({"bandwidth_mb_s": 812.5}, "193750ps", "812500000B/s"),
        ({"latency_ns": 400, "bandwidth_mb_s": "x0.5"}, "393750ps", "200000000B/s"),
    ],
)
def test_memory_has_what_a_sweeps_axes_say(
    scripts, axes: dict[str, float | str], latency: str, bandwidth: str
) -> None:
    resolved = system(BASE, 320, **axes)
    memory = scripts.memory.build_memory(_system(clock_mhz=320, memory=resolved.memory))
    assert (memory.latency, memory.bandwidth) == (latency, bandwidth)


def test_a_dram_model_is_taken_by_its_name(scripts) -> None:
    read = _system()
    read.memory.model = "DDR3_1600"
    assert scripts.memory.build_memory(read) == ("DDR3_1600", "128MiB")
    read.memory.model = "DDR9"
    with pytest.raises(ValueError, match=r"memory.model: found 'DDR9'; allowed: DDR3_1600"):
        scripts.memory.build_memory(read)


def test_a_latency_below_the_caches_own_is_refused(scripts) -> None:
    read = _system()
    read.memory.latency_ns = 5
    with pytest.raises(ValueError, match=r"memory.latency_ns: found 5; allowed: 2 cycles"):
        scripts.memory.build_memory(read)


def test_caches_have_the_systems_geometry_and_no_prefetcher(scripts) -> None:
    read = _system()
    hierarchy = scripts.caches.OsgapCaches(read, "l1d")
    board, core = Recorder(), Recorder()
    board.get_memory = lambda: SimpleNamespace(get_mem_ports=lambda: [(None, "port")])
    core.requires_send_evicts = lambda: False
    board.get_processor = lambda: SimpleNamespace(get_cores=lambda: [core])
    hierarchy.incorporate_cache(board)
    (icache,), (dcache,) = hierarchy.l1icache, hierarchy.l1dcache
    for cache, wanted in ((icache, read.l1i), (dcache, read.l1d)):
        assert cache.size == f"{wanted.size_bytes}B" and cache.assoc == wanted.ways
        assert cache.tag_latency == wanted.hit_cycles and cache.prefetcher is None
    assert icache.is_read_only


def test_several_cores_have_numbers_and_caches_of_their_own_over_one_l2(scripts) -> None:
    read = _system(harts=4, l2=system(BASE).l1d)
    processor = scripts.processor.build_processor(read)
    assert [core.core.cpu_id for core in processor.cores] == [0, 1, 2, 3]
    hierarchy = scripts.caches.OsgapCaches(read, "own")
    board = Recorder()
    board.get_memory = lambda: SimpleNamespace(get_mem_ports=lambda: [(None, "port")])
    cores = [Recorder(requires_send_evicts=lambda: False) for _ in range(4)]
    board.get_processor = lambda: SimpleNamespace(get_cores=lambda: cores)
    hierarchy.incorporate_cache(board)
    firsts = [*hierarchy.l1icache, *hierarchy.l1dcache, *hierarchy.walkcaches]
    assert len({id(cache) for cache in firsts}) == 16
    assert {id(cache.mem_side) for cache in firsts} == {id(hierarchy.l2bus.cpu_side_ports)}
    assert hierarchy.l2cache.mem_side is hierarchy.membus.cpu_side_ports


def test_a_machine_file_is_read_by_the_projects_reader(scripts) -> None:
    args = SimpleNamespace(
        system=None,
        machine=project_root() / "configs" / "machines" / "base.toml",
        clock_mhz=320.0,
        memory="scaled",
    )
    read = scripts.run.read_system(args)
    assert read.clock_mhz == 320 and read.memory.latency_ns == 200 * 20 / 320
    assert read.memory.model is None


@pytest.mark.parametrize(
    ("option", "name", "words"),
    [
        ("machine", "cray.toml", "cray.toml: no such file"),
        ("machine", "bad.toml", "bad.toml"),
        ("system", "none.json", "No such file"),
        ("system", "bad.toml", "Expecting value"),
    ],
)
def test_what_run_cannot_read_is_one_sentence(
    scripts, capsys, tmp_path, option, name, words
) -> None:
    (tmp_path / "bad.toml").write_text("description = 'nothing else'")
    args = SimpleNamespace(machine=None, system=None, clock_mhz=None, memory="fixed")
    setattr(args, option, tmp_path / name)
    with pytest.raises(SystemExit) as caught:
        scripts.run.read_system(args)
    said = capsys.readouterr().err
    assert caught.value.code == 2 and words in said and len(said.splitlines()) == 1


def test_without_the_machine_files_reader_run_says_what_it_needs(
    scripts, capsys, monkeypatch
) -> None:
    monkeypatch.setitem(sys.modules, "osgap.machine", None)
    args = SimpleNamespace(machine=SCRIPTS, system=None, clock_mhz=None, memory="fixed")
    with pytest.raises(SystemExit):
        scripts.run.read_system(args)
    assert "or give --system" in capsys.readouterr().err
