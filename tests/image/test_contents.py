# SPDX-License-Identifier: BSD-3-Clause
"""contents.list: what it may say, and what two images made from it must share."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.image.builder import contents, cpio

LIST = project_root() / "disk-images" / "rootfs" / "contents.list"
GOOD = """# a comment

/dev/null char 0600 1,3
/init file 0755 init
/bin/sh link 0777 busybox
/tmp dir 0755 -
/usr/share/andrew tree 0644 workloads/andrew
"""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("/a file 0755", "found 3 words"),
        ("a file 0755 x", "path: found 'a'"),
        ("/../a file 0755 x", "path: found '/../a'"),
        ("/a pipe 0755 x", "kind: found 'pipe'; allowed: file, dir, link, char, tree"),
        ("/a file 755 x", "mode: found '755'"),
        ("/a file 0798 x", "mode: found '0798'"),
        ("/a file 0755 ../x", "nothing that a file can be"),
        ("/a char 0600 5:1", "nothing that a char can be"),
        ("/a dir 0755 x", "nothing that a dir can be"),
        ("/a tree 0644 ../up", "nothing that a tree can be"),
        ("/a link 0777 $(id)", "nothing that a link can be"),
        ("/a char 0600 999,1", "device: found '999,1'; allowed: two numbers of 0 to 255"),
        ("/init file 0755 init", "/init: found twice, first in contents.list:4"),
        ("/init/a dir 0755 -", "/init/a: is below /init, which contents.list:4 says is a file"),
        ("/pad dir 0755 -", "path: found /pad; allowed: none of /layout, /pad, /program"),
        ("/program/a dir 0755 -", "path: found /program/a; allowed: none of"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, words: str) -> None:
    path = tmp_path / "contents.list"
    path.write_text(GOOD + line + "\n")
    with pytest.raises(OsgapError) as caught:
        contents.load(path)
    assert str(caught.value).startswith("contents.list:8: ") and words in str(caught.value)


def test_a_list_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "contents.list"
    with pytest.raises(OsgapError, match=r"contents\.list: cannot be read: No such file"):
        contents.load(path)
    path.write_bytes(b"/a dir 0755 -\n\xff\n")
    with pytest.raises(OsgapError, match=r"contents\.list: is no UTF-8: byte 14 is 0xff"):
        contents.load(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(OsgapError, match=r"it is a directory; allowed: a regular file"):
        contents.load(path)


def test_a_part_that_nobody_builds_is_named(tmp_path: Path) -> None:
    path = tmp_path / "contents.list"
    path.write_text("# bin\n/bin/hello file 0755 hello\n")
    told = (
        r"contents\.list:2: /bin/hello: found the part hello, which nothing builds; "
        r"allowed: init; disk-images/programs/hello\.c would be one"
    )
    rows = contents.load(path)
    with pytest.raises(OsgapError, match=told):
        list(contents.entries(rows, {"init": path}, tmp_path))
    with pytest.raises(OsgapError, match=told):
        contents.check(rows, ["init"], tmp_path)


def test_a_folder_that_is_missing_or_empty_is_named(tmp_path: Path) -> None:
    path = tmp_path / "contents.list"
    path.write_text("/usr/share/data tree 0644 workloads/data\n")
    rows = contents.load(path)
    for made in (False, True):
        told = "holds no file" if made else "which is not there; allowed: a folder of the checkout"
        if made:
            (tmp_path / "workloads" / "data").mkdir(parents=True)
        for read in (
            lambda: contents.check(rows, [], tmp_path),
            lambda: contents.tree_files(rows, tmp_path),
            lambda: list(contents.entries(rows, {}, tmp_path)),
        ):
            with pytest.raises(OsgapError) as caught:
                read()
            assert str(caught.value).startswith("contents.list:1: /usr/share/data: ")
            assert told in str(caught.value)


@pytest.mark.build
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("/bin/x file 0755", "found 3 words"),
        ("/bin/x file 0755 nothing", "/bin/x: found the part nothing, which nothing builds"),
        ("/usr/x tree 0644 workloads/x", "/usr/x: found the folder workloads/x, which is not"),
    ],
)
def test_scons_says_a_wrong_line_in_one_sentence(copy: Path, line: str, words: str) -> None:
    listed = copy / "disk-images" / "rootfs" / "contents.list"
    listed.write_text(f"{listed.read_text()}{line}\n")
    command = [sys.executable, "-m", "SCons", "-Q", "-n", "image"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=120)
    number = len(listed.read_text().splitlines())
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"scons: contents.list:{number}: ") and words in done.stderr


def _manifest(tmp_path: Path, built: bytes, source: bytes) -> contents.Listing:
    (tmp_path / "workloads" / "andrew").mkdir(parents=True, exist_ok=True)
    (tmp_path / "workloads" / "andrew" / "a.c").write_bytes(source)
    (tmp_path / "part").write_bytes(built)
    (tmp_path / "workloads" / "byte" / "data").mkdir(parents=True, exist_ok=True)
    (tmp_path / "workloads" / "byte" / "data" / "words.txt").write_bytes(b"words")
    rows = contents.load(LIST)
    parts = {row.source: tmp_path / "part" for row in rows if row.kind == "file"}
    return cpio.contents(cpio.complete(contents.entries(rows, parts, tmp_path)))


def test_images_may_differ_in_what_a_compiler_makes_and_in_nothing_else(tmp_path: Path) -> None:
    rows = contents.load(LIST)
    first = _manifest(tmp_path, b"by gcc", b"int a;")
    assert contents.differences(rows, first, _manifest(tmp_path, b"by clang", b"int a;")) == []
    (told,) = contents.differences(rows, first, _manifest(tmp_path, b"by gcc", b"int b;"))
    assert told.startswith("/usr/share/andrew/a.c: sha256 is ")
    for row in first:
        rest = [other for other in first if other is not row]
        assert contents.differences(rows, first, rest) == [f"{row['path']} is in one of them only"]
        changed = [*rest, {**row, "mode": "0123"}]
        (told,) = contents.differences(rows, first, changed)
        assert told == f"{row['path']}: mode is {row['mode']} and 0123"


def test_an_archive_is_read_back(tmp_path: Path) -> None:
    _manifest(tmp_path, b"\x7fELF", b"int a;")
    rows = contents.load(LIST)
    parts = {row.source: tmp_path / "part" for row in rows if row.kind == "file"}
    entries = cpio.complete(contents.entries(rows, parts, tmp_path))
    assert cpio.read(cpio.archive(entries)) == entries
    assert cpio.read(cpio.archive([])) == []


@given(cut=st.integers(0, 500), data=st.binary(max_size=200))
def test_a_damaged_archive_is_refused(cut: int, data: bytes) -> None:
    whole = cpio.archive([cpio.CpioEntry("/a", "file", 0o644, b"x" * 300)])
    for damaged in (whole[: min(cut, len(whole) - 130)], data):
        with pytest.raises(OsgapError):
            cpio.read(damaged)
