# SPDX-License-Identifier: BSD-3-Clause
"""Opens a statistics file of gem5's in any form: plain, .gz or .xz, in UTF-8 or UTF-16.

gem5 packs a file whose name ends in .gz (src/base/output.cc). Windows' tools write UTF-16 and byte
order marks. The content decides, not the name.
"""

import gzip
import io
import lzma
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from osgap.base import inputs, packed, progress
from osgap.gem5stats.gem5text import Dump

DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError)
"""Errors of opening and reading a file."""
_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
_UTF8 = "utf-8"
_LARGE = 20_000_000
"""Bytes of a text that takes a third of a second to read."""


@dataclass
class DumpSource:
    """The dumps of a file. `faults` and `notes` are complete when the last dump has been read.

    Each fault is a sentence about statistics that are left out; each note is one about the rest.
    """

    dumps: Iterable[Dump]
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@contextmanager
def unpacked(path: Path) -> Iterator[io.BufferedReader]:
    """Opens a file's content, of at most inputs.LARGEST_STREAM bytes. Raises DAMAGE.

    A terminal shows how far a large file is read.
    """
    least = _LARGE // 10 if path.name.endswith((".gz", ".xz")) else _LARGE
    with inputs.open_bytes(path) as stream, progress.reading(stream, str(path), least) as watched:
        yield unpack(watched, path)


def content(path: Path, most: int) -> tuple[bytes, str]:
    """Returns up to about `most` bytes of a file's content, and why no more of it can be read."""
    read = bytearray()
    try:
        with unpacked(path) as stream:
            while len(read) < most and (piece := stream.read1()):
                read += piece
    except DAMAGE as error:
        return bytes(read), f"cannot be read: {reason(error)}"
    return bytes(read), ""


def unpack(stream: io.BufferedReader, path: Path) -> io.BufferedReader:
    """Returns the content of an open file, which errors call `path`. Raises DAMAGE."""
    head = stream.peek(len(_XZ))
    content: BinaryIO = stream
    if head.startswith(_GZIP):
        content = cast(BinaryIO, gzip.GzipFile(fileobj=stream))
    elif head.startswith(_XZ):
        content = packed.unpacked(stream)
    return io.BufferedReader(inputs.Bounded(content, path), 1 << 18)


def text(stream: io.BufferedReader) -> TextIO:
    """Returns a content as text. A byte that is not UTF-8 becomes \\xNN. Raises DAMAGE."""
    encoding = _encoding(stream.peek(4)[:4])
    return io.TextIOWrapper(stream, encoding, errors="backslashreplace", newline="\n")


def utf8(content: bytes) -> bytes:
    """Returns a content in UTF-8 without a byte order mark."""
    encoding = _encoding(content[:4])
    return content if encoding == _UTF8 else content.decode(encoding, "replace").encode()


def reason(error: BaseException) -> str:
    """Returns the words of one of DAMAGE."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, EOFError):
        return f"damage ({error})"
    return f"damage ({error}), and values before may be wrong"


def _encoding(head: bytes) -> str:
    if head.startswith(b"\xef\xbb\xbf"):
        return "utf-8-sig"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    if len(head) > 1 and 0 in head[:2] and any(head[:2]):
        return "utf-16-le" if head[1] == 0 else "utf-16-be"
    return _UTF8


def lines(stream: TextIO, longest: int) -> Iterator[tuple[str, bool]]:
    """Yields each line, and whether the file is cut in it. A line over `longest` is cut itself.

    Raises DAMAGE.
    """
    while line := stream.readline(longest + 1):
        ends = line.endswith("\n")
        if not ends and len(line) > longest:
            while (rest := stream.readline(longest)) and not rest.endswith("\n"):
                pass
        yield line, not ends
