# SPDX-License-Identifier: BSD-3-Clause
"""Reads disk-images/rootfs/contents.list: the files of the guest's first file system."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from osgap.base import inputs
from osgap.base.errors import OsgapError
from osgap.base.quoting import counted, quoted
from osgap.image.builder import cpio
from osgap.image.variants import PROGRAMS

KINDS = ("file", "dir", "link", "char", "tree")
LAYOUT_FILE = "/layout"
"""The guest's file from which workloads/lib/layout.c reads the layout's number."""
RESERVED = (LAYOUT_FILE, cpio.PAD, PROGRAMS)
"""Paths that the builders themselves add to the file system."""
_PATH = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9_.-]*)+")
_MODE = re.compile(r"0[0-7]{3}")
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_DEVICE = re.compile(r"(\d{1,3}),(\d{1,3})")
Listing = list[dict[str, str]]
"""The content of an image, contents.json."""


@dataclass(frozen=True)
class ListingRow:
    """One line of the list; `source` is a part's name, a link's target, a device or a folder."""

    path: str
    kind: str
    mode: int
    source: str
    where: str = ""


def load(path: Path) -> list[ListingRow]:
    """Returns the rows of the list at `path`. Raises OsgapError naming the line."""
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


def check(rows: Sequence[ListingRow], parts: Collection[str], checkout: Path) -> None:
    """Raises OsgapError, naming the line, for a part that is not in `parts` (those that are built),
    and for a folder of the checkout that is missing or empty."""
    for row in rows:
        if row.kind == "file":
            _check_part(row, parts)
        elif row.kind == "tree":
            _files(row, checkout)


def _check_part(row: ListingRow, parts: Collection[str]) -> None:
    if row.source not in parts:
        raise OsgapError(
            f"{row.where}: {row.path}: found the part {row.source}, which nothing builds; allowed: "
            f"{', '.join(sorted(parts))}; disk-images/programs/{row.source}.c would be one"
        )


def _check_paths(rows: Sequence[ListingRow]) -> None:
    """Raises OsgapError for a repeated or reserved path, and for one below a file."""
    by_path: dict[str, ListingRow] = {}
    for row in rows:
        if f"/{row.path.split('/')[1]}" in RESERVED:
            reserved = ", ".join(RESERVED)
            raise OsgapError(f"{row.where}: path: found {row.path}; allowed: none of {reserved}")
        if row.path in by_path:
            before = by_path[row.path].where
            raise OsgapError(f"{row.where}: {row.path}: found twice, first in {before}")
        by_path[row.path] = row
    for row in rows:
        for parent in map(str, Path(row.path).parents):
            above = by_path.get(parent)
            if above and above.kind not in ("dir", "tree"):
                raise OsgapError(
                    f"{row.where}: {row.path}: is below {parent}, which {above.where} says is a "
                    f"{above.kind}; allowed: below a dir or a tree"
                )


def _row(words: list[str], where: str) -> ListingRow:
    if len(words) != 4:
        raise OsgapError(
            f"{where}: found {counted(len(words), 'word')}; allowed: path, kind, mode and what"
        )
    path, kind, mode, source = words
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
    if not fits.fullmatch(source):
        raise OsgapError(f"{where}: found {quoted(source)}, which is nothing that a {kind} can be")
    if kind == "char" and any(int(number) > 255 for number in source.split(",")):
        raise OsgapError(
            f"{where}: device: found {quoted(source)}; allowed: two numbers of 0 to 255"
        )
    return ListingRow(path, kind, int(mode, 8), source, where)


def entries(
    rows: Sequence[ListingRow], parts: Mapping[str, Path], checkout: Path
) -> Iterator[cpio.CpioEntry]:
    """Yields the archive's entries; `parts` are built files by name. Raises OsgapError."""
    for row in rows:
        if row.kind == "dir":
            yield cpio.CpioEntry(row.path, "dir", row.mode)
        elif row.kind == "link":
            yield cpio.CpioEntry(row.path, "link", row.mode, row.source.encode())
        elif row.kind == "char":
            major, minor = map(int, row.source.split(","))
            yield cpio.CpioEntry(row.path, "char", row.mode, device=(major, minor))
        elif row.kind == "file":
            _check_part(row, parts)
            yield cpio.file(row.path, parts[row.source], row.mode)
        else:
            yield from _tree(row, checkout)


def tree_files(rows: Sequence[ListingRow], checkout: Path) -> list[Path]:
    """Returns the files of all trees in the list, in a fixed order. Raises OsgapError."""
    return [path for row in rows if row.kind == "tree" for path in _files(row, checkout)]


def _tree(row: ListingRow, checkout: Path) -> Iterator[cpio.CpioEntry]:
    yield cpio.folder(row.path)
    for path in _files(row, checkout):
        # One mode for all: a clone's umask must not change the image.
        below = path.relative_to(checkout / row.source).as_posix()
        yield cpio.file(f"{row.path}/{below}", path, row.mode)


def _files(row: ListingRow, checkout: Path) -> list[Path]:
    folder = checkout / row.source
    if not folder.is_dir():
        raise OsgapError(
            f"{row.where}: {row.path}: found the folder {row.source}, which is not there; allowed: "
            "a folder of the checkout"
        )
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not files:
        raise OsgapError(f"{row.where}: {row.path}: the folder {row.source} holds no file")
    return files


def differences(rows: Sequence[ListingRow], first: Listing, second: Listing) -> list[str]:
    """Returns a sentence for each difference between two images but in what compilers make."""
    a, b = ({row["path"]: row for row in listing} for listing in (first, second))
    sentences = [f"{path} is in one of them only" for path in sorted({*a} ^ {*b})]
    trees = tuple(f"{row.path}/" for row in rows if row.kind == "tree")
    for path in sorted({*a} & {*b}):
        for key in ("kind", "mode", "target", "device", "sha256"):
            if key == "sha256" and not path.startswith(trees):
                continue
            if a[path].get(key) != b[path].get(key):
                sentences.append(f"{path}: {key} is {a[path].get(key)} and {b[path].get(key)}")
    return sentences
