# SPDX-License-Identifier: BSD-3-Clause
"""Accepted runs: whole or not there, the same bytes each time, and damage is named."""

import io
import shutil
import tarfile
from pathlib import Path

import pytest
from synthetic import write_run

from osgap.base import inputs
from osgap.base.errors import OsgapError
from osgap.base.packed import read_archive, write_archive
from osgap.gem5stats.tree import load
from osgap.points.record import State
from osgap.rundir import archive
from osgap.rundir.archive import lock, pack_again
from osgap.rundir.directory import ARCHIVE, runs_below
from osgap.rundir.load import load_run
from osgap.sweep.progress import keys_of, survey


@pytest.fixture(scope="module")
def written_archive(written_few: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("accepted")
    lock(written_few, folder / "locked")
    return folder / "locked"


@pytest.fixture
def locked(written_archive: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written_archive, tmp_path / "locked"))


def _stored(archive: Path) -> dict[str, bytes]:
    """The members as they lie in an archive, texts by column among them."""
    with tarfile.open(archive) as stream:
        members = {member.name: stream.extractfile(member) for member in stream}
        return {name: member.read() for name, member in members.items() if member}


def _store(archive: Path, members: dict[str, bytes]) -> None:
    """Write an archive that has just these members, as osgap 0.3 and damage make them."""
    with tarfile.open(archive, "w:xz", format=tarfile.USTAR_FORMAT, preset=0) as stream:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            stream.addfile(member, io.BytesIO(content))


def _change(run: Path, *, drop: str = "", **contents: bytes) -> None:
    """Write an archive again without files that contain `drop`, or with other `contents`."""
    members = dict(read_archive(run / ARCHIVE))
    kept = [(name, contents.get(Path(name).stem, content)) for name, content in members.items()]
    write_archive(run / ARCHIVE, [(n, c) for n, c in kept if not drop or drop not in n])


def test_equal_runs_make_equal_archives(few_directory: Path, locked: Path, tmp_path: Path) -> None:
    for file in few_directory.rglob("*.csv"):
        file.touch()
    lock(few_directory, tmp_path / "again")
    assert (tmp_path / "again" / ARCHIVE).read_bytes() == (locked / ARCHIVE).read_bytes()
    names = [name for name, _ in read_archive(locked / ARCHIVE)]
    keys = [name.split("/")[1] for name in names if name.endswith("point.json")]
    assert keys == list(keys_of(locked))


@pytest.mark.parametrize("at", [0.0, 0.2, 0.5, 0.99])
@pytest.mark.parametrize("how", ["cut", "flipped"])
def test_a_damaged_archive_is_named(locked: Path, at: float, how: str) -> None:
    file = locked / ARCHIVE
    whole = file.read_bytes()
    place = int(at * len(whole))
    turned = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
    file.write_bytes(whole[:place] if how == "cut" else turned)
    with pytest.raises(OsgapError, match=r"run\.tar\.xz") as caught:
        load_run(locked)
    assert "\n" not in str(caught.value)


def test_a_point_that_is_not_in_the_archive_or_not_finished_is_named(locked: Path) -> None:
    _change(locked, drop="fixed-80/done.json")
    with pytest.raises(OsgapError, match=r"run\.tar\.xz: its point fixed-80 is not finished"):
        load_run(locked)
    _change(locked, drop="fixed-80/")
    with pytest.raises(OsgapError, match=r"run\.tar\.xz: has no point fixed-80"):
        load_run(locked)


def test_digests_hold_inside_an_archive(locked: Path) -> None:
    _change(locked, console=b"another\n")
    with pytest.raises(OsgapError, match=r"run\.tar\.xz/points/.*/console\.txt: is not the file"):
        load_run(locked)


def test_an_accepted_runs_points_are_all_done(locked: Path) -> None:
    progress = survey(locked, keys_of(locked))
    assert progress.counts[State.DONE] == 9 and progress.eta_s == 0.0


def test_statistics_in_an_archive_are_collected(few_directory: Path, locked: Path) -> None:
    plain, packed = (load(run, "simInsts").table for run in (few_directory, locked))
    assert len(packed) == len(plain) > 0
    assert set(packed["file"]) == {f"{ARCHIVE}/{name}" for name in plain["file"]}
    assert sorted(packed["simInsts"]) == sorted(plain["simInsts"])


def test_what_is_half_written_never_looks_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        write_run(tmp_path / "runs" / name)

    def full(path: Path, files: object) -> None:
        if path.parent.name == "b":
            assert (path.parents[1] / "a" / "run.json").is_file()
            assert runs_below(tmp_path / "locked") == []
            raise OSError("no space left")
        write_archive(path, files)

    monkeypatch.setattr(archive, "write_archive", full)
    with pytest.raises(OSError, match="no space"):
        lock(tmp_path / "runs", tmp_path / "locked" / "both")
    assert list((tmp_path / "locked").rglob("*")) == []


def test_what_cannot_be_accepted(few_directory: Path, locked: Path, tmp_path: Path) -> None:
    with pytest.raises(OsgapError, match="is an accepted run already"):
        lock(locked, tmp_path / "twice")
    part = write_run(tmp_path / "part", unfinished=("disk-320",))
    with pytest.raises(OsgapError, match="has 1 unfinished point"):
        lock(part, tmp_path / "other")
    with pytest.raises(OsgapError, match="exists"):
        lock(few_directory, locked)
    assert not list(tmp_path.glob(".*"))


def test_an_archive_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(OsgapError, match="cannot be read: No such file"):
        list(read_archive(tmp_path / "none.tar.xz"))


def test_statistics_are_stored_by_column_and_read_as_they_were(
    few_directory: Path, locked: Path
) -> None:
    stored = _stored(locked / ARCHIVE)
    by_column = {name for name in stored if name.endswith(".columns")}
    assert by_column == {name for name in stored if "stats.txt" in name} != set()
    for name, content in read_archive(locked / ARCHIVE):
        assert (few_directory / name).read_bytes() == content, name
        if name.endswith("stats.txt"):
            assert 2 * len(stored[f"{name}.columns"]) < len(content)


def test_an_archive_of_an_earlier_version_is_read_and_packed_again(locked: Path) -> None:
    members = dict(read_archive(locked / ARCHIVE))
    today = (locked / ARCHIVE).read_bytes()
    _store(locked / ARCHIVE, members)
    assert dict(read_archive(locked / ARCHIVE)) == members and load_run(locked)
    assert not [name for name in _stored(locked / ARCHIVE) if name.endswith(".columns")]
    pack_again(locked / ARCHIVE)
    assert (locked / ARCHIVE).read_bytes() == today
    pack_again(locked / ARCHIVE)
    assert (locked / ARCHIVE).read_bytes() == today


def test_a_damaged_archive_is_not_packed_again(locked: Path) -> None:
    file = locked / ARCHIVE
    file.write_bytes(damaged := file.read_bytes()[:-40])
    with pytest.raises(OsgapError, match=r"run\.tar\.xz: is cut short or damaged"):
        pack_again(file)
    assert file.read_bytes() == damaged and [path.name for path in locked.glob(".*")] == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"columns 1 ", b"columns 2 ", "does not begin with osgap columns 1 and a number"),
        (b"columns 1 ", b"columns 1 9", "has [0-9]+ values in [0-9]+ columns"),
        (b"%12s", b"%99999s", "has a row with another field"),
        (b"\n+\n", b"\n", "has [0-9]+ values in [0-9]+ columns"),
        (b"\n+\n", b"\n" * (1 << 21), "has more lines than 2097152"),
    ],
)
def test_damaged_columns_are_named(locked: Path, old: bytes, new: bytes, words: str) -> None:
    members = _stored(locked / ARCHIVE)
    name = next(name for name in members if name.endswith("stats.txt.columns"))
    assert old in members[name]
    _store(locked / ARCHIVE, members | {name: members[name].replace(old, new, 1)})
    with pytest.raises(OsgapError, match=rf"run\.tar\.xz: is .*{name}' .*{words}") as caught:
        load_run(locked)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300 + len(str(locked))


def test_a_value_that_was_changed_is_found_by_its_digest(locked: Path) -> None:
    members = _stored(locked / ARCHIVE)
    name = next(name for name in members if name.endswith("stats.txt.columns"))
    assert b"\n0\n" in members[name]
    members[name] = members[name].replace(b"\n0\n", b"\n1\n", 1)
    _store(locked / ARCHIVE, members)
    with pytest.raises(OsgapError, match=r"/stats\.txt: is not the file"):
        load_run(locked)


def test_what_columns_become_is_bounded(locked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each stays below the bound of a file; all of them together do not."""
    bomb = b"osgap columns 1 1\n" + b"x" * 9_999 + b"\n" + b"+\n" * 1_000
    _store(locked / ARCHIVE, {f"points/a/{at}.columns": bomb for at in range(10)})
    monkeypatch.setattr(inputs, "LARGEST_STREAM", 45_000_000)
    files = read_archive(locked / ARCHIVE)
    assert [len(next(files)[1]) for _ in range(4)] == [10_000_000] * 4
    with pytest.raises(OsgapError, match=r"has more than 42\.9.* MiB, which is the most"):
        next(files)


def test_a_name_that_means_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OsgapError, match=r"'a\.columns': ends in \.columns; allowed: other names"):
        write_archive(tmp_path / ARCHIVE, [("a.columns", b"")])
