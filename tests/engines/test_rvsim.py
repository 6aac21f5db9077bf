# SPDX-License-Identifier: BSD-3-Clause
"""Points on rvsim: the machine that is simulated is the one that was asked for."""

import statistics
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from outcomes import per_operation_ns, regions
from shared import Once

from osgap.base.config import read_json_model
from osgap.base.paths import cache_directory
from osgap.engines import host_allocator, load
from osgap.engines.contract import Failed, Job, Outcome, PointTimeout
from osgap.guest import protocol
from osgap.guest.records import DiskUse
from osgap.points import record
from osgap.rundir.point import Spec
from osgap.rundir.pointfiles import write_point

pytestmark = pytest.mark.rvsim

_MOVED = ("bytesRead", "bytesWritten")
CHECKS = (
    "checks/empty_loop",
    "checks/pointer_chase_l1",
    "checks/pointer_chase_memory",
    "checks/stream_copy",
)


@pytest.fixture(scope="module")
def fast(make_job, once: Once) -> tuple[Outcome, object]:
    """The machine checks at 640 MHz, where memory is what limits them."""
    job = make_job("rvsim", 640, *CHECKS)
    return once.value("rvsim-checks", lambda: load("rvsim").run(job)), job.system


@pytest.fixture(scope="module")
def point(rvsim_run: Path) -> Path:
    """The directory of the shared run's point at 160 MHz."""
    (found,) = (rvsim_run / "points").glob("160mhz-*")
    return found


def test_the_pointer_chase_sees_the_configured_latency(fast) -> None:
    outcome, system = fast
    miss = per_operation_ns(outcome, "pointer_chase_memory")
    hit = per_operation_ns(outcome, "pointer_chase_l1")
    assert miss - hit == pytest.approx(system.memory.latency_ns, rel=0.10)


def test_the_stream_copy_fills_the_configured_bandwidth(fast) -> None:
    outcome, system = fast
    samples = protocol.parse(outcome.console).samples
    copies = [s for s in samples if s.benchmark == "stream_copy"]
    stats = regions(outcome.stats)
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
    stats = regions(outcome.stats)
    for sample in protocol.parse(outcome.console).samples:
        outside = stats[sample.region]["simSeconds"] * 1e9 - sample.guest_ns
        assert 0 <= outside < 5_000


@pytest.mark.long
def test_a_point_repeats_byte_for_byte(point: Path, image, tmp_path: Path) -> None:
    """Run here alone, as it was in a sweep beside another."""
    spec = read_json_model(point / "point.json", Spec)
    job = Job(
        image, spec.resolved, spec.guest_orders("sim-control"), cache_directory(), tmp_path, 600
    )
    outcome = load("rvsim").run(job)
    again = tmp_path / "again"
    again.mkdir()
    write_point(again, spec, outcome)
    found = {p.name: p.read_bytes() for p in again.iterdir()}
    assert "stats.txt" in found
    assert found == {p.name: p.read_bytes() for p in point.iterdir() if p.name != "done.json"}


def test_the_record_says_which_build_and_allocator_ran(rvsim_run: Path, point: Path) -> None:
    """By what the worker had loaded, which a variable alone would not prove."""
    found = record.read(rvsim_run, point.name)
    # In a new process: this one may have loaded the wheel, for a test with a cache of its own.
    code = "from osgap.engines import load; print(load('rvsim').build())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.build == done.stdout.strip()
    assert found.allocator == host_allocator.describe(host_allocator.find())


def test_synchronous_writes_take_whole_turns(point: Path) -> None:
    system = read_json_model(point / "point.json", Spec).resolved
    transcript = protocol.parse((point / "console.txt").read_text())
    stats = regions((point / "stats.txt").read_text())
    synchronous = ("create_delete_0", "unix")
    samples = [s for s in transcript.samples if (s.benchmark, s.fs) == synchronous]
    (use,) = (use for use in transcript.of(DiskUse) if (use.benchmark, use.fs) == synchronous)
    assert statistics.median(s.guest_ns / s.count for s in samples) > 2 * system.disk.rotation_ns
    busy = use.seek_ns + use.rotation_ns + use.transfer_ns + use.overhead_ns
    # What the guest waits for is what the driver says the mechanism did.
    cycles = sum(stats[s.region]["osgap.cycles.idle"] for s in samples)
    assert cycles / (system.clock_mhz * 1e6) * 1e9 == pytest.approx(busy, rel=0.10)


def test_ready_is_within_its_budget(make_job, image) -> None:
    job = make_job("rvsim", 20, "checks/empty_loop")
    _, ready = load("rvsim").ready_instructions(image, job.system, job.cache)
    assert 1_000_000 < ready < 25_000_000


@pytest.mark.long
def test_a_seed_perturbs_the_start_and_is_repeatable(make_job) -> None:
    def times(seed: int) -> list[int]:
        job = make_job("rvsim", 160, "ousterhout/cswitch", seed=seed, sets={"cswitch.batches": 2})
        return [s.guest_ns for s in protocol.parse(load("rvsim").run(job).console).samples]

    assert times(1) == times(1) != times(2)


@pytest.mark.long
def test_a_guest_that_does_not_end_is_stopped(make_job) -> None:
    job = make_job("rvsim", 20, "ousterhout/getpid", sets={"getpid.count": 900000000})
    with pytest.raises(Failed) as caught:
        load("rvsim").run(replace(job, timeout_s=3))
    assert isinstance(caught.value.reason, PointTimeout)
