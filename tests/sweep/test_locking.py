# SPDX-License-Identifier: BSD-3-Clause
"""One sweep a run directory, also where no lock reaches: another host, name space or mount."""

import errno
import fcntl
import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from osgap.base import durable
from osgap.base.identity import this_process
from osgap.sweep import locking
from osgap.sweep.host import Host
from osgap.sweep.locking import Busy, Owner, SweepError, is_followed, is_running, locked
from osgap.sweep.place import Place

FAR = {"host": "far", "boot": "another"}


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Owners touch their file often, and are thought dead soon."""
    for name, seconds in (("BEAT_S", 0.01), ("SILENT_S", 0.3), ("_POLL_S", 0.01)):
        monkeypatch.setattr(locking, name, seconds)
    monkeypatch.setattr(locking, "_SETTLE_S", 0.1)


def _owned(run: Path, **other: object) -> Path:
    """The owner file of another process, which this process's flock does not exclude."""
    run.mkdir(exist_ok=True)
    file = run / ".owner"
    owner = Owner(device=1, inode=1, **this_process().model_dump()).model_copy(update=other)
    file.write_text(owner.model_dump_json())
    return file


@contextmanager
def _touched(file: Path) -> Iterator[None]:
    """Touches a file, as a sweep on another host does."""
    ended = threading.Event()
    beats = threading.Thread(target=locking._beat, args=(file.parent, ended))
    beats.start()
    yield
    ended.set()
    beats.join()


@pytest.mark.parametrize("where", [FAR, {"space": "pid:[1]"}, {}])
def test_a_second_sweep_is_refused_where_locks_do_not_reach(
    tmp_path: Path, quickly: None, where: dict
) -> None:
    """On another host, in another name space, through another mount."""
    file = _owned(tmp_path, **where)
    before = file.read_text()
    host = where.get("host", this_process().host)
    with _touched(file):
        assert is_running(tmp_path)
        with (
            pytest.raises(Busy, match=f"process {os.getpid()} on {host}.*; wait until it ends"),
            locked(tmp_path),
        ):
            pass
        assert file.read_text() == before and is_running(tmp_path)


@pytest.mark.parametrize("age_s", [0, 3600])
def test_an_owner_that_fell_silent_elsewhere_is_followed(
    tmp_path: Path, quickly: None, age_s: float, capsys: pytest.CaptureFixture[str]
) -> None:
    file = _owned(tmp_path, **FAR)
    os.utime(file, (time.time() - age_s,) * 2)
    assert is_running(tmp_path) == (age_s == 0)
    with locked(tmp_path):
        assert is_running(tmp_path) and not is_followed(tmp_path)
    told = capsys.readouterr().err
    assert f"took over from process {os.getpid()} on far" in told
    assert ("waiting for up to 0 s" in told) == (age_s == 0)
    assert not file.exists() and not is_running(tmp_path)


@pytest.mark.parametrize("content", ["", "{", '{"pid": 1}'])
def test_an_owner_file_that_was_cut_off_is_followed_too(
    tmp_path: Path, quickly: None, content: str
) -> None:
    _owned(tmp_path).write_text(content)
    with locked(tmp_path):
        assert not is_followed(tmp_path)


@pytest.mark.parametrize("gone", [{"pid_ticks": "1"}, {"space": "pid:[1]"}])
def test_nobody_waits_for_an_owner_that_is_seen_to_have_ended(
    tmp_path: Path, gone: dict, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its number has another process; or this kernel's lock, which it would hold, was free."""
    _owned(tmp_path, device=tmp_path.stat().st_dev, **gone)
    with locked(tmp_path):
        assert not is_followed(tmp_path)
    assert capsys.readouterr().err == ""


def test_a_copy_made_during_a_sweep_is_a_run_of_its_own(tmp_path: Path, quickly: None) -> None:
    run, copy, far = (tmp_path / name for name in ("run", "copy", "far"))
    with locked(run):
        shutil.copytree(run, copy)
        shutil.copytree(run, far)
        assert is_running(run) and not is_running(copy)
        with locked(copy):
            assert is_running(run) and is_running(copy)
        # On another file system nothing but its silence tells a copy from a mount.
        _owned(far)
        with locked(far):
            assert not is_followed(run) and is_running(run)
    assert not is_running(run)


def test_of_two_that_follow_one_goes_on(
    tmp_path: Path, quickly: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other has removed this one's file with the silent owner's."""
    file = _owned(tmp_path, **FAR)
    sleep = time.sleep

    def late(seconds: float) -> None:
        if seconds == locking._SETTLE_S:
            _owned(tmp_path, host="further", boot="a third")
        sleep(seconds)

    monkeypatch.setattr(locking.time, "sleep", late)
    with pytest.raises(Busy, match="on further"), locked(tmp_path):
        pass
    assert "further" in file.read_text()


def test_a_file_system_without_locks_is_named_and_hides_no_sweep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _owned(tmp_path, device=tmp_path.stat().st_dev, inode=tmp_path.stat().st_ino)

    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with (
        pytest.raises(SweepError, match=r"no lock .flock.: No locks available; allowed: "),
        locked(tmp_path),
    ):
        pass
    assert is_running(tmp_path)


def test_a_sweep_that_was_followed_is_told_by_whom(tmp_path: Path) -> None:
    with locked(tmp_path), durable.directory(tmp_path) as same:
        place = Place(tmp_path, same)
        file = _owned(tmp_path, **FAR)
        assert place.is_lost()
        told = str(place.error(Host(1, tmp_path, tmp_path)))
        assert f"taken over while it was silent: process {os.getpid()} on far goes on" in told
    assert file.exists() and is_running(tmp_path)
