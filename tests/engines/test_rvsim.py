# SPDX-License-Identifier: BSD-3-Clause
"""Points on rvsim: the machine that is simulated is the one that was asked for."""

import statistics
from dataclasses import replace
from pathlib import Path

import pytest
from outcomes import per_operation_ns, regions

from osgap import guest
from osgap.engines import load
from osgap.engines.base import Failed, Outcome, PointTimeout
from osgap.points.files import write_point
from osgap.points.spec import Axes, OrdersRecord, make_spec

pytestmark = pytest.mark.rvsim

_MOVED = ("bytesRead", "bytesWritten")
CHECKS = (
    "checks/empty_loop",
    "checks/pointer_chase_l1",
    "checks/pointer_chase_memory",
    "checks/stream_copy",
)


@pytest.fixture(scope="module")
def fast(make_job) -> tuple[Outcome, object]:
    """The machine checks at 640 MHz, where memory is what limits them."""
    job = make_job("rvsim", 640, *CHECKS)
    return load("rvsim").run(job), job.system


def test_the_pointer_chase_sees_the_configured_latency(fast) -> None:
    outcome, system = fast
    miss = per_operation_ns(outcome, "pointer_chase_memory")
    hit = per_operation_ns(outcome, "pointer_chase_l1")
    assert miss - hit == pytest.approx(system.memory.latency_ns, rel=0.10)


def test_the_stream_copy_fills_the_configured_bandwidth(fast) -> None:
    outcome, system = fast
    samples = guest.parse(outcome.console).samples
    copies = [s for s in samples if s.benchmark == "stream_copy"]
    stats = regions(outcome)
    moved = [
        sum(stats[c.region][f"system.mem_ctrls.{name}::total"] for name in _MOVED) for c in copies
    ]
    # Read the source, read the target's line before writing it, write it back. A tick that falls
    # into a batch adds misses of its own.
    per_byte = [bytes_ / (c.bytes * c.count) for bytes_, c in zip(moved, copies, strict=True)]
    assert statistics.median(per_byte) == pytest.approx(3, rel=0.02)
    rates = [bytes_ / c.guest_ns * 1000 for bytes_, c in zip(moved, copies, strict=True)]
    assert statistics.median(rates) == pytest.approx(system.memory.bandwidth_mb_s, rel=0.10)


def test_both_clocks_agree(fast) -> None:
    outcome, _ = fast
    stats = regions(outcome)
    for sample in guest.parse(outcome.console).samples:
        outside = stats[sample.region]["simSeconds"] * 1e9 - sample.guest_ns
        assert 0 <= outside < 5_000


def test_a_point_repeats_byte_for_byte(make_job, image, tmp_path: Path) -> None:
    job = make_job("rvsim", 40, "ousterhout/getpid", "ousterhout/create_delete_0", fs=("unix",))
    engine = load("rvsim")
    orders = OrdersRecord(run=("x",), fs=("unix",), seed=0)
    axes = Axes(clock_mhz=40, memory="fixed", disk="fixed", seed=0)
    spec = make_spec(engine, image, "base", axes, job.system, orders, 600)
    found = []
    for name in ("first", "second"):
        outcome = engine.run(job)
        directory = tmp_path / name
        directory.mkdir()
        write_point(directory, spec, outcome, guest.parse(outcome.console))
        found.append({p.name: p.read_bytes() for p in directory.iterdir()})
    assert found[0] == found[1] and "stats.txt" in found[0]


def test_synchronous_writes_take_whole_turns(make_job) -> None:
    job = make_job("rvsim", 160, "ousterhout/create_delete_0", fs=("unix",))
    outcome = load("rvsim").run(job)
    transcript = guest.parse(outcome.console)
    turn = job.system.disk.rotation_ns
    cycle = statistics.median(s.guest_ns / s.count for s in transcript.samples)
    use = transcript.disk[0]
    busy = use.seek_ns + use.rotation_ns + use.transfer_ns + use.overhead_ns
    assert cycle > 2 * turn
    # What the guest waits for is what the driver says the mechanism did.
    cycles = sum(region["osgap.cycles.idle"] for region in regions(outcome))
    idle = cycles / (job.system.clock_mhz * 1e6) * 1e9
    assert idle == pytest.approx(busy, rel=0.10)


def test_ready_is_within_its_budget(make_job, image) -> None:
    job = make_job("rvsim", 20, "checks/empty_loop")
    _, ready = load("rvsim").ready_instructions(image, job.system, job.cache)
    assert 1_000_000 < ready < 25_000_000


def test_a_seed_perturbs_the_start_and_is_repeatable(make_job) -> None:
    def times(seed: int) -> list[int]:
        job = make_job("rvsim", 160, "ousterhout/cswitch", seed=seed)
        return [s.guest_ns for s in guest.parse(load("rvsim").run(job).console).samples]

    assert times(1) == times(1) != times(2)


def test_a_guest_that_does_not_end_is_stopped(make_job) -> None:
    job = make_job("rvsim", 20, "ousterhout/getpid", sets={"getpid.count": 900000000})
    with pytest.raises(Failed) as caught:
        load("rvsim").run(replace(job, timeout_s=3))
    assert isinstance(caught.value.reason, PointTimeout)
