# SPDX-License-Identifier: BSD-3-Clause
"""Opens files that a user or a run directory gives: only regular ones, and up to a size.

No other module opens such files. A FIFO or a device would block or never end. Standard library
only.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from pathlib import Path
from typing import BinaryIO, TextIO, cast

_MIB = 1 << 20
LARGEST = 256 * _MIB
"""Most bytes of a file that is read as a whole; the largest of the locked runs has 34 MiB."""
LARGEST_STREAM = 2048 * _MIB
"""Most unpacked bytes of a stream; the largest locked archive has 215 MiB."""
LONGEST_LINE = _MIB
"""Most bytes of a line of a text that is read line by line."""
# Paths of the pipes that a shell hands to a command, as for <(command).
_HANDED = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")


class NotReadableError(OSError):
    """An existing file that is not read because of its kind or size; `strerror` is the reason."""


class TextError(ValueError):
    """A file's content is no text in UTF-8."""


def open_bytes(
    path: Path, *, largest: int | None = None, handed: bool = False
) -> io.BufferedReader:
    """Opens the regular file at `path` for reading. Raises OSError, also above `largest` bytes.

    None for `largest` is any size. With `handed`, `path` may also be a pipe of the shell's:
    standard input, or <(command).
    """
    _check_kind(path, _stat(path), handed)
    # Checked before, so that no device is opened; and after, as it may have been exchanged.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        info = os.fstat(descriptor)
        _check_kind(path, info, handed)
        if largest is not None and info.st_size > largest:
            raise too_large(path, largest)
        os.set_blocking(descriptor, True)
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_bytes(path: Path, *, largest: int = LARGEST, handed: bool = False) -> bytes:
    """Returns the content of a regular file. Raises OSError, also above `largest` bytes."""
    with open_bytes(path, largest=largest, handed=handed) as stream:
        content = stream.read(largest + 1)
    if len(content) > largest:
        raise too_large(path, largest)
    return content


def read_text(
    path: Path, *, errors: str = "strict", largest: int = LARGEST, handed: bool = False
) -> str:
    """Returns a regular file's text with \\n as line ends. Raises OSError and TextError."""
    text = decoded(read_bytes(path, largest=largest, handed=handed), errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def decoded(content: bytes, errors: str = "strict") -> str:
    """Returns `content` as text, line ends unchanged. Raises TextError."""
    if content.startswith(_BOM):
        raise TextError("begins with a byte order mark (BOM); allowed: UTF-8 without one")
    if content.startswith(_WIDE_BOMS):
        raise TextError("begins with a byte order mark (BOM) of UTF-16; allowed: UTF-8")
    try:
        return content.decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise TextError(f"is no UTF-8: byte {error.start} is {content[error.start]:#04x}") from None


def lines(stream: BinaryIO, path: Path) -> TextIO:
    """Returns `stream`, which errors call `path`, as a text to read line by line.

    Reading raises OSError for a line longer than LONGEST_LINE, and beyond LARGEST_STREAM.
    """
    bounded = io.BufferedReader(Bounded(stream, path, LONGEST_LINE), 1 << 16)
    return io.TextIOWrapper(bounded, encoding="utf-8", newline="\n")


class Bounded(io.RawIOBase):
    """A stream that ends in an error beyond LARGEST_STREAM bytes, or in a line longer than
    `longest_line` (None: any length)."""

    def __init__(self, stream: BinaryIO, path: Path, longest_line: int | None = None) -> None:
        super().__init__()
        self._stream, self._path, self._longest = stream, path, longest_line
        self._left, self._line = LARGEST_STREAM, 0

    def readable(self) -> bool:
        """Returns True."""
        return True

    def readinto(self, buffer: object) -> int:
        """Reads as io.RawIOBase.readinto does. Raises NotReadableError beyond a bound."""
        view = memoryview(cast(bytearray, buffer))
        # A single read, so that an error behind some data does not lose the data.
        data = cast(io.BufferedReader, self._stream).read1(len(view))
        view[: len(data)] = data
        self._left -= len(data)
        if self._left < 0:
            raise too_large(self._path, LARGEST_STREAM)
        if self._longest is not None:
            self._watch_line(data, self._longest)
        return len(data)

    def _watch_line(self, data: bytes, longest: int) -> None:
        first = data.find(b"\n")
        if self._line + (len(data) if first < 0 else first) > longest:
            raise NotReadableError(
                errno.EFBIG, f"has a line of more than {longest} bytes", str(self._path)
            )
        self._line = self._line + len(data) if first < 0 else len(data) - data.rfind(b"\n") - 1

    def close(self) -> None:
        """Closes the wrapped stream too."""
        if not self.closed:
            self._stream.close()
        super().close()


def _stat(path: Path) -> os.stat_result:
    try:
        return os.stat(path)
    except ValueError:
        raise NotReadableError(errno.EINVAL, "its name has a zero in it", str(path)) from None


def _check_kind(path: Path, info: os.stat_result, handed: bool) -> None:
    mode = info.st_mode
    if stat.S_ISREG(mode):
        return
    pipe = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
    if handed and pipe and str(path).startswith(_HANDED):
        return
    kinds = (
        (stat.S_ISDIR, "a directory"),
        (stat.S_ISFIFO, "a FIFO"),
        (stat.S_ISSOCK, "a socket"),
    )
    kind = next((name for is_one, name in kinds if is_one(mode)), "a device")
    raise NotReadableError(errno.EINVAL, f"it is {kind}; allowed: a regular file", str(path))


def too_large(path: Path, largest: int) -> NotReadableError:
    """Returns the error of a file of more than `largest` bytes."""
    text = f"has more than {largest / _MIB:g} MiB, which is the most that is read"
    return NotReadableError(errno.EFBIG, text, str(path))
