# SPDX-License-Identifier: BSD-3-Clause
"""Writes and reads newc cpio archives: owned by root, dated 0, reproducible byte for byte."""

import hashlib
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from osgap.base.errors import OsgapError

_HEADER = 110
PAD = "/pad"
_PAGE = 4096
# Room for a few programs. A larger archive moves the kernel's data behind it by a whole way of any
# cache.
_PAGES_ROUND, _ENTRIES_ROUND, _ARCHIVE_ROUND = 1024, 128, 1 << 20
_KINDS = {"file": stat.S_IFREG, "dir": stat.S_IFDIR, "link": stat.S_IFLNK, "char": stat.S_IFCHR}


@dataclass(frozen=True)
class CpioEntry:
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


def folder(path: str) -> CpioEntry:
    return CpioEntry(path, "dir", 0o755)


def file(path: str, source: Path, mode: int = 0o644) -> CpioEntry:
    return CpioEntry(path, "file", mode, source.read_bytes())


def text(path: str, words: str, mode: int = 0o444) -> CpioEntry:
    return CpioEntry(path, "file", mode, words.encode())


def complete(entries: Iterable[CpioEntry]) -> list[CpioEntry]:
    """Returns the entries and the folders that they need. Raises OsgapError for a repeated path."""
    by_path: dict[str, CpioEntry] = {}
    for entry in entries:
        if entry.path in by_path:
            raise OsgapError(f"the image would hold {entry.path} twice")
        by_path[entry.path] = entry
    for entry in list(by_path.values()):
        for parent in list(Path(entry.path).parents)[:-1]:
            by_path.setdefault(str(parent), folder(str(parent)))
    return _parents_first(by_path)


def _parents_first(by_path: Mapping[str, CpioEntry]) -> list[CpioEntry]:
    """Returns the entries in their order, each after its folders: a new last one moves no other."""
    ordered: dict[str, CpioEntry] = {}
    for path, entry in by_path.items():
        for parent in reversed(list(Path(path).parents)[:-1]):
            ordered.setdefault(str(parent), by_path[str(parent)])
        ordered[path] = entry
    return list(ordered.values())


def padded(entries: Sequence[CpioEntry]) -> list[CpioEntry]:
    """Returns the entries and further files below PAD, so that files and pages are round numbers.

    So one more small program in the image moves no other data of the guest's kernel.
    """
    pages = sum(-(-len(entry.data) // _PAGE) for entry in entries if entry.kind == "file")
    missing_pages = -pages % _PAGES_ROUND
    dummies = -(len(entries) + 2) % _ENTRIES_ROUND
    filler = CpioEntry(f"{PAD}/pages", "file", 0o444, b"\0" * (missing_pages * _PAGE))
    empty = [CpioEntry(f"{PAD}/{number:03}", "file", 0o444) for number in range(dummies)]
    return [*entries, folder(PAD), filler, *empty]


def unpadded(entries: Sequence[CpioEntry]) -> list[CpioEntry]:
    """Returns the entries without those that `padded` added."""
    return [entry for entry in entries if not f"{entry.path}/".startswith(f"{PAD}/")]


def _pad(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)


def _record(name: str, inode: int, mode: int, data: bytes, device: tuple[int, int]) -> bytes:
    raw = name.encode() + b"\0"
    links = 2 if stat.S_ISDIR(mode) else 1
    fields = (inode, mode, 0, 0, links, 0, len(data), 0, 0, *device, len(raw), 0)
    header = b"070701" + b"".join(b"%08X" % field for field in fields)
    return _pad(header + raw) + _pad(data)


def archive(entries: Sequence[CpioEntry]) -> bytes:
    """Returns the archive's bytes."""
    records = [
        _record(entry.path[1:], number, _KINDS[entry.kind] | entry.mode, entry.data, entry.device)
        for number, entry in enumerate(entries, 1)
    ]
    content = b"".join(records) + _record("TRAILER!!!", 0, 0, b"", (0, 0))
    return content + b"\0" * (-len(content) % _ARCHIVE_ROUND)


def read(data: bytes) -> list[CpioEntry]:
    """Returns the sorted entries of a newc archive. Raises OsgapError for a cut or foreign one."""
    entries: list[CpioEntry] = []
    offset = 0
    while True:
        head = data[offset : offset + _HEADER]
        if len(head) < _HEADER or head[:6] != b"070701":
            raise OsgapError(f"no newc archive: byte {offset} begins no record")
        try:
            fields = [int(head[start : start + 8], 16) for start in range(6, _HEADER, 8)]
        except ValueError:
            raise OsgapError(f"no newc archive: byte {offset + 6} begins no number") from None
        mode, size, length = fields[1], fields[6], fields[11]
        name_begin = offset + _HEADER
        name = data[name_begin : name_begin + length - 1].decode(errors="backslashreplace")
        body = name_begin + length + (-(_HEADER + length)) % 4
        offset = body + size + -size % 4
        if name == "TRAILER!!!":
            return sorted(entries, key=lambda entry: entry.path)
        kinds = {number: kind for kind, number in _KINDS.items()}
        kind = kinds.get(stat.S_IFMT(mode), f"of type {stat.S_IFMT(mode):o}")
        path = "/" + name.removeprefix("./")
        device = (fields[9], fields[10])
        entries.append(CpioEntry(path, kind, stat.S_IMODE(mode), data[body : body + size], device))


def contents(entries: Sequence[CpioEntry]) -> list[dict[str, str]]:
    """Returns the list of the entries for contents.json."""
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
