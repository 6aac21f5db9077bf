# SPDX-License-Identifier: BSD-3-Clause
"""Points on a real gem5, where $GEM5 or PATH has one: the machine is the one that was asked for."""

import statistics
from dataclasses import replace

import pytest
from outcomes import per_operation_ns, regions
from shared import Once

from osgap.base.paths import project_root
from osgap.engines import load
from osgap.engines.contract import EngineError, Failed, Outcome, PointTimeout
from osgap.gem5stats import names
from osgap.guest import protocol
from osgap.image.files import Image
from osgap.machines.machine import load_fitted
from osgap.machines.system import System, system

pytestmark = [pytest.mark.gem5, pytest.mark.usefixtures("real_gem5")]

CHECKS = (
    "checks/empty_loop",
    "checks/pointer_chase_l1",
    "checks/pointer_chase_memory",
    "checks/stream_copy",
)
CORE = "board.processor.cores.core"


@pytest.fixture(scope="module")
def fast(make_job, once: Once) -> tuple[Outcome, System]:
    """The machine checks at 640 MHz, where memory is what limits them."""
    job = make_job("gem5", 640, *CHECKS)
    return once.value("gem5-checks", lambda: load("gem5").run(job)), job.system


def test_the_pointer_chase_sees_the_configured_latency(fast) -> None:
    outcome, system = fast
    miss = per_operation_ns(outcome, "pointer_chase_memory")
    hit = per_operation_ns(outcome, "pointer_chase_l1")
    assert miss - hit == pytest.approx(system.memory.latency_ns, rel=0.10)


def test_the_stream_copy_moves_three_lines_for_one(fast) -> None:
    outcome, _ = fast
    stats = regions(outcome.stats)
    copies = [s for s in protocol.parse(outcome.console).samples if s.benchmark == "stream_copy"]
    places = (names.OPTIONAL["bytes_read"], names.OPTIONAL["bytes_written"])
    moved = [sum(names.find(stats[c.region], place) for place in places) for c in copies]
    per_byte = [bytes_ / (c.bytes * c.count) for bytes_, c in zip(moved, copies, strict=True)]
    assert statistics.median(per_byte) == pytest.approx(3, rel=0.02)


def test_the_stream_copy_fills_the_bandwidth_when_that_is_what_limits_it(make_job) -> None:
    """A line takes 640 ns to transfer and 25 ns to reach: even a core that waits fills the bus."""
    job = make_job("gem5", 640, "checks/stream_copy")
    memory = job.system.memory.model_copy(update={"latency_ns": 25, "bandwidth_mb_s": 100})
    slow = replace(job, system=job.system.model_copy(update={"memory": memory}))
    outcome = load("gem5").run(slow)
    copy = next(s for s in protocol.parse(outcome.console).samples if s.batch == 2)
    moved = 3 * copy.bytes * copy.count
    assert moved / copy.guest_ns * 1000 == pytest.approx(memory.bandwidth_mb_s, rel=0.10)


def test_a_core_that_waits_takes_two_latencies_and_a_transfer_for_a_line(fast) -> None:
    outcome, system = fast
    memory, line = system.memory, system.l1d.line_bytes
    copy = per_operation_ns(outcome, "stream_copy")
    lines = 262144 / line
    expected = 2 * memory.latency_ns + line / memory.bandwidth_mb_s * 1000
    assert copy / lines == pytest.approx(expected, rel=0.10)


def test_both_clocks_agree(fast) -> None:
    outcome, _ = fast
    stats = regions(outcome.stats)
    for sample in protocol.parse(outcome.console).samples:
        outside = stats[sample.region]["simSeconds"] * 1e9 - sample.guest_ns
        assert -200 <= outside < 5_000


def test_a_point_repeats_byte_for_byte(make_job) -> None:
    orders = ("ousterhout/getpid", "ousterhout/create_delete_0")
    found = [
        load("gem5").run(make_job("gem5", 160, *orders, memory="scaled", disk="scaled"))
        for _ in range(2)
    ]
    assert found[0].stats == found[1].stats and found[0].console == found[1].console


@pytest.mark.parametrize("core", ["in-order-pipelined", "out-of-order"])
def test_other_cores_restore_the_same_checkpoint(make_job, core: str) -> None:
    job = make_job("gem5", 640, "ousterhout/getpid")
    outcome = load("gem5").run(replace(job, system=job.system.model_copy(update={"core": core})))
    assert len(regions(outcome.stats)) == 5


def test_the_disk_is_waited_for_on_a_pipelined_core_with_lines_of_sixteen_bytes(make_job) -> None:
    """v24.0 loses what an atomic access reads where stores fill the rest of a missing line.

    Which words share a line is the image's: the default one's never did.
    """
    built = project_root() / "build" / "variants" / "period-moves" / "image"
    if not built.is_dir():
        pytest.skip("period-moves is not built: osgap variants period-moves")
    folder = project_root() / "configs" / "machines"
    own = system(load_fitted(folder / "period" / "DS3100.toml", "gem5", folder)[0])
    assert (own.core, own.l1d.line_bytes) == ("in-order-pipelined", 16)
    job = make_job("gem5", 160, "ousterhout/andrew_makedir")
    orders = replace(job.orders, disk=own.disk.model_dump())
    job = replace(job, image=load("gem5").image(built), system=own, orders=orders)
    load("gem5").prepare(job.image, own, job.cache, lambda text: None)
    outcome = load("gem5").run(job)
    assert protocol.parse(outcome.console).samples


@pytest.mark.parametrize("core", ["in-order", "in-order-pipelined", "out-of-order"])
def test_every_core_accounts_for_the_time_it_waits(make_job, core: str) -> None:
    job = make_job("gem5", 640, "ousterhout/create_delete_0")
    outcome = load("gem5").run(replace(job, system=job.system.model_copy(update={"core": core})))
    samples = protocol.parse(outcome.console).samples
    for sample, stats in zip(samples, regions(outcome.stats), strict=True):
        counted = names.elapsed_cycles(stats, stats[f"{CORE}.numCycles"])
        simulated = stats["simTicks"] / stats["board.clk_domain.clock"]
        idle = names.find(stats, names.OPTIONAL["idle_cycles"])
        assert counted == pytest.approx(simulated, rel=1e-3)
        waits = sample.fs == "unix"  # for the disk, once a write
        assert idle is not None and (0.9 < idle / counted < 1) == waits


def test_a_dram_model_takes_the_place_of_latency_and_bandwidth(make_job) -> None:
    job = make_job("gem5", 640, *CHECKS[1:3])
    memory = job.system.memory.model_copy(update={"model": "DDR3_1600"})
    outcome = load("gem5").run(
        replace(job, system=job.system.model_copy(update={"memory": memory}))
    )
    # No bus and no cache in between: a DDR3-1600 answers in about 30 to 60 ns.
    assert 20 < per_operation_ns(outcome, "pointer_chase_memory") < 100


def test_orders_that_the_guest_refuses_are_told(make_job) -> None:
    with pytest.raises(Failed) as caught:
        load("gem5").run(make_job("gem5", 640, "ousterhout/none"))
    assert isinstance(caught.value.reason, protocol.GuestError)


def test_a_point_over_its_time_is_stopped(make_job) -> None:
    with pytest.raises(Failed) as caught:
        load("gem5").run(replace(make_job("gem5", 20, "ousterhout"), timeout_s=5))
    assert isinstance(caught.value.reason, PointTimeout)


def test_a_kernel_that_panics_is_quoted(make_job, tmp_path) -> None:
    """Its word for the first process is changed, so that it finds neither that nor a root."""
    job = make_job("gem5", 640, "ousterhout/getpid")
    kernel = tmp_path / "vmlinux"
    kernel.write_bytes(job.image.kernel_elf.read_bytes().replace(b"/init\0", b"/none\0"))
    (tmp_path / "fw_jump.elf").write_bytes(job.image.firmware_elf.read_bytes())
    image = Image(tmp_path / "Image", tmp_path / "fw_jump.bin", "a kernel without init")
    with pytest.raises(Failed) as caught:
        load("gem5").prepare(image, job.system, tmp_path / "cache", lambda text: None)
    assert isinstance(caught.value.reason, protocol.GuestPanic)
    assert "Kernel panic - not syncing" in str(caught.value.reason)


def test_a_damaged_checkpoint_is_gem5s_fatal(make_job, image, tmp_path) -> None:
    job = make_job("gem5", 640, "ousterhout/getpid", cache=tmp_path / "cache")
    for state in (tmp_path / "cache" / "checkpoints").glob("gem5-*/state/m5.cpt"):
        state.unlink()
    with pytest.raises(Failed) as caught:
        load("gem5").run(job)
    assert isinstance(caught.value.reason, EngineError)
    assert "fatal: Can't load checkpoint file" in str(caught.value.reason)
