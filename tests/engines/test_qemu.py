# SPDX-License-Identifier: BSD-3-Clause
"""The image in QEMU: every benchmark runs and checks itself, and failures have names."""

from dataclasses import replace
from pathlib import Path

import pytest

from osgap.base.paths import project_root
from osgap.engines import load
from osgap.engines.contract import Failed, PointTimeout
from osgap.guest import protocol
from osgap.guest.records import DiskUse
from osgap.image.files import Image, load_image

pytestmark = pytest.mark.qemu


def _suites() -> dict[str, list[str]]:
    folders = (project_root() / "workloads").iterdir()
    sources = {f.name: [p.stem for p in f.glob("*.c")] for f in folders if f.is_dir()}
    return {name: sources[name] for name in ("checks", "ousterhout")}


@pytest.mark.parametrize("builder", ["debian", "buildroot"])
def test_every_benchmark_runs_on_both_file_systems(make_job, builder: str) -> None:
    job = make_job("qemu", 20, "checks", "ousterhout")
    if builder == "buildroot":
        built = project_root() / "build" / "buildroot" / "image"
        if not (built / "image.json").is_file():
            pytest.skip("no image by Buildroot: scons image builder=buildroot BUILDROOT=PATH")
        job = replace(job, image=load_image(built))
    outcome = load("qemu").run(job)
    transcript = protocol.parse(outcome.console)
    ran = {(sample.benchmark, sample.fs) for sample in transcript.samples}
    for stem in (stem for stems in _suites().values() for stem in stems):
        assert any(name.startswith(stem) for name, _ in ran), f"{stem} left no sample"
    sizes = {f"create_delete_{size}" for size in ("0", "10k", "100k")}
    steps = {f"create_delete_{kilobytes}k" for kilobytes in range(2, 10)}
    phases = {f"andrew_{p}" for p in ("makedir", "copy", "scandir", "readall", "make")}
    assert {(name, "unix") for name in sizes | steps | phases} <= ran
    assert {(name, "sprite") for name in sizes} <= ran
    assert all(sample.guest_ns > 0 for sample in transcript.samples)


def test_delayed_writes_wait_for_no_disk_and_synchronous_ones_do(make_job) -> None:
    outcome = load("qemu").run(make_job("qemu", 20, "ousterhout/create_delete_0"))
    disk = {use.fs: use for use in outcome.transcript.of(DiskUse)}
    cycles = 4 * 5  # count x batches
    assert disk["sprite"].writes == 0
    assert disk["unix"].writes >= 4 * cycles and disk["unix"].rotation_ns > 0


def test_disk_parameters_reach_the_driver(make_job, with_orders) -> None:
    job = make_job("qemu", 20, "ousterhout/create_delete_0", fs=("unix",))
    quick = {**job.orders.disk, "rotation_ns": 1000000, "overhead_ns": 0}
    fast = with_orders(job, replace(job.orders, disk=quick))
    slow_ns, fast_ns = (
        min(s.guest_ns for s in protocol.parse(load("qemu").run(j).console).samples)
        for j in (job, fast)
    )
    assert slow_ns > 5 * fast_ns


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"run": ("ousterhout/nothing",)}, "benchmark"),
        ({"disk": {"speed": 1}}, "disk"),
        ({"disk": {"rotation_ns": 0}}, "disk"),
        ({"sets": {"getpid.loops": 3}}, ""),
    ],
)
def test_orders_that_the_guest_refuses(make_job, with_orders, change, reason) -> None:
    job = make_job("qemu", 20, "ousterhout/getpid")
    with pytest.raises(Failed) as caught:
        load("qemu").run(with_orders(job, replace(job.orders, **change)))
    assert isinstance(caught.value.reason, protocol.GuestError)
    assert reason in str(caught.value.reason)


def test_a_panic_is_quoted(make_job, image: Image, tmp_path: Path) -> None:
    broken = tmp_path / "Image"
    data = image.kernel.read_bytes()
    name = b"00000000init\0"  # the end of a cpio header, and the name after it
    assert data.count(name) == 1
    data = data.replace(name, name.replace(b"init", b"tini"))
    broken.write_bytes(data)
    job = make_job("qemu", 20, "checks")
    job = replace(job, image=replace(image, kernel=broken), timeout_s=60)
    with pytest.raises(Failed) as caught:
        load("qemu").run(job)
    assert isinstance(caught.value.reason, protocol.GuestPanic)
    assert "Kernel panic" in str(caught.value.reason)


@pytest.mark.long
def test_a_guest_that_does_not_end_is_stopped(make_job) -> None:
    job = make_job("qemu", 20, "ousterhout/getpid", sets={"getpid.count": 900000000})
    with pytest.raises(Failed) as caught:
        load("qemu").run(replace(job, timeout_s=5))
    assert isinstance(caught.value.reason, PointTimeout)
