# SPDX-License-Identifier: BSD-3-Clause
"""Machines of several harts: each hart comes up and works, and they share what they should."""

import statistics
from collections.abc import Callable

import pytest
from outcomes import per_operation_ns, regions
from shared import Once

from osgap.base.paths import cache_directory, project_root
from osgap.engines import load
from osgap.engines.contract import EngineError, Failed, Job, Outcome
from osgap.gem5stats import names
from osgap.guest import protocol
from osgap.guest.protocol import Orders
from osgap.guest.records import CounterValue, ModeTimes
from osgap.image.files import Image, load_image
from osgap.machines.machine import load_machine
from osgap.machines.system import system

HARTS = 4
SEEDS = 10
# In one process: others would wait while one builds the image, boots it and runs the copies.
pytestmark = pytest.mark.xdist_group("smp")
COPIES = ("smp/stream_share_1", f"smp/stream_share_{HARTS}")
BATCHES = 2
"""Batches of each stream. The suite makes three; rvsim takes most of a minute for one of each."""
MakeSmpJob = Callable[..., Job]


@pytest.fixture(scope="module")
def smp_image(once: Once) -> Image:
    return load_image(once.image("smp"))


@pytest.fixture(scope="module")
def make_smp_job(smp_image, tmp_path_factory) -> MakeSmpJob:
    """make_smp_job(engine, harts, run, ...) gives a ready Job; boots the guest if need be."""

    def make(engine: str, harts: int, *run: str, l2_kib: int = 512) -> Job:
        machines = project_root() / "configs" / "machines"
        resolved = system(load_machine(machines / f"smp-{harts}.toml"))
        l2 = resolved.l2.model_copy(update={"size_bytes": l2_kib << 10})
        resolved = resolved.model_copy(update={"l2": l2})
        sets = {f"{copies.split('/')[1]}.batches": BATCHES for copies in COPIES if copies in run}
        disk = resolved.disk.model_dump()
        orders = Orders(load(engine).marks, run, ("sprite",), disk, sets=sets)
        scratch = tmp_path_factory.mktemp("scratch")
        job = Job(smp_image, resolved, orders, cache_directory(), scratch, 1200)
        load(engine).prepare(smp_image, resolved, job.cache, lambda text: None)
        return job

    return make


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("rvsim", marks=[pytest.mark.rvsim, pytest.mark.long]),
        pytest.param("gem5", marks=pytest.mark.gem5),
    ],
)
def timed(request: pytest.FixtureRequest) -> str:
    """The engines that simulate time."""
    if request.param == "gem5":
        request.getfixturevalue("real_gem5")
    return request.param


@pytest.fixture(scope="module")
def copied(timed: str, make_smp_job, once: Once) -> tuple[Outcome, Job]:
    """One copy of a stream, then one on each hart at once: each says that it ran on its own."""
    job = make_smp_job(timed, HARTS, *COPIES)
    return once.value(f"smp-{timed}", lambda: load(timed).run(job)), job


def _insts(stats: dict[str, float], hart: int) -> float:
    """Instructions that a hart retired in a region."""
    cores = (f"system.cpu{hart}", f"board.processor.cores{hart}.core")
    return next(stats[n] for c in cores if (n := f"{c}.commitStats0.numInsts") in stats)


def _moved_mb_s(outcome: Outcome, benchmark: str) -> float:
    """Median MB/s (10^6 bytes) that memory read and wrote during a benchmark."""
    stats = regions(outcome.stats)
    samples = [s for s in protocol.parse(outcome.console).samples if s.benchmark == benchmark]
    places = [names.OPTIONAL[name] for name in ("bytes_read", "bytes_written")]
    moved = [sum(names.find(stats[s.region], place) or 0 for place in places) for s in samples]
    return statistics.median(
        bytes_ / s.guest_ns * 1000 for bytes_, s in zip(moved, samples, strict=True)
    )


def test_every_hart_comes_up_and_retires_a_copys_instructions(copied) -> None:
    outcome, _ = copied
    stats = regions(outcome.stats)
    samples = protocol.parse(outcome.console).samples
    all_at_once = [s for s in samples if s.benchmark == COPIES[1].split("/")[1]]
    assert len(all_at_once) == BATCHES
    for sample in all_at_once:
        words = sample.bytes * sample.count / HARTS / 8
        for hart in range(HARTS):
            assert 2 * words < _insts(stats[sample.region], hart) < 4 * words


def test_memory_bandwidth_is_shared_and_not_multiplied(copied) -> None:
    outcome, job = copied
    one, all_at_once = (_moved_mb_s(outcome, name.split("/")[1]) for name in COPIES)
    configured = job.system.memory.bandwidth_mb_s
    # One hart that waits for each line cannot fill the bus; four can, and have no more of it.
    assert 0.3 * configured < one < 0.92 * configured
    assert 0.85 * configured < all_at_once <= 1.01 * configured


def test_the_cycles_of_all_harts_are_accounted_for(copied) -> None:
    outcome, job = copied
    for stats in regions(outcome.stats):
        every = names.sum_cores(stats)
        found = {name: names.find(every, places) for name, places in names.OPTIONAL.items()}
        cycles = names.elapsed_cycles(every, names.find(every, names.REQUIRED["cycles"]) or 0)
        elapsed = stats["simSeconds"] * job.system.clock_mhz * 1e6
        assert cycles == pytest.approx(elapsed, rel=1e-3)
        if found["user_cycles"] is not None:
            parts = [found[f"{name}_cycles"] for name in ("user", "kernel", "idle")]
            assert sum(parts) == HARTS * cycles
        assert 0 <= found["idle_cycles"] <= HARTS * cycles


@pytest.mark.parametrize(("l2_kib", "level"), [(32, "memory"), (512, "l2")])
def test_a_load_takes_the_time_of_its_level(timed: str, make_smp_job, l2_kib, level) -> None:
    """The chase covers 128 KiB: more than a cache of 32 holds, less than one of 512."""
    chases = ("checks/pointer_chase_l1", "checks/pointer_chase_memory")
    job = make_smp_job(timed, HARTS, *chases, l2_kib=l2_kib)
    outcome = load(timed).run(job)
    found = per_operation_ns(outcome, "pointer_chase_memory")
    found -= per_operation_ns(outcome, "pointer_chase_l1")
    cycle = 1000 / job.system.clock_mhz
    # Beside its own cycles a hit takes one to respond, on gem5 in the first cache too.
    hit = (job.system.l2.hit_cycles + (2 if timed == "gem5" else 1)) * cycle
    expected = hit if level == "l2" else job.system.memory.latency_ns
    assert found == pytest.approx(expected, rel=0.10)


def test_a_point_of_several_harts_repeats(timed: str, copied, make_smp_job) -> None:
    first, _ = copied
    again = load(timed).run(make_smp_job(timed, HARTS, *COPIES))
    assert again.stats == first.stats and again.console == first.console


@pytest.mark.long
@pytest.mark.qemu
@pytest.mark.parametrize("harts", [1, 2])
def test_every_extraction_leaves_its_trees_and_tells_modes_and_counters(
    make_smp_job, harts: int
) -> None:
    told = load("qemu").run(make_smp_job("qemu", harts, "kennaway")).transcript
    kinds = [f"extract_{fs}_{n}" for fs in ("tmpfs", "ext2") for n in (1, 2, 4, 8)]
    batches = [(kind, batch) for kind in kinds for batch in range(SEEDS)]
    assert [(sample.benchmark, sample.batch) for sample in told.samples] == batches
    counters = told.of(CounterValue)
    assert len(counters) == 6 * len(batches)
    assert {each.value for each in counters} == {0}
    for sample, modes in zip(told.samples, told.of(ModeTimes), strict=True):
        # QEMU's harts are threads that the host may stop anywhere: a weak bound.
        whole = modes.user_ns + modes.kernel_ns + modes.idle_ns
        assert harts * sample.guest_ns <= whole < 2 * harts * sample.guest_ns


@pytest.mark.long
@pytest.mark.qemu
def test_extractions_from_a_barrier_and_writers_in_memory_end_well(make_smp_job) -> None:
    """On two harts, and more at once than those: each checks what it left."""
    names = ("at_once_tmpfs_1", "at_once_tmpfs_3", "at_once_ext2_2", "at_once_md_2")
    run = [f"extractions/{name}" for name in (*names, "fill_memory_2")]
    told = load("qemu").run(make_smp_job("qemu", 2, *run)).transcript
    found = [(sample.benchmark, sample.batch) for sample in told.samples]
    batches = {**dict.fromkeys(names, SEEDS), "fill_memory_2": 3}
    assert sorted(found) == sorted((name, i) for name, n in batches.items() for i in range(n))
    assert {each.value for each in told.of(CounterValue)} == {0}


@pytest.mark.long
@pytest.mark.qemu
def test_more_copies_than_harts_are_refused_by_the_guest(make_smp_job) -> None:
    job = make_smp_job("qemu", 2, "smp/stream_share_2", "smp/stream_share_4")
    with pytest.raises(Failed, match=r"^stream_share_4 \(none\): too-few-cpus$") as caught:
        load("qemu").run(job)
    assert isinstance(caught.value.reason, protocol.BenchmarkFailed)


def test_rvsim_refuses_harts_that_share_no_cache() -> None:
    machine = load_machine(project_root() / "configs" / "machines" / "smp-4.toml")
    resolved = system(machine)
    quick = resolved.l2.model_copy(update={"hit_cycles": 3})
    for change, found in (({"l2": None}, "no l2"), ({"l2": quick}, "l2.hit_cycles 3")):
        with pytest.raises(
            EngineError, match=f"^cpu.harts: found 4 with {found}; allowed by rvsim"
        ):
            load("rvsim").check(resolved.model_copy(update=change))
