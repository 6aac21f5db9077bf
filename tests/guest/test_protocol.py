# SPDX-License-Identifier: BSD-3-Clause
"""The host's half of the guest protocol."""

import contextlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.guest import protocol
from osgap.guest.records import CounterValue, DiskUse, ModeTimes

GOOD = """OpenSBI v1.1
@osgap ready protocol=2
@osgap bench name=getpid fs=none metric=us bytes=0 count=400 batches=2
@osgap sample region=0 name=getpid fs=none batch=0 ns=9133820 irqs=4
@osgap sample region=1 name=getpid fs=none batch=1 ns=9133819 irqs=0
@osgap bench name=create_delete_0 fs=unix metric=ms bytes=0 count=4 batches=1
@osgap sample region=2 name=create_delete_0 fs=unix batch=0 ns=5 irqs=0
@osgap modes region=2 user_ns=1 kernel_ns=4 idle_ns=2
@osgap counter region=2 name=wait_ns value=700
@osgap counter region=2 name=sleeps value=0
@osgap disk name=create_delete_0 fs=unix reads=1 writes=2 sectors=24 seek_ns=1 rotation_ns=2 \
transfer_ns=3 overhead_ns=4 queue_ns=5
@osgap end status=ok regions=3
"""
COUNTER = "@osgap counter region={} name={} value=1\n"
MODES = "@osgap modes region={} user_ns=1 kernel_ns=2 idle_ns=3\n"


def test_a_whole_console_is_read() -> None:
    transcript = protocol.parse(GOOD)
    assert [s.guest_ns for s in transcript.samples] == [9133820, 9133819, 5]
    assert transcript.samples[2].fs == "unix" and transcript.samples[0].count == 400
    assert transcript.of(DiskUse)[0].writes == 2 and transcript.of(DiskUse)[0].queue_ns == 5
    where = (2, "create_delete_0", "unix", 0)
    assert transcript.of(CounterValue) == (
        CounterValue(*where, "wait_ns", 700),
        CounterValue(*where, "sleeps", 0),
    )
    assert transcript.of(ModeTimes) == (ModeTimes(2, "create_delete_0", "unix", 0, 1, 4, 2),)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("@osgap end status=ok regions=3\n", "", protocol.NoEndMarker),
        ("regions=3", "regions=4", protocol.GuestError),
        ("protocol=2", "protocol=3", protocol.GuestError),
        ("region=1", "region=2", protocol.GuestError),
        ("@osgap disk ", "@osgap disc ", protocol.GuestError),
        (" irqs=4", "", protocol.GuestError),
        ("modes region=2", "modes region=1", protocol.GuestError),
        ("modes region=2", "modes region=3", protocol.GuestError),
        (" idle_ns=2", "", protocol.GuestError),
        ("user_ns=1", "user_ns=-1", protocol.GuestError),
        ("idle_ns=2\n", f"idle_ns=2\n{MODES.format(2)}", protocol.GuestError),
        ("protocol=2\n", f"protocol=2\n{MODES.format(0)}", protocol.GuestError),
        ("irqs=4\n", f"irqs=4\n{MODES.format(0)}", protocol.GuestError),
        ("counter region=2", "counter region=1", protocol.GuestError),
        ("name=sleeps", "name=wait_ns", protocol.GuestError),
        ("value=700", "value=-1", protocol.GuestError),
        (
            "irqs=0\n@osgap bench",
            f"irqs=0\n{COUNTER.format(1, 'x')}@osgap bench",
            protocol.GuestError,
        ),
        (" irqs=4", " irqs=4 irqs=4", protocol.GuestError),
        ("ns=9133820", "ns=-1", protocol.GuestError),
        ("metric=us", "metric=furlongs", protocol.GuestError),
        ("sample region=0 name=getpid", "sample region=0 name=getppid", protocol.GuestError),
        ("@osgap ready", "@osgap error reason=bad-count\n@osgap ready", protocol.GuestError),
        ("OpenSBI v1.1", "Kernel panic - not syncing: VFS", protocol.GuestPanic),
        (
            "@osgap end status=ok",
            "@osgap fail name=read fs=unix reason=short\n@osgap end status=failed",
            protocol.BenchmarkFailed,
        ),
    ],
)
def test_whatever_is_wrong_is_named(old: str, new: str, error: type[Exception]) -> None:
    assert old in GOOD
    with pytest.raises(error) as caught:
        protocol.parse(GOOD.replace(old, new, 1))
    assert "\n" not in str(caught.value)


def test_modes_may_be_told_of_the_second_half_of_the_batches() -> None:
    timed, counted = GOOD.split("@osgap bench name=create", 1)
    told = f"{timed}{MODES.format(1)}@osgap bench name=create{counted}"
    assert [row.batch for row in protocol.parse(told).of(ModeTimes)] == [1, 0]


def test_orders_say_how_regions_are_marked() -> None:
    with pytest.raises(protocol.GuestError, match="marks: found 'gem5'; allowed: none, sim-c"):
        protocol.Orders("gem5", ("checks",), ("unix",), {}).text()


def test_the_panic_is_quoted() -> None:
    with pytest.raises(protocol.GuestPanic, match="VFS: no root"):
        protocol.parse("[    1.000000] Kernel panic - not syncing: VFS: no root\r\nmore\r\n")


@given(st.text(max_size=300))
def test_any_console_is_read_or_refused_by_name(text: str) -> None:
    for console in (text, "@osgap " + text, GOOD + text):
        with contextlib.suppress(protocol.OsgapError):
            protocol.parse(console)


def test_orders_carry_their_length() -> None:
    run = ("checks", "ousterhout/getpid")
    orders = protocol.Orders("sim-control", run, ("unix",), {"heads": 15}, 3)
    body, _, last = orders.text().rpartition("go ")
    assert int(last) == len(body)
    assert body.splitlines()[0] == "osgap 2" and "disk heads=15" in body and "seed 3" in body


def test_direct_calls_need_no_order() -> None:
    direct = protocol.Orders("sim-control", ("checks",), ("unix",), {})
    assert "calls" not in direct.text()
    for calls in protocol.CALLS[1:]:
        assert f"\ncalls {calls}\n" in replace(direct, calls=calls).text()
    with pytest.raises(protocol.GuestError, match="allowed: direct, patch-first"):
        replace(direct, calls="ptrace").text()


def test_the_benchmarks_own_working_sets_need_no_order() -> None:
    own = protocol.Orders("sim-control", ("checks",), ("unix",), {})
    assert "uncached" not in own.text()
    assert "\nuncached 1048576\nfs unix\n" in replace(own, uncached=1 << 20).text()
    for size in (1, 131071, 131072 + 4096, 512 << 20):
        with pytest.raises(protocol.GuestError, match=f"uncached: found {size}; allowed: multi"):
            replace(own, uncached=size).text()


@pytest.mark.parametrize("name", ["a b", "x;reboot", "../up", "A", "", "n\nmarks m5"])
def test_orders_hold_only_words(name: str) -> None:
    with pytest.raises(protocol.GuestError):
        protocol.Orders("sim-control", (name,), ("unix",), {}).text()
