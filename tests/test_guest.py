# SPDX-License-Identifier: BSD-3-Clause
"""The host's half of the guest protocol."""

import contextlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap import guest

GOOD = """OpenSBI v1.1
@osgap ready protocol=1
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
    transcript = guest.parse(GOOD)
    assert [s.guest_ns for s in transcript.samples] == [9133820, 9133819, 5]
    assert transcript.samples[2].fs == "unix" and transcript.samples[0].count == 400
    assert transcript.disk[0].writes == 2 and transcript.disk[0].queue_ns == 5
    where = (2, "create_delete_0", "unix", 0)
    assert transcript.counters == (
        guest.CounterValue(*where, "wait_ns", 700),
        guest.CounterValue(*where, "sleeps", 0),
    )
    assert transcript.modes == (guest.ModeTimes(2, "create_delete_0", "unix", 0, 1, 4, 2),)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("@osgap end status=ok regions=3\n", "", guest.NoEndMarker),
        ("regions=3", "regions=4", guest.GuestError),
        ("protocol=1", "protocol=2", guest.GuestError),
        ("region=1", "region=2", guest.GuestError),
        ("@osgap disk ", "@osgap disc ", guest.GuestError),
        (" irqs=4", "", guest.GuestError),
        ("modes region=2", "modes region=1", guest.GuestError),
        ("modes region=2", "modes region=3", guest.GuestError),
        (" idle_ns=2", "", guest.GuestError),
        ("user_ns=1", "user_ns=-1", guest.GuestError),
        ("idle_ns=2\n", f"idle_ns=2\n{MODES.format(2)}", guest.GuestError),
        ("protocol=1\n", f"protocol=1\n{MODES.format(0)}", guest.GuestError),
        ("irqs=0\n@osgap bench", f"irqs=0\n{MODES.format(1)}@osgap bench", guest.GuestError),
        ("counter region=2", "counter region=1", guest.GuestError),
        ("name=sleeps", "name=wait_ns", guest.GuestError),
        ("value=700", "value=-1", guest.GuestError),
        ("irqs=0\n@osgap bench", f"irqs=0\n{COUNTER.format(1, 'x')}@osgap bench", guest.GuestError),
        (" irqs=4", " irqs=4 irqs=4", guest.GuestError),
        ("ns=9133820", "ns=-1", guest.GuestError),
        ("metric=us", "metric=furlongs", guest.GuestError),
        ("sample region=0 name=getpid", "sample region=0 name=getppid", guest.GuestError),
        ("@osgap ready", "@osgap error reason=bad-count\n@osgap ready", guest.GuestError),
        ("OpenSBI v1.1", "Kernel panic - not syncing: VFS", guest.GuestPanic),
        (
            "@osgap end status=ok",
            "@osgap fail name=read fs=unix reason=short\n@osgap end status=failed",
            guest.BenchmarkFailed,
        ),
    ],
)
def test_whatever_is_wrong_is_named(old: str, new: str, error: type[Exception]) -> None:
    assert old in GOOD
    with pytest.raises(error) as caught:
        guest.parse(GOOD.replace(old, new, 1))
    assert "\n" not in str(caught.value)


def test_the_panic_is_quoted() -> None:
    failure = guest.decisive_failure("[ 1.0] Kernel panic - not syncing: VFS: no root\r\nmore\r\n")
    assert isinstance(failure, guest.GuestPanic) and "VFS: no root" in str(failure)


def test_an_end_line_counts_only_when_complete() -> None:
    assert not guest.has_ended("@osgap end status=ok regi")
    assert guest.has_ended("@osgap end status=ok regions=3\r\n")


@given(st.text(max_size=300))
def test_any_console_is_read_or_refused_by_name(text: str) -> None:
    for console in (text, "@osgap " + text, GOOD + text):
        with contextlib.suppress(guest.OsgapError):
            guest.parse(console)


def test_orders_carry_their_length() -> None:
    orders = guest.Orders("rvsim", ("checks", "ousterhout/getpid"), ("unix",), {"heads": 15}, 3)
    body, _, last = orders.text().rpartition("go ")
    assert int(last) == len(body)
    assert body.splitlines()[0] == "osgap 1" and "disk heads=15" in body and "seed 3" in body


def test_direct_calls_need_no_order() -> None:
    direct = guest.Orders("rvsim", ("checks",), ("unix",), {})
    assert "calls" not in direct.text()
    for calls in guest.CALLS[1:]:
        assert f"\ncalls {calls}\n" in replace(direct, calls=calls).text()
    with pytest.raises(guest.GuestError, match="allowed: direct, patch-first"):
        replace(direct, calls="ptrace").text()


@pytest.mark.parametrize("name", ["a b", "x;reboot", "../up", "A", "", "n\nengine gem5"])
def test_orders_hold_only_words(name: str) -> None:
    with pytest.raises(guest.GuestError):
        guest.Orders("rvsim", (name,), ("unix",), {}).text()
