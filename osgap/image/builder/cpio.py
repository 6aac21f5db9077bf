# SPDX-License-Identifier: BSD-3-Clause
"""A newc cpio archive of declared entries: root-owned, dated 0, the same bytes every time."""

import hashlib
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from osgap.base.errors import OsgapError

_HEADER = 110
PAD = "/pad"
_PAGE = 4096
# Room for a few programs; what lies behind the archive in the kernel is moved by a whole way of
# any cache if at all.
_PAGES_ROUND, _ENTRIES_ROUND, _ARCHIVE_ROUND = 1024, 128, 1 << 20
_KINDS = {"file": stat.S_IFREG, "dir": stat.S_IFDIR, "link": stat.S_IFLNK, "char": stat.S_IFCHR}


@dataclass(frozen=True)
class Entry:
    """One name in the guest's first file system."""

    path: str
    kind: str
    mode: int
    data: bytes = b""
    device: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise OsgapError(f"image entry {self.path} has the unknown kind {self.kind}")
        if not self.path.startswith("/") or self.path == "/" or ".." in self.path.split("/"):
            raise OsgapError(f"image entry {self.path} is no absolute path below /")


def folder(path: str) -> Entry:
    return Entry(path, "dir", 0o755)


def file(path: str, source: Path, mode: int = 0o644) -> Entry:
    return Entry(path, "file", mode, source.read_bytes())


def text(path: str, words: str, mode: int = 0o444) -> Entry:
    return Entry(path, "file", mode, words.encode())


def link(path: str, target: str) -> Entry:
    return Entry(path, "link", 0o777, target.encode())


def char(path: str, major: int, minor: int) -> Entry:
    return Entry(path, "char", 0o600, device=(major, minor))


def complete(entries: Iterable[Entry]) -> list[Entry]:
    """Entries sorted, with the folders that they need; a path may be declared once."""
    found: dict[str, Entry] = {}
    for entry in entries:
        if entry.path in found:
            raise OsgapError(f"the image would hold {entry.path} twice")
        found[entry.path] = entry
    for entry in list(found.values()):
        for parent in list(Path(entry.path).parents)[:-1]:
            found.setdefault(str(parent), folder(str(parent)))
    return _parents_first(found)


def _parents_first(found: Mapping[str, Entry]) -> list[Entry]:
    """In the order of their declaration: what is appended to the list moves nothing before it."""
    ordered: dict[str, Entry] = {}
    for path, entry in found.items():
        for parent in reversed(list(Path(path).parents)[:-1]):
            ordered.setdefault(str(parent), found[str(parent)])
        ordered[path] = entry
    return list(ordered.values())


def padded(entries: Sequence[Entry]) -> list[Entry]:
    """The entries and, below PAD, as many files more as make their number and pages round.

    The guest's kernel gives each file an inode and its data pages, and what is given later lies
    behind them. So an image with another small program has all else where it was.
    """
    pages = sum(-(-len(entry.data) // _PAGE) for entry in entries if entry.kind == "file")
    missing_pages = -pages % _PAGES_ROUND
    dummies = -(len(entries) + 2) % _ENTRIES_ROUND
    filler = Entry(f"{PAD}/pages", "file", 0o444, b"\0" * (missing_pages * _PAGE))
    empty = [Entry(f"{PAD}/{number:03}", "file", 0o444) for number in range(dummies)]
    return [*entries, folder(PAD), filler, *empty]


def unpadded(entries: Sequence[Entry]) -> list[Entry]:
    """The entries without those that `padded` added."""
    return [one for one in entries if one.path != PAD and not one.path.startswith(f"{PAD}/")]


def _pad(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)


def _record(name: str, inode: int, mode: int, data: bytes, device: tuple[int, int]) -> bytes:
    raw = name.encode() + b"\0"
    links = 2 if stat.S_ISDIR(mode) else 1
    fields = (inode, mode, 0, 0, links, 0, len(data), 0, 0, *device, len(raw), 0)
    header = b"070701" + b"".join(b"%08X" % field for field in fields)
    return _pad(header + raw) + _pad(data)


def archive(entries: Sequence[Entry]) -> bytes:
    """The archive's bytes."""
    records = [
        _record(entry.path[1:], number, _KINDS[entry.kind] | entry.mode, entry.data, entry.device)
        for number, entry in enumerate(entries, 1)
    ]
    whole = b"".join(records) + _record("TRAILER!!!", 0, 0, b"", (0, 0))
    return whole + b"\0" * (-len(whole) % _ARCHIVE_ROUND)


def read(data: bytes) -> list[Entry]:
    """The entries of a newc archive, sorted. Raises OsgapError for one that is cut or foreign."""
    entries: list[Entry] = []
    at = 0
    while True:
        head = data[at : at + _HEADER]
        if len(head) < _HEADER or head[:6] != b"070701":
            raise OsgapError(f"no newc archive: byte {at} begins no record")
        try:
            fields = [int(head[start : start + 8], 16) for start in range(6, _HEADER, 8)]
        except ValueError:
            raise OsgapError(f"no newc archive: byte {at + 6} begins no number") from None
        mode, size, length = fields[1], fields[6], fields[11]
        name = data[at + _HEADER : at + _HEADER + length - 1].decode(errors="backslashreplace")
        body = at + _HEADER + length + (-(_HEADER + length)) % 4
        at = body + size + -size % 4
        if name == "TRAILER!!!":
            return sorted(entries, key=lambda entry: entry.path)
        kinds = {number: kind for kind, number in _KINDS.items()}
        kind = kinds.get(stat.S_IFMT(mode), f"of type {stat.S_IFMT(mode):o}")
        path = "/" + name.removeprefix("./")
        device = (fields[9], fields[10])
        entries.append(Entry(path, kind, stat.S_IMODE(mode), data[body : body + size], device))


def contents(entries: Sequence[Entry]) -> list[dict[str, str]]:
    """What the archive holds, for the image's manifest."""
    rows = []
    for entry in entries:
        row = {"path": entry.path, "mode": f"{entry.mode:04o}", "kind": entry.kind}
        if entry.kind == "file":
            row["sha256"] = hashlib.sha256(entry.data).hexdigest()
        elif entry.kind == "link":
            row["target"] = entry.data.decode()
        elif entry.kind == "char":
            row["device"] = f"{entry.device[0]},{entry.device[1]}"
        rows.append(row)
    return rows
