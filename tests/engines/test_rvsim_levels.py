# SPDX-License-Identifier: BSD-3-Clause
"""rvsim has the latencies that a machine file gives its caches and memory, level by level.

A program without a kernel chases pointers over more than each cache: no page table, no tick.
"""

import subprocess
from pathlib import Path

import pytest
from open_rows import with_rows

from osgap.base import units
from osgap.base.paths import project_root
from osgap.engines import rvsim_builds, rvsim_config
from osgap.machines.machine import load_machine
from osgap.machines.system import System, system

pytestmark = pytest.mark.rvsim

ROOT = project_root()
BOARDS = ("visionfive2", "p550", "d1")
SOURCE = Path(__file__).parent / "guest" / "bare_chase.c"
SCRIPT = "ENTRY(_start) SECTIONS { . = 0x80000000; .text : { *(.text.start) *(.text*) } }"
STEPS, MOST_CYCLES = 3000, 2_000_000_000
_GCC = ("riscv64-linux-gnu-gcc", "-O2", "-march=rv64imafdc", "-mabi=lp64d", "-mcmodel=medany")
_BARE = ("-nostdlib", "-static", "-ffreestanding", "-Wl,--build-id=none,--no-warn-rwx-segments")


def _cycles(tmp_path: Path, simulated: System, size: int, *defines: str) -> float:
    """The cycles between the program's two dumps."""
    script, program = tmp_path / "bare.lds", tmp_path / "bare.elf"
    script.write_text(SCRIPT)
    words = [f"-DBYTES={size}", f"-DSTEPS={STEPS}", *(f"-D{name}" for name in defines)]
    subprocess.run([*_GCC, *_BARE, *words, "-T", script, "-o", program, SOURCE], check=True)
    rvsim = rvsim_builds.library().module
    simulator = rvsim.Simulator(rvsim_config.config(simulated), binary=str(program))
    simulator.run_to(cycles=MOST_CYCLES, guest_breaks=False)
    return float(simulator.stats_between(0, 1)["core0.pipeline.cycles.total"])


def _board(name: str) -> System:
    return system(load_machine(ROOT / "configs" / "machines" / "boards" / f"{name}.toml"))


def _changed_caches(simulated: System, **changes: object) -> System:
    caches = {name: cache.model_copy(update=changes) for name, cache in simulated.caches.items()}
    return simulated.model_copy(update=caches)


def _without_prefetch(simulated: System) -> System:
    """A prefetcher does not know what a random chase needs next, but may load it for later."""
    return _changed_caches(simulated, prefetch=None, prefetch_lines=None)


def _small(simulated: System) -> System:
    """The same latencies with caches a sixteenth as large, which less work fills."""
    caches = {
        name: cache.model_copy(update={"size_bytes": cache.size_bytes // 16})
        for name, cache in simulated.caches.items()
    }
    return simulated.model_copy(update=caches)


@pytest.mark.parametrize("name", BOARDS)
def test_each_cache_has_its_load_cycles(tmp_path, name: str) -> None:
    simulated = _without_prefetch(_board(name))
    before = 0
    for cache in simulated.data_caches:
        # Half of the cache, and more than the one before.
        size = max(cache.size_bytes // 2, 2 * before)
        cycles = _cycles(tmp_path, simulated, size) / STEPS
        assert cycles == pytest.approx(cache.load_cycles, rel=0.01), size
        before = cache.size_bytes


@pytest.mark.parametrize("name", BOARDS)
def test_memory_has_its_latency(tmp_path, name: str) -> None:
    """A whole miss takes the latency longer than a hit of the first cache."""
    simulated = _small(_without_prefetch(_board(name)))
    size = 4 * simulated.last_cache_bytes
    # The chain is written before, so that each miss writes a line back, which the bus has to move.
    cycles = _cycles(tmp_path, simulated, size) / STEPS
    miss_ns = (cycles - simulated.l1d.load_cycles) / simulated.clock_mhz * 1000
    assert miss_ns == pytest.approx(simulated.memory.latency_ns, rel=0.05)


def test_a_row_that_is_open_answers_sooner(tmp_path) -> None:
    """A chase over many rows takes the whole latency; over 8, each open in a bank, less."""
    simulated = with_rows(_small(_without_prefetch(_board("d1"))))
    latency_ns = simulated.memory.latency_ns

    def miss_ns(size: int) -> float:
        cycles = _cycles(tmp_path, simulated, size) / STEPS
        return (cycles - simulated.l1d.load_cycles) / simulated.clock_mhz * 1000

    assert miss_ns(1 << 20) == pytest.approx(latency_ns, rel=0.05)
    # Each line is written back to its own row, and refresh closes all: a part of 28 ns stays.
    assert latency_ns - 28 < miss_ns(1 << 13) < latency_ns - 14


@pytest.mark.parametrize("name", BOARDS)
def test_a_copy_moves_no_more_than_the_bandwidth(tmp_path, name: str) -> None:
    simulated = _small(_board(name))
    size = 4 * simulated.last_cache_bytes
    seconds = _cycles(tmp_path, simulated, size, "COPY") / (simulated.clock_mhz * 1e6)
    # Source and target are read; of the target the last cache still holds what is not written.
    moved = (3 * size - simulated.last_cache_bytes) / units.BYTES_PER_MB
    assert moved / seconds <= 1.01 * simulated.memory.bandwidth_mb_s
