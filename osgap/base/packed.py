# SPDX-License-Identifier: BSD-3-Clause
"""Compressed files: texts that may be .xz, and archives (.tar.xz) that are read in place."""

from __future__ import annotations

import io
import lzma
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Self, TextIO, cast

from osgap.base import inputs
from osgap.base.errors import OsgapError
from osgap.base.quoting import found

SUFFIX = ".xz"
ARCHIVE_SUFFIX = ".tar.xz"
DAMAGE = (EOFError, lzma.LZMAError, inputs.NotReadableError)
"""What reading a compressed text raises where it is cut, changed, or too much."""
# Of text; what is alike in two points lies up to 64 MiB apart (preset 9's dictionary).
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]
_MODE = 0o644
_CHUNK = 1 << 20


class ArchiveError(OsgapError):
    """An archive that is missing, cut short or changed."""


def open_text(path: Path) -> TextIO:
    """A text file for reading, unpacked where its name ends in .xz. Raises OSError.

    Reading may raise one of DAMAGE, and OSError for more than a text or a line of it may have.
    """
    if path.suffix == SUFFIX:
        return inputs.lines(_unpacked(inputs.open_bytes(path, largest=inputs.LARGEST)), path)
    return inputs.lines(inputs.open_bytes(path), path)


def read_bytes(path: Path, *, largest: int = inputs.LARGEST) -> bytes:
    """The content of a file, unpacked where its name ends in .xz. Raises OSError, and DAMAGE.

    It may have `largest` bytes, packed or not.
    """
    content = read_head(path, largest + 1)
    if len(content) > largest:
        raise inputs.too_large(path, largest)
    return content


def read_head(path: Path, length: int) -> bytes:
    """The first `length` bytes of a file, or all that it has. Raises as `read_bytes`."""
    plain = inputs.open_bytes(path)
    with _unpacked(plain) if path.suffix == SUFFIX else plain as stream:
        return stream.read(length)


def write_archive(path: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Writes the files, given by name, in their order; equal files give equal bytes.

    Raises OSError.
    """
    with (
        lzma.open(path, "wb", check=lzma.CHECK_SHA256, filters=_FILTERS) as stream,
        tarfile.open(fileobj=stream, mode="w|", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name, content in files:
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), _MODE
            archive.addfile(member, io.BytesIO(content))


def read_archive(path: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file, one after the other: one at a time is held in memory.

    Nothing is written to the disk. Raises ArchiveError, at the end for a damage there.
    """
    with (
        _sentences(path),
        inputs.open_bytes(path, largest=inputs.LARGEST) as packed,
        io.BufferedReader(inputs.Bounded(_unpacked(packed), path)) as stream,
    ):
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Member) as archive:
            for member in archive:
                content = archive.extractfile(member)
                if content is not None:
                    yield member.name, content.read()
        # To its end, where its checksum is.
        while stream.read(_CHUNK):
            pass


class _Member(tarfile.TarInfo):
    """A member as `write_archive` makes it: a file that fits into memory, under a short name.

    A long name or a record of attributes is read before it is known what it is, and may be huge.
    """

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """As TarInfo's. Raises TarError for any other member."""
        member = super().frombuf(buf, encoding, errors)
        if not member.isfile() or member.size > inputs.LARGEST:
            told = f"its member {found(member.name)} is no plain file of at most {inputs.LARGEST}"
            raise tarfile.ReadError(f"{told} bytes")
        return member


def _unpacked(stream: BinaryIO) -> BinaryIO:
    return cast(BinaryIO, _Unpacked(stream, "rb"))


class _Unpacked(lzma.LZMAFile):
    """A file's content unpacked; closing it closes the file."""

    def __init__(self, packed: BinaryIO, mode: str) -> None:
        # No older format: a file of zeros is without end one empty text of it after the other.
        super().__init__(packed, mode, format=lzma.FORMAT_XZ)
        self._packed = packed

    def close(self) -> None:
        """Closes both."""
        super().close()
        self._packed.close()


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ArchiveError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (*DAMAGE, tarfile.TarError) as error:
        raise ArchiveError(f"{path}: is cut short or damaged: {error}") from None
