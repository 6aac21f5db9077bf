# SPDX-License-Identifier: BSD-3-Clause
"""Guests that say a GiB, and simulators that print as much: named, soon, and in little memory."""

import resource
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from guests import with_broken_call, with_init

from osgap.base.paths import project_root
from osgap.engines import load
from osgap.engines.contract import EngineError, Failed, Job, PointTimeout
from osgap.guest.console import LARGEST, LONGEST_LINE
from osgap.guest.protocol import GuestFlood, GuestPanic, NoEndMarker, Orders
from osgap.image.files import Image
from osgap.machines.machine import load_machine
from osgap.machines.system import system

ROOT = project_root()
TALKER = Path(__file__).parent / "guest" / "talker.c"
FAKE_GEM5 = Path(__file__).parent / "fake_gem5"
BASE = system(load_machine(ROOT / "configs" / "machines" / "base.toml"), 40)
GIB = 1 << 30
MORE_MIB = 300
"""What reading a flood may add to the memory of this process at most."""

MakeGuest = Callable[..., Job]


def _job(image: Image, directory: Path, marks: str, timeout_s: float) -> Job:
    scratch = directory / "scratch"
    scratch.mkdir()
    orders = Orders(marks, ("checks",), ("unix",), {})
    return Job(image, BASE, orders, directory / "cache", scratch, timeout_s)


@pytest.fixture
def talker(image: Image, tmp_path: Path) -> MakeGuest:
    """talker(engine, say, bytes): a job on the image with an init that says it so often."""

    def make(engine: str, say: str, size: int, *options: str, timeout_s: float = 120) -> Job:
        own = with_init(image, TALKER, tmp_path, f'-DSAY="{say}"', f"-DBYTES={size}UL", *options)
        return _job(own, tmp_path, load(engine).marks, timeout_s)

    return make


def _failure(engine: str, job: Job) -> tuple[Failed, float]:
    """How it ended, and after how many seconds; with a bound on the memory that took."""
    own = load(engine)
    own.prepare(job.image, job.system, job.cache, lambda text: None)
    before, began = _peak_mib(), time.monotonic()
    with pytest.raises(Failed) as caught:
        own.run(job)
    assert _peak_mib() - before < MORE_MIB
    assert len(caught.value.console) <= LARGEST and len(str(caught.value.reason)) < 500
    return caught.value, time.monotonic() - began


def _peak_mib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


@pytest.mark.long
@pytest.mark.qemu
@pytest.mark.parametrize(
    ("say", "allowed"),
    [("all work and no play\\n", LARGEST), ("Oops ", LONGEST_LINE), ("x", LONGEST_LINE)],
)
def test_a_gib_from_a_guest_on_qemu_is_a_flood(talker: MakeGuest, say: str, allowed: int) -> None:
    failed, spent_s = _failure("qemu", talker("qemu", say, GIB))
    assert isinstance(failed.reason, GuestFlood) and f"allowed: {allowed}" in str(failed.reason)
    assert spent_s < 60


@pytest.mark.qemu
def test_a_flood_does_not_hide_the_time_limit(talker: MakeGuest) -> None:
    failed, spent_s = _failure("qemu", talker("qemu", "all work\\n", GIB, timeout_s=1))
    assert isinstance(failed.reason, PointTimeout) and spent_s < 5


@pytest.mark.qemu
def test_a_program_that_says_oops_is_no_panic(talker: MakeGuest) -> None:
    """The init's end is: no init may end."""
    failed, _ = _failure("qemu", talker("qemu", "this is an Oops [#1]\\n", 21))
    assert "this is an Oops [#1]\n" in failed.console
    assert isinstance(failed.reason, GuestPanic) and "Attempted to kill init" in str(failed.reason)


@pytest.mark.qemu
@pytest.mark.parametrize(
    ("instruction", "line"),
    [
        (0x00003003, "Unable to handle kernel"),  # ld zero, 0(zero)
        (0x00000000, "Oops - illegal instruction [#1]"),
        (0x00100073, "Kernel BUG [#1]"),  # ebreak
    ],
)
def test_a_kernel_that_breaks_in_a_system_call_is_a_panic(
    image: Image, tmp_path: Path, instruction: int, line: str
) -> None:
    kernel = with_broken_call(image, instruction, tmp_path)
    guest = with_init(kernel, TALKER, tmp_path, '-DSAY="fine\\n"', "-DBYTES=5", "-DCALL")
    failed, _ = _failure("qemu", _job(guest, tmp_path, "none", 60))
    assert isinstance(failed.reason, GuestPanic) and line in str(failed.reason)


class OtherOrders(Orders):
    def text(self) -> str:
        return "x\n"


@pytest.mark.long
@pytest.mark.rvsim
def test_a_gib_on_rvsim_is_a_flood_in_one_line_and_in_lines_ends_with_its_time(
    talker: MakeGuest,
) -> None:
    """Of lines it says a few KB in a second: the time limit comes before the console's."""
    job = talker("rvsim", "Oops ", GIB, '-DOTHER="all work\\n"')
    failed, spent_s = _failure("rvsim", job)
    assert isinstance(failed.reason, GuestFlood) and spent_s < 100
    lines = OtherOrders(job.orders.marks, job.orders.run, job.orders.fs, {})
    failed, spent_s = _failure("rvsim", replace(job, orders=lines, timeout_s=10))
    assert isinstance(failed.reason, PointTimeout) and spent_s < 40
    assert "\nall work\n" in failed.console


@pytest.fixture
def fake_gem5(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Job]:
    """fake_gem5(mode): a job on a program that behaves as gem5 does, but for that."""

    def make(mode: str) -> Job:
        monkeypatch.setenv("GEM5", str(FAKE_GEM5))
        monkeypatch.setenv("FAKE_GEM5", mode)
        for name in ("Image", "vmlinux", "fw_jump.bin", "fw_jump.elf"):
            (tmp_path / name).write_text(name)
        image = Image(tmp_path / "Image", tmp_path / "fw_jump.bin", "digest")
        return _job(image, tmp_path, "m5", 60)

    return make


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "kind", "words"),
    [
        ("flood", GuestFlood, f"allowed: {LARGEST}"),
        ("one-line", GuestFlood, f"allowed: {LONGEST_LINE}"),
        ("warnings", EngineError, "gem5's gem5.log: found"),
        ("dumps", EngineError, "gem5's stats.txt: found 2147483648 bytes; allowed: 1073741824"),
    ],
)
def test_gem5_is_ended_when_its_files_grow(
    fake_gem5: Callable[[str], Job], mode: str, kind: type[Exception], words: str
) -> None:
    job = fake_gem5(mode)
    failed, spent_s = _failure("gem5", job)
    assert type(failed.reason) is kind and words in str(failed.reason)
    assert failed.console.startswith("@osgap bench") and spent_s < 20
    # What it wrote until it was ended; a hole takes no room.
    assert sum(path.stat().st_blocks * 512 for path in job.scratch.iterdir()) < GIB


@pytest.mark.qemu
def test_a_machine_that_stops_before_it_is_ready_is_named(image: Image, tmp_path: Path) -> None:
    nothing = tmp_path / "Image"
    # sbi_system_reset(shutdown, no reason)
    code = (0x5352_58B7, 0x3548_8893, 0x0000_0813, 0x0000_0513, 0x0000_0593, 0x0000_0073)
    nothing.write_bytes(b"".join(word.to_bytes(4, "little") for word in code))
    job = _job(replace(image, kernel=nothing), tmp_path, "none", 60)
    failed, _ = _failure("qemu", job)
    assert isinstance(failed.reason, NoEndMarker) and "before it was ready" in str(failed.reason)
