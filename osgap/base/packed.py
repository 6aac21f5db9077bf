# SPDX-License-Identifier: BSD-3-Clause
"""Reads and writes compressed files: .xz texts, and .tar.xz archives without unpacking to disk.

An archive has texts of many equal tables, such as stats.txt, by column (`osgap.base.columns`).
"""

from __future__ import annotations

import io
import lzma
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Self, TextIO, cast

from osgap.base import columns, inputs
from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted

SUFFIX = ".xz"
ARCHIVE_SUFFIX = ".tar.xz"
COLUMNS_SUFFIX = ".columns"
"""End of the name of a member that is stored by column."""
DAMAGE = (EOFError, lzma.LZMAError, inputs.NotReadableError)
"""Errors of reading a compressed text that is cut, changed or too large."""
# Settings for text. Similar parts of two points lie up to 64 MiB apart: preset 9's dictionary.
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]
_MODE = 0o644
_CHUNK = 1 << 20


def open_text(path: Path) -> TextIO:
    """Opens a text file for reading; unpacks it if its name ends in .xz. Raises OSError.

    Reading may raise one of DAMAGE, and OSError for too long a text or line.
    """
    if path.suffix == SUFFIX:
        return inputs.lines(unpacked(inputs.open_bytes(path, largest=inputs.LARGEST)), path)
    return inputs.lines(inputs.open_bytes(path), path)


def read_bytes(path: Path, *, largest: int = inputs.LARGEST) -> bytes:
    """Returns a file's content, unpacked if its name ends in .xz.

    Raises OSError, also above `largest` bytes, packed or unpacked; and DAMAGE.
    """
    content = read_head(path, largest + 1)
    if len(content) > largest:
        raise inputs.too_large(path, largest)
    return content


def read_head(path: Path, length: int) -> bytes:
    """Returns up to `length` first bytes of a file. Raises as `read_bytes`."""
    plain = inputs.open_bytes(path)
    with unpacked(plain) if path.suffix == SUFFIX else plain as stream:
        return stream.read(length)


def write_archive(path: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Writes files, each a name and its content, in this order; equal files give equal bytes.

    Raises OSError, and OsgapError for a name that ends in COLUMNS_SUFFIX.
    """
    with (
        lzma.open(path, "wb", check=lzma.CHECK_SHA256, filters=_FILTERS) as stream,
        tarfile.open(fileobj=stream, mode="w|", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name, content in files:
            if name.endswith(COLUMNS_SUFFIX):
                raise OsgapError(f"{quoted(name)}: ends in {COLUMNS_SUFFIX}; allowed: other names")
            encoded = columns.encode(content)
            member = tarfile.TarInfo(name if encoded is None else name + COLUMNS_SUFFIX)
            stored = content if encoded is None else encoded
            member.size, member.mode = len(stored), _MODE
            archive.addfile(member, io.BytesIO(stored))


def read_archive(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yields name and content of each file; holds one at a time in memory, writes none to disk.

    Raises OsgapError, only after the last file if the end is damaged.
    """
    left = inputs.LARGEST_STREAM
    with (
        _sentences(path),
        inputs.open_bytes(path, largest=inputs.LARGEST) as packed,
        io.BufferedReader(inputs.Bounded(unpacked(packed), path), _CHUNK) as stream,
    ):
        with tarfile.open(fileobj=stream, mode="r|", bufsize=_CHUNK, tarinfo=_Member) as archive:
            for member in archive:
                stored = archive.extractfile(member)
                if stored is not None:
                    name, content = _file(member.name, stored.read())
                    left -= len(content)
                    if left < 0:
                        raise inputs.too_large(path, inputs.LARGEST_STREAM)
                    yield name, content
        # The checksum lies at the end.
        while stream.read(_CHUNK):
            pass


def _file(name: str, stored: bytes) -> tuple[str, bytes]:
    """Returns name and content of a member's file. Raises TarError for damaged columns."""
    if not name.endswith(COLUMNS_SUFFIX):
        return name, stored
    try:
        return name.removesuffix(COLUMNS_SUFFIX), columns.decode(stored)
    except columns.ColumnsError as error:
        raise tarfile.ReadError(f"its member {quoted(name)} {error}") from None


class _Member(tarfile.TarInfo):
    """A member as `write_archive` makes it: a file that fits into memory, under a short name.

    tarfile reads a long name or a record of attributes, which may be huge, before its size can be
    checked.
    """

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Reads a header as TarInfo does. Raises TarError for any other kind of member."""
        member = super().frombuf(buf, encoding, errors)
        if not member.isfile() or member.size > inputs.LARGEST:
            name = quoted(member.name)
            raise tarfile.ReadError(
                f"its member {name} is no plain file of at most {inputs.LARGEST} bytes"
            )
        return member


def unpacked(stream: BinaryIO) -> BinaryIO:
    """Returns the content of an open .xz file; closing it closes the file."""
    return cast(BinaryIO, _Unpacked(stream, "rb"))


class _Unpacked(lzma.LZMAFile):
    """The unpacked content of an .xz file; closing it closes the file."""

    def __init__(self, packed: BinaryIO, mode: str) -> None:
        # No older format: in that one a file of zeros is an endless sequence of empty texts.
        super().__init__(packed, mode, format=lzma.FORMAT_XZ)
        self._packed = packed

    def close(self) -> None:
        """Closes the packed file too."""
        super().close()
        self._packed.close()


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OsgapError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (*DAMAGE, tarfile.TarError) as error:
        raise OsgapError(f"{path}: is cut short or damaged: {error}") from None
