# SPDX-License-Identifier: BSD-3-Clause
"""disk-images/rootfs/contents.list: what the guest's first file system holds, for every builder."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from osgap.base import inputs
from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.image.builder import cpio
from osgap.image.variants import PROGRAMS

KINDS = ("file", "dir", "link", "char", "tree")
LAYOUT_FILE = "/layout"
"""Where workloads/lib/layout.c reads the layout's number."""
RESERVED = (LAYOUT_FILE, cpio.PAD, PROGRAMS)
"""What builders put into the file system themselves."""
_PATH = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9_.-]*)+")
_MODE = re.compile(r"0[0-7]{3}")
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_DEVICE = re.compile(r"(\d{1,3}),(\d{1,3})")
Rows = list[dict[str, str]]


@dataclass(frozen=True)
class Row:
    """One line of the list; `what` is a part's name, a link's target, a device or a folder.

    `where` is the list's name and the line's number.
    """

    path: str
    kind: str
    mode: int
    what: str
    where: str = ""


def load(path: Path) -> list[Row]:
    """The rows of the list at `path`. Raises OsgapError naming the line."""
    try:
        text = inputs.read_text(path)
    except OSError as error:
        raise OsgapError(f"{path}: cannot be read: {error.strerror}") from None
    except inputs.TextError as error:
        raise OsgapError(f"{path}: {error}") from None
    lines = enumerate(text.split("\n"), 1)
    rows = [
        _row(line.split(), f"{path.name}:{number}")
        for number, line in lines
        if line.strip() and not line.startswith("#")
    ]
    _check_paths(rows)
    return rows


def check(rows: Sequence[Row], parts: Collection[str], checkout: Path) -> None:
    """Raises OsgapError, naming the line, for a part that is not among `parts` (those that are
    built) and for a folder of the checkout that is missing or holds no file."""
    for row in rows:
        if row.kind == "file":
            _check_part(row, parts)
        elif row.kind == "tree":
            _files(row, checkout)


def _check_part(row: Row, parts: Collection[str]) -> None:
    if row.what not in parts:
        raise OsgapError(
            f"{row.where}: {row.path}: found the part {row.what}, which nothing builds; allowed: "
            f"{', '.join(sorted(parts))}; disk-images/programs/{row.what}.c would be one"
        )


def _check_paths(rows: Sequence[Row]) -> None:
    """Each path is there once, and what others lie below is a folder."""
    seen: dict[str, Row] = {}
    for row in rows:
        if f"/{row.path.split('/')[1]}" in RESERVED:
            told = ", ".join(RESERVED)
            raise OsgapError(f"{row.where}: path: found {row.path}; allowed: none of {told}")
        if row.path in seen:
            before = seen[row.path].where
            raise OsgapError(f"{row.where}: {row.path}: found twice, first in {before}")
        seen[row.path] = row
    for row in rows:
        for parent in map(str, Path(row.path).parents):
            above = seen.get(parent)
            if above and above.kind not in ("dir", "tree"):
                raise OsgapError(
                    f"{row.where}: {row.path}: is below {parent}, which {above.where} says is a "
                    f"{above.kind}; allowed: below a dir or a tree"
                )


def _row(words: list[str], where: str) -> Row:
    if len(words) != 4:
        raise OsgapError(f"{where}: found {len(words)} words; allowed: path, kind, mode and what")
    path, kind, mode, what = words
    if not _PATH.fullmatch(path):
        raise OsgapError(
            f"{where}: path: found {quoted(path)}; allowed: an absolute path of plain names"
        )
    if kind not in KINDS:
        raise OsgapError(f"{where}: kind: found {quoted(kind)}; allowed: {', '.join(KINDS)}")
    if not _MODE.fullmatch(mode):
        raise OsgapError(
            f"{where}: mode: found {quoted(mode)}; allowed: four octal digits from 0000"
        )
    allowed = {"file": _PART, "link": _PART, "char": _DEVICE, "dir": re.compile("-")}
    fits = allowed.get(kind, re.compile(r"[a-z0-9_-]+(/[a-z0-9_-]+)*"))
    if not fits.fullmatch(what):
        raise OsgapError(f"{where}: found {quoted(what)}, which is nothing that a {kind} can be")
    if kind == "char" and any(int(number) > 255 for number in what.split(",")):
        raise OsgapError(f"{where}: device: found {quoted(what)}; allowed: two numbers of 0 to 255")
    return Row(path, kind, int(mode, 8), what, where)


def entries(rows: Sequence[Row], parts: Mapping[str, Path], checkout: Path) -> Iterator[cpio.Entry]:
    """The list as the archive's entries: `parts` are built files by name. Raises OsgapError."""
    for row in rows:
        if row.kind == "dir":
            yield cpio.Entry(row.path, "dir", row.mode)
        elif row.kind == "link":
            yield cpio.Entry(row.path, "link", row.mode, row.what.encode())
        elif row.kind == "char":
            major, minor = map(int, row.what.split(","))
            yield cpio.Entry(row.path, "char", row.mode, device=(major, minor))
        elif row.kind == "file":
            _check_part(row, parts)
            yield cpio.file(row.path, parts[row.what], row.mode)
        else:
            yield from _tree(row, checkout)


def tree_files(rows: Sequence[Row], checkout: Path) -> list[Path]:
    """Every file of every tree in the list, in a fixed order. Raises OsgapError."""
    return [path for row in rows if row.kind == "tree" for path in _files(row, checkout)]


def _tree(row: Row, checkout: Path) -> Iterator[cpio.Entry]:
    yield cpio.folder(row.path)
    for path in _files(row, checkout):
        # One mode for all: a clone's umask must not change the image.
        below = path.relative_to(checkout / row.what).as_posix()
        yield cpio.file(f"{row.path}/{below}", path, row.mode)


def _files(row: Row, checkout: Path) -> list[Path]:
    folder = checkout / row.what
    if not folder.is_dir():
        raise OsgapError(
            f"{row.where}: {row.path}: found the folder {row.what}, which is not there; allowed: "
            "a folder of the checkout"
        )
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not files:
        raise OsgapError(f"{row.where}: {row.path}: the folder {row.what} holds no file")
    return files


def differences(rows: Sequence[Row], ours: Rows, theirs: Rows) -> list[str]:
    """How two images' manifests differ where they must not, one sentence each.

    Paths, kinds, modes, targets and devices must be equal, and what is copied from the checkout;
    a built file's digest depends on its compiler.
    """
    one, two = ({row["path"]: row for row in manifest} for manifest in (ours, theirs))
    found = [f"{path} is in one of them only" for path in sorted({*one} ^ {*two})]
    trees = tuple(f"{row.path}/" for row in rows if row.kind == "tree")
    for path in sorted({*one} & {*two}):
        for key in ("kind", "mode", "target", "device", "sha256"):
            if key == "sha256" and not path.startswith(trees):
                continue
            if one[path].get(key) != two[path].get(key):
                found.append(f"{path}: {key} is {one[path].get(key)} and {two[path].get(key)}")
    return found
