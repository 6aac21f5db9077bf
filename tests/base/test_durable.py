# SPDX-License-Identifier: BSD-3-Clause
"""What is being written: not there or whole; gone when its writer was killed; through no link."""

import errno
import fcntl
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.base import durable
from osgap.base.errors import OsgapError
from osgap.engines import checkpoints

KILL = """
import os, sys
from pathlib import Path
from osgap.base import durable
target = Path(sys.argv[1])
def write():
    if sys.argv[2] == "file":
        durable.write_text(target, "new")
    else:
        with durable.whole_directory(target) as pending:
            (pending / "file").write_text("new")
write()
"""


def killed(target: Path, kind: str) -> int:
    """A process that is killed when it has written `target` and not yet named it; its status."""
    done = subprocess.run(
        [sys.executable, "-c", KILL, str(target), kind],
        timeout=60,
        env={**os.environ, durable.FAULT: "__main__:write"},
    )
    return done.returncode


@pytest.mark.parametrize("kind", ["file", "directory"])
def test_a_writer_killed_before_the_rename_leaves_the_old_and_no_rest(
    tmp_path: Path, kind: str
) -> None:
    target = tmp_path / "a"
    if kind == "file":
        target.write_text("old")
    before = durable.digests(tmp_path)
    assert killed(target, kind) == -signal.SIGKILL
    (left,) = (path for path in tmp_path.iterdir() if path != target)
    assert left.name == ".a.partial"
    durable.clear_leftovers(tmp_path)
    assert durable.digests(tmp_path) == before and not left.exists()


def test_what_a_live_writer_has_is_left_alone(tmp_path: Path) -> None:
    with durable.whole_file(tmp_path / "a") as file, durable.whole_directory(tmp_path / "b") as own:
        assert killed(tmp_path / "d", "file") == -signal.SIGKILL
        assert killed(tmp_path / "c", "directory") == -signal.SIGKILL
        clear = "import sys, pathlib; from osgap.base import durable;"
        clear += "durable.clear_leftovers(pathlib.Path(sys.argv[1]))"
        subprocess.run([sys.executable, "-c", clear, str(tmp_path)], check=True, timeout=60)
        assert {file, own} == set(tmp_path.iterdir())
        file.write_text("new")
    assert (tmp_path / "a").read_text() == "new" and (tmp_path / "b").is_dir()
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b"}


@given(st.booleans(), st.sampled_from([KeyboardInterrupt, OSError, OsgapError]))
def test_an_error_leaves_the_old_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, directory: bool, kind: type[BaseException]
) -> None:
    folder = tmp_path_factory.mktemp("folder")
    (folder / "a").write_text("old")
    way = durable.whole_directory if directory else durable.whole_file
    with pytest.raises(kind), way(folder / ("b" if directory else "a")):
        raise kind
    assert [path.name for path in folder.iterdir()] == ["a"]
    assert (folder / "a").read_text() == "old"


# Whatever a planted name may be: made in `place`, leading to `victim`.
PLANTS: dict[str, Callable[[Path, Path], object]] = {
    "a link to a file": lambda place, victim: place.symlink_to(victim / "file"),
    "a link to a directory": lambda place, victim: place.symlink_to(victim),
    "a link to nothing yet": lambda place, victim: place.symlink_to(victim / "new"),
    "a link to a device": lambda place, _: place.symlink_to("/dev/zero"),
    "a pipe": lambda place, _: os.mkfifo(place),
    "a directory": lambda place, _: place.mkdir(),
}


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A directory of somebody else's, which stays as it is."""
    folder = tmp_path / "victim"
    folder.mkdir()
    (folder / "file").write_text("precious")
    return folder


def _unchanged(victim: Path) -> bool:
    return {path.name: path.read_text() for path in victim.iterdir()} == {"file": "precious"}


@pytest.mark.parametrize("plant", PLANTS)
def test_a_lock_or_log_is_opened_in_place_of_nothing_else(
    tmp_path: Path, victim: Path, plant: str
) -> None:
    place = tmp_path / "lock"
    PLANTS[plant](place, victim)
    for flags in (os.O_RDWR | os.O_CREAT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, os.O_RDONLY):
        with pytest.raises(OsgapError) as caught:
            durable.open_regular(place, flags)
        assert str(place) in str(caught.value)
    assert _unchanged(victim)


@pytest.mark.parametrize("plant", PLANTS)
def test_leftovers_that_are_links_go_and_what_they_lead_to_stays(
    tmp_path: Path, victim: Path, plant: str
) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    PLANTS[plant](cache / ".name.partial", victim)
    durable.clear_leftovers(cache)
    assert list(cache.iterdir()) == [] and _unchanged(victim)


@pytest.mark.parametrize("name", ["fake-key", "fake-key.lock", ".fake-key.partial"])
@pytest.mark.parametrize("plant", PLANTS)
def test_a_checkpoint_is_made_through_no_link(
    tmp_path: Path, victim: Path, name: str, plant: str
) -> None:
    target = checkpoints.directory(tmp_path / "cache", "fake-key")
    target.parent.mkdir(parents=True)
    PLANTS[plant](target.with_name(name), victim)

    def make(made: Path) -> None:
        (made / "state").write_text("ready")

    try:
        checkpoints.ensure(target, make, lambda text: None, "booting")
    except OsgapError as refused:
        assert str(target.with_name(name)) in str(refused) and name[:1] != "."
    else:
        assert (target / "state").read_text() == "ready" and not target.is_symlink()
    assert _unchanged(victim)


def test_a_lock_is_one_though_it_is_opened_twice(tmp_path: Path) -> None:
    first, second = (durable.open_regular(tmp_path / "a", os.O_RDWR | os.O_CREAT) for _ in "12")
    fcntl.flock(first, fcntl.LOCK_EX)
    with pytest.raises(BlockingIOError):
        fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(first)
    os.close(second)


def test_a_directory_that_is_removed_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two points of a sweep make their scratch directories in one folder at the same time."""
    removed: list[Path] = []
    open_path = os.open

    def opened(path: Path, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if not removed:
            Path(path).rmdir()
            removed.append(Path(path))
        return open_path(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(durable.os, "open", opened)
    with durable.scratch("x", tmp_path) as directory:
        assert directory.is_dir() and removed == [directory]


def test_a_leftover_on_nfs_is_locked_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NFS 4 locks a file for one process alone only through a descriptor that can write."""
    assert killed(tmp_path / "a", "file") == -signal.SIGKILL
    flock = fcntl.flock

    def nfs_flock(file: int, operation: int) -> None:
        access = fcntl.fcntl(file, fcntl.F_GETFL) & os.O_ACCMODE
        if operation & fcntl.LOCK_EX and access == os.O_RDONLY and not _is_directory(file):
            raise OSError(errno.EBADF, "Bad file descriptor")
        flock(file, operation)

    monkeypatch.setattr(fcntl, "flock", nfs_flock)
    durable.write_text(tmp_path / "a", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def _is_directory(file: object) -> bool:
    return stat.S_ISDIR(os.fstat(file if isinstance(file, int) else file.fileno()).st_mode)


def test_the_age_of_a_file_is_by_its_own_file_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert 0 <= durable.age_s(file) < 60
    os.utime(file, (1e9, 1e9))
    assert durable.age_s(file) > 1e8
    assert list(tmp_path.iterdir()) == [file]
