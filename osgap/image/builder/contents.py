# SPDX-License-Identifier: BSD-3-Clause
"""disk-images/rootfs/contents.list: what the guest's first file system holds, for every builder."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from osgap.base.errors import OsgapError
from osgap.image.builder import cpio

KINDS = ("file", "dir", "link", "char", "tree")
_PATH = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9_.-]*)+")
_MODE = re.compile(r"0[0-7]{3}")
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_DEVICE = re.compile(r"(\d{1,3}),(\d{1,3})")
Rows = list[dict[str, str]]


@dataclass(frozen=True)
class Row:
    """One line of the list; `what` is a part's name, a link's target, a device or a folder."""

    path: str
    kind: str
    mode: int
    what: str


def load(path: Path) -> list[Row]:
    """The rows of the list at `path`. Raises OsgapError naming the line."""
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            rows.append(_row(line.split(), f"{path.name}:{number}"))
    return rows


def _row(words: list[str], where: str) -> Row:
    if len(words) != 4:
        raise OsgapError(f"{where}: found {len(words)} words; allowed: path, kind, mode and what")
    path, kind, mode, what = words
    if not _PATH.fullmatch(path):
        raise OsgapError(f"{where}: path: found {path}; allowed: an absolute path of plain names")
    if kind not in KINDS:
        raise OsgapError(f"{where}: kind: found {kind}; allowed: {', '.join(KINDS)}")
    if not _MODE.fullmatch(mode):
        raise OsgapError(f"{where}: mode: found {mode}; allowed: four octal digits from 0000")
    allowed = {"file": _PART, "link": _PART, "char": _DEVICE, "dir": re.compile("-")}
    fits = allowed.get(kind, re.compile(r"[a-z0-9_-]+(/[a-z0-9_-]+)*"))
    if not fits.fullmatch(what):
        raise OsgapError(f"{where}: found {what}, which is nothing that a {kind} can be")
    return Row(path, kind, int(mode, 8), what)


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
            if row.what not in parts:
                known = ", ".join(sorted(parts))
                raise OsgapError(f"{row.path}: part {row.what} is not built; parts: {known}")
            yield cpio.file(row.path, parts[row.what], row.mode)
        else:
            yield from _tree(row, checkout / row.what)


def tree_files(rows: Sequence[Row], checkout: Path) -> list[Path]:
    """Every file of every tree in the list, in a fixed order."""
    return [p for row in rows if row.kind == "tree" for p in _files(checkout / row.what)]


def _tree(row: Row, folder: Path) -> Iterator[cpio.Entry]:
    yield cpio.folder(row.path)
    for path in _files(folder):
        # One mode for all: a clone's umask must not change the image.
        yield cpio.file(f"{row.path}/{path.relative_to(folder).as_posix()}", path, row.mode)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


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
