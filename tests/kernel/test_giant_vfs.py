# SPDX-License-Identifier: BSD-3-Clause
"""The kernel's giant lock: data stay whole under it, lockdep is content, off costs nothing."""

from pathlib import Path

import pytest
from giant_guest import Counters, Guest, build_initrd, build_kernel, complaints, fragment, marked

from osgap.image.files import Image

# In one process: others would wait while one builds a kernel, and QEMU's harts take all cores.
pytestmark = [pytest.mark.qemu, pytest.mark.long, pytest.mark.xdist_group("giant_vfs")]

HARTS = 8
WORKERS = 16
# A debug kernel is slower.
ROUNDS = {"smp": 3, "debug": 1}
DEBUG = Path(__file__).with_name("debug.config").read_text(encoding="utf-8")
OPTIONS = {"smp": fragment("smp"), "debug": fragment("smp", DEBUG)}


@pytest.fixture(scope="session")
def stress(image: Image, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_initrd(tmp_path_factory.mktemp("stress"), "stress.c", "stress_jobs.c")


def run_stress(scratch: Path, initrd: Path, kind: str, mode: str) -> str:
    """The console of a stress test that found nothing wrong."""
    image = build_kernel(scratch, OPTIONS[kind])
    guest = Guest(image, initrd, HARTS, timeout_s=1800)
    console = guest.run(f"giant_vfs={mode}", f"workers={WORKERS}", f"rounds={ROUNDS[kind]}")
    assert not complaints(console)
    assert marked(console, "stress")[-1] == "ok"
    return console


def check_counters(console: str, mode: str) -> None:
    """What must hold of the counters of any run."""
    counters = Counters.read(console)
    total, elapsed_ns = counters.total, int(marked(console, "stress")[0].removeprefix("ns="))
    assert counters.mode == mode and len(counters.harts) == HARTS
    for name, value in total.items():
        assert value == sum(hart[name] for hart in counters.harts)
    if mode == "0":
        assert not any(total.values())
        return
    assert total["acquisitions"] > 1000 and total["retakes"] > 0
    assert 0 < total["contended"] <= total["acquisitions"]
    assert total["sleeps"] > 0 and total["wait_ticks"] > 0
    # One holds it at a time: all that is held fits into the time that passed.
    assert 0 < total["hold_ticks"] / counters.ticks_per_second <= elapsed_ns / 1e9


@pytest.mark.parametrize("mode", ["0", "1", "adaptive"])
def test_data_stay_whole_under_stress(stress: Path, tmp_path: Path, mode: str) -> None:
    check_counters(run_stress(tmp_path, stress, "smp", mode), mode)


@pytest.mark.parametrize("mode", ["1", "adaptive"])
def test_lockdep_is_content(stress: Path, tmp_path: Path, mode: str) -> None:
    console = run_stress(tmp_path, stress, "debug", mode)
    check_counters(console, mode)
    stats = dict(line.strip().split(":", 1) for line in marked(console, "lockdep") if ":" in line)
    # It switches itself off at the first trouble of its own.
    assert int(stats["debug_locks"]) == 1


def test_a_wrong_mode_is_refused_by_name(stress: Path, tmp_path: Path) -> None:
    guest = Guest(build_kernel(tmp_path, OPTIONS["smp"]), stress, 1, timeout_s=600)
    console = guest.run("giant_vfs=2", "workers=2", "rounds=1")
    assert "giant_vfs=2: allowed are 0, 1 and adaptive" in console
    assert Counters.read(console).mode == "0"


def instructions(image: Path, initrd: Path, *words: str) -> dict[str, float]:
    """Instructions of one of each operation of cost.c: QEMU counts one a nanosecond."""
    console = Guest(image, initrd, 1, timeout_s=600).run(*words, qemu=("-icount", "shift=0"))
    assert not complaints(console)
    return {name: float(value) for name, value in map(str.split, marked(console, "cost"))}


@pytest.mark.usefixtures("image")
def test_off_costs_nothing(tmp_path: Path) -> None:
    """The kernel of one hart, with the option built in and not asked for, against that without.

    The compiler puts other functions in line in either: that moves a path by up to 1.6 % (a fault),
    or saves 4.5 % (create and unlink).
    """
    initrd = build_initrd(tmp_path, "cost.c")
    without = instructions(build_kernel(tmp_path, fragment()), initrd)
    image = build_kernel(tmp_path, fragment(more="CONFIG_OSGAP_GIANT_VFS=y\n"))
    off, on = instructions(image, initrd), instructions(image, initrd, "giant_vfs=1")
    assert len(without) == 8 and off.keys() == on.keys() == without.keys()
    for name, before in without.items():
        assert off[name] <= 1.02 * before, name
    assert sum(off[name] / before for name, before in without.items()) <= 1.01 * len(without)
    # The comparison can tell: what the lock covers does cost more with it.
    assert all(on[name] > 1.02 * off[name] for name in ("look", "open_read_close", "create_unlink"))


@pytest.mark.parametrize(
    "line",
    [
        "[    1.0] WARNING: possible circular locking dependency detected",
        "[    1.0] BUG: sleeping function called from invalid context at fs/giant_vfs.c:1",
        "[    1.0] INFO: task init:80 blocked for more than 60 seconds.",
        "@stress fail stress.c:1 errno=0 n > 0",
    ],
)
def test_complaints_are_heard(line: str) -> None:
    assert complaints(f"boot\n{line}\nmore\n") == [line]
