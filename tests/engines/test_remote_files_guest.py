# SPDX-License-Identifier: BSD-3-Clause
"""The image variant `remote`: calls to the server, its writes, its network, and its failures."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from shared import Once

from osgap.base.paths import cache_directory, project_root
from osgap.engines import load
from osgap.engines.contract import Failed, Job
from osgap.guest import protocol
from osgap.guest.file_systems import REMOTE
from osgap.guest.protocol import Orders
from osgap.guest.records import DiskUse, NetworkUse
from osgap.guest.transcript import Transcript
from osgap.image.files import load_image
from osgap.machines.machine import load_machine
from osgap.machines.system import system

BASE = project_root() / "configs" / "machines" / "base.toml"
FILES = ("open_close_foo", "create_delete_0", "create_delete_10k", "create_delete_100k")
NETWORK = {"bytes_per_s": 1250000, "delay_ns": 0, "overhead_bytes": 24, "lost_per_million": 0}
Talk = Callable[..., Transcript]

pytestmark = [pytest.mark.qemu, pytest.mark.long]


@pytest.fixture(scope="module")
def talk(once: Once, tmp_path_factory: pytest.TempPathFactory) -> Talk:
    """talk(run, fs, KEY=NUMBER, ...) gives what the guest said, with these keys of the network."""

    def say(run: tuple[str, ...], fs: tuple[str, ...], **network: int) -> Transcript:
        resolved = system(load_machine(BASE), 20)
        orders = Orders(
            load("qemu").marks, run, fs, resolved.disk.model_dump(), network={**NETWORK, **network}
        )
        scratch: Path = tmp_path_factory.mktemp("scratch")
        image = load_image(once.image("remote"))
        job = Job(image, resolved, orders, cache_directory(), scratch, 600)
        return protocol.parse(load("qemu").run(job).console)

    return cache(say)


@pytest.fixture(scope="module")
def filed(talk: Talk) -> Transcript:
    return talk(tuple(f"ousterhout/{name}" for name in FILES), REMOTE)


def _operations(transcript: Transcript, name: str, fs: str) -> int:
    return sum(s.count for s in transcript.samples if (s.benchmark, s.fs) == (name, fs))


def _use(transcript: Transcript, name: str, fs: str) -> NetworkUse:
    (use,) = [u for u in transcript.of(NetworkUse) if (u.benchmark, u.fs) == (name, fs)]
    return use


@pytest.mark.parametrize(("fs", "calls"), [("nfs", 1), ("diskless", 2), ("afs", 0)])
def test_an_open_and_a_close_ask_the_server_as_often_as_each_protocol_did(
    filed: Transcript, fs: str, calls: int
) -> None:
    use = _use(filed, "open_close_foo", fs)
    assert use.messages == use.getattr == calls * _operations(filed, "open_close_foo", fs)
    assert use.frames == 2 * use.messages and use.repeated == 0


@pytest.mark.parametrize(
    ("name", "pieces"),
    [("create_delete_0", 0), ("create_delete_10k", 2), ("create_delete_100k", 13)],
)
def test_written_data_goes_to_the_server_in_pieces_or_not_at_all(
    filed: Transcript, name: str, pieces: int
) -> None:
    for fs in REMOTE:
        use, files = _use(filed, name, fs), _operations(filed, name, fs)
        assert use.create == use.remove == files
        assert use.write == (0 if fs == "diskless" else pieces * files)


def test_the_server_of_nfs_waits_for_its_disk_and_that_of_sprite_does_not(
    filed: Transcript,
) -> None:
    writes = {(use.benchmark, use.fs): use.writes for use in filed.of(DiskUse)}
    files = _operations(filed, "create_delete_100k", "nfs")
    # "up to three writes a block" (1990, section 10): data, inode and indirect block.
    assert 2 * 13 * files <= writes["create_delete_100k", "nfs"] <= 3 * 13 * files + 6 * files
    assert all(writes[name, "diskless"] == 0 for name in FILES)


def test_a_cold_file_is_read_from_the_server(talk: Talk) -> None:
    found = talk(("remote/read_cold",), ("nfs",))
    use, batches = _use(found, "read_cold", "nfs"), _operations(found, "read_cold", "nfs")
    assert use.read * 8192 == batches * 131072
    assert use.bytes > batches * 131072


def test_andrew_reads_its_tree_and_its_programs_from_the_server_and_then_locally(
    talk: Talk,
) -> None:
    names = ("andrew_copy", "andrew_make")
    found = talk(tuple(f"ousterhout/{name}" for name in names), ("nfs", "unix"))
    reads = [_use(found, name, "nfs").read for name in names]
    assert reads[0] >= 19 and reads[1] * 8192 > 600_000
    assert {use.fs for use in found.of(NetworkUse)} == {"nfs"}
    assert {(s.benchmark, s.fs) for s in found.samples} >= {(name, "unix") for name in names}


def test_a_frame_takes_its_transfer_and_its_delay(talk: Talk) -> None:
    """At least: QEMU's processor takes time as it likes."""
    times = {}
    for delay in (0, 20_000_000):
        found = talk(("remote/link_1472",), ("nfs",), bytes_per_s=125_000, delay_ns=delay)
        times[delay] = min(s.guest_ns / s.count for s in found.samples)
    transfer = (1472 + 28 + 14 + 24) / 125_000 * 1e9
    assert times[0] >= 2 * transfer
    assert times[20_000_000] >= 2 * transfer + 2 * 20_000_000


def test_lost_frames_are_sent_again_or_end_in_an_error_with_a_name(talk: Talk) -> None:
    try:
        found = talk(("ousterhout/open_close_foo",), ("nfs",), lost_per_million=30_000)
    except Failed as error:
        assert "open_close_foo (nfs): mkdir" in str(error)
    else:
        assert _use(found, "open_close_foo", "nfs").repeated > 0


@pytest.mark.parametrize("name", ["server_gone", "export_gone"])
def test_a_server_that_is_gone_is_an_error_within_two_minutes(talk: Talk, name: str) -> None:
    found = talk((f"remote/{name}",), ("nfs",))
    (sample,) = found.samples
    assert 1e9 < sample.guest_ns < 120e9


def test_what_needs_a_server_fails_by_name_on_a_local_file_system(talk: Talk) -> None:
    with pytest.raises(Failed, match="no-server"):
        talk(("remote/server_gone",), ("unix",))
