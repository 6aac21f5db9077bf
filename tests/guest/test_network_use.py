# SPDX-License-Identifier: BSD-3-Clause
"""Files on a server in the guest protocol: the order that sets the network, the line of its use."""

from collections.abc import Mapping

import consoles
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.guest import protocol
from osgap.guest.protocol import FILE_SYSTEMS, LOCAL, REMOTE, GuestError, Orders
from osgap.guest.records import LARGEST, RECORDS, DiskUse, NetworkUse, columns

DISK = {"heads": 15, "cylinders": 1202}
NETWORK = {"bytes_per_s": 1250000, "delay_ns": 0, "overhead_bytes": 24, "lost_per_million": 0}
LINE = "network bytes_per_s=1250000 delay_ns=0 overhead_bytes=24 lost_per_million=0"


def orders(
    *fs: str, disk: Mapping[str, int] = DISK, network: Mapping[str, int] = NETWORK
) -> list[str]:
    run = ("checks", "ousterhout")
    return Orders("none", run, fs, disk, network=network).text().splitlines()


def test_the_words_are_those_of_the_protocol() -> None:
    assert FILE_SYSTEMS == ("none", "unix", "sprite", "nfs", "afs", "diskless")
    assert (*LOCAL, *REMOTE) == FILE_SYSTEMS[1:]


@pytest.mark.parametrize("fs", REMOTE)
def test_the_network_is_ordered_right_after_the_disk(fs: str) -> None:
    lines = orders("unix", fs)
    at = lines.index(LINE)
    assert lines[at - 1] == "disk heads=15 cylinders=1202"
    assert lines[at + 1] == f"fs unix,{fs}"
    assert lines[-1] == f"go {sum(len(line) + 1 for line in lines[:-1])}"
    (line,) = set(lines) - set(orders("unix")) - {f"fs unix,{fs}", lines[-1]}
    assert line == LINE


def test_other_files_need_no_network_and_get_none() -> None:
    assert orders("unix", "sprite") == orders("unix", "sprite", network={})
    assert not [line for line in orders("unix", "sprite") if line.startswith("network")]
    assert orders("nfs", disk={})[3] == LINE


def test_files_on_a_server_need_a_network() -> None:
    with pytest.raises(GuestError, match=r"^network: missing; allowed: its parameters, since fs"):
        orders("unix", "afs", network={})


@pytest.mark.parametrize("name", ["a b", "x;reboot", "A", "", "n\nmarks m5"])
def test_parameters_are_words(name: str) -> None:
    for fs in ("unix", "nfs"):
        with pytest.raises(GuestError):
            orders(fs, network={name: 1})


COUNTS = {column.key: number for number, column in enumerate(columns(NetworkUse)[2:], 7)}
DISK_LINE = "@osgap disk name=read fs=nfs " + " ".join(
    f"{column.key}=1" for column in columns(DiskUse)[2:]
)
USE = "@osgap network name=read fs=nfs " + " ".join(f"{key}={n}" for key, n in COUNTS.items())
CONSOLE = [
    "@osgap ready protocol=2",
    "@osgap bench name=read fs=unix metric=us bytes=0 count=4 batches=1",
    "@osgap sample region=0 name=read fs=unix batch=0 ns=5 irqs=0",
    DISK_LINE.replace("nfs", "unix"),
    "@osgap bench name=read fs=nfs metric=us bytes=0 count=4 batches=2",
    "@osgap sample region=1 name=read fs=nfs batch=0 ns=5 irqs=0",
    "@osgap sample region=2 name=read fs=nfs batch=1 ns=5 irqs=0",
    DISK_LINE,
    USE,
    "@osgap end status=ok regions=3",
]


def parsed(lines: list[str]) -> protocol.Transcript:
    return protocol.parse(consoles.text(lines))


def without(line: str) -> list[str]:
    return [other for other in CONSOLE if other != line]


def test_the_use_of_the_network_is_a_record_after_that_of_the_disk() -> None:
    names = "messages repeated getattr lookup read write create remove frames bytes server_ns"
    assert " ".join(COUNTS) == names
    assert RECORDS.index(NetworkUse) == RECORDS.index(DiskUse) + 1 and not NetworkUse.always
    (row,) = parsed(CONSOLE).of(NetworkUse)
    assert row == NetworkUse("read", "nfs", *COUNTS.values())
    assert len(parsed(CONSOLE).of(DiskUse)) == 2


def test_neither_device_has_to_tell() -> None:
    assert parsed(without(USE)).of(NetworkUse) == ()
    assert len(parsed(without(DISK_LINE)).of(NetworkUse)) == 1


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([*CONSOLE[:7], USE, DISK_LINE, CONSOLE[9]], "disk after network of a benchmark"),
        ([*CONSOLE[:9], USE, CONSOLE[9]], "network given twice for a benchmark"),
        ([*CONSOLE[:8], DISK_LINE, *CONSOLE[8:]], "disk given twice for a benchmark"),
        ([*CONSOLE[:6], USE, *CONSOLE[6:]], "network elsewhere than after its samples"),
        ([*CONSOLE[:5], USE, *CONSOLE[5:]], "network elsewhere than after its samples"),
        ([*CONSOLE[:1], USE, *CONSOLE[1:]], "network elsewhere than after its samples"),
        ([*CONSOLE[:4], USE, *CONSOLE[4:]], "network elsewhere than after its samples"),
        ([line.replace("fs=nfs", "fs=ntfs") for line in CONSOLE], "unknown metric or file system"),
        ([*CONSOLE, USE], "went on after its end"),
    ],
)
def test_lines_come_in_their_order(lines: list[str], words: str) -> None:
    with pytest.raises(GuestError, match=words):
        parsed(lines)


@pytest.mark.parametrize("key", COUNTS)
def test_each_number_is_there_and_has_its_limits(key: str) -> None:
    at, pair = CONSOLE.index(USE), f" {key}={COUNTS[key]}"
    with pytest.raises(GuestError, match="wrong keys in a line"):
        parsed([*CONSOLE[:at], USE.replace(pair, ""), *CONSOLE[at + 1 :]])
    for value in (-1, LARGEST + 1, "x", "", "1.5"):
        wrong = USE.replace(pair, f" {key}={value}")
        with pytest.raises(GuestError, match=f"^{key}: found .*allowed: 0 to {LARGEST}"):
            parsed([*CONSOLE[:at], wrong, *CONSOLE[at + 1 :]])
    for number in (0, LARGEST):
        right = USE.replace(pair, f" {key}={number}")
        (row,) = parsed([*CONSOLE[:at], right, *CONSOLE[at + 1 :]]).of(NetworkUse)
        assert getattr(row, key) == number


@given(lines=consoles.transcripts(), data=st.data())
def test_a_network_line_moves_nowhere_but_to_the_end_of_its_benchmark(
    lines: list[str], data: st.DataObject
) -> None:
    told = [line for line in lines if line.startswith("@osgap network")]
    assert len(parsed(lines).of(NetworkUse)) == len(told)
    if told:
        line = data.draw(st.sampled_from(told))
        left = [other for other in lines if other is not line]
        place = data.draw(st.integers(0, len(left)).filter(lambda at: at != lines.index(line)))
        with pytest.raises(GuestError):
            parsed([*left[:place], line, *left[place:]])
