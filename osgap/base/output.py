# SPDX-License-Identifier: BSD-3-Clause
"""Prints on standard output and standard error; no other module does. Standard library only.

Text for people passes osgap.base.quoting, so that it cannot act on a terminal and fits every
locale. A failure of standard output is an OSError that names it. A failure of standard error is
ignored: nobody can be told.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, TextIO

from osgap.base.errors import about
from osgap.base.quoting import one_line, sentence, visible

OUTPUT = "standard output"


class Stream(io.TextIOBase):
    """Standard output as a stream, for rich; an OSError names it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding or "utf-8"  # a StringIO has none

    @property
    def buffer(self) -> IO[bytes] | None:
        return getattr(self._stream, "buffer", None)

    def write(self, text: str) -> int:
        with about(OUTPUT):
            return self._stream.write(text)

    def flush(self) -> None:
        with about(OUTPUT):
            self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()


class ErrorStream(Stream):
    """Standard error as a stream; its failures are ignored."""

    def write(self, text: str) -> int:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            _drop(self._stream)
        return len(text)

    def flush(self) -> None:
        """Does nothing: each write flushes."""


class _SharedErrors(ErrorStream):
    def isatty(self) -> bool:
        return False


def print_line(text: str) -> None:
    """Prints one line for people. Raises OSError."""
    stream = standard_output()
    stream.write(one_line(text, stream.encoding) + "\n")


def print_sentence(text: str) -> None:
    """Prints one line for people; on a terminal it wraps at blanks. Raises OSError."""
    stream = standard_output()
    stream.write(_wrapped(one_line(text, stream.encoding), stream) + "\n")


def print_lines(text: str) -> None:
    """Prints a text of several lines for people. Raises OSError."""
    stream = standard_output()
    stream.write(visible(text, stream.encoding))


def print_document(text: str, stream: TextIO | Stream | None = None) -> None:
    """Prints CSV, JSON or a script to `stream` (None: standard output). Raises OSError.

    A file or a program gets the exact bytes, in UTF-8 whatever the locale, also those of file
    names. A terminal gets control characters as escapes, as in all other output.
    """
    stream = standard_output() if stream is None else stream
    buffer = getattr(stream, "buffer", None)
    if stream.isatty():
        text = visible(text, stream.encoding)
    if stream.isatty() or buffer is None:
        stream.write(text)
        return
    stream.flush()
    with about(OUTPUT):
        buffer.write(text.encode("utf-8", "surrogateescape"))


def print_error(text: str) -> None:
    """Prints one sentence on standard error, shortened when it is very long.

    On a terminal it wraps at blanks.
    """
    if sys.stderr is not None:
        stream = ErrorStream(sys.stderr)
        stream.write(_wrapped(sentence(text, stream.encoding), stream) + "\n")


def standard_output() -> Stream:
    """Returns standard output. Raises OSError if it is closed."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "is closed", OUTPUT)
    return Stream(sys.stdout)


def print_error_lines(text: str) -> None:
    """Prints a text of several lines on standard error, each shortened when it is very long."""
    for line in text.splitlines():
        print_error(line)


def flush() -> None:
    """Flushes standard output. Raises OSError, after dropping the unwritten text."""
    stream = standard_output()
    try:
        stream.flush()
    except OSError:
        # Python would try again when it exits.
        _drop(sys.stdout)
        raise


def watched_error() -> ErrorStream | None:
    """Returns standard error if it is a terminal."""
    return ErrorStream(sys.stderr) if sys.stderr is not None and sys.stderr.isatty() else None


def is_output_watched() -> bool:
    """Returns True if standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def is_output_terminal() -> bool:
    """Returns True if standard output is a terminal that child processes share."""
    try:
        return is_output_watched() and os.isatty(sys.stdout.fileno())
    except (OSError, ValueError):
        return False


def hold_numbers() -> None:
    """Opens /dev/null under the number of each standard stream that is closed.

    Otherwise the next opened file gets that number, and with it the output of child processes.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)


def from_here(text: str, words: Iterable[str] = ()) -> str:
    """Returns `text` with paths below the current directory relative to it.

    They stay where one of the `words`, those of the command, names the directory.
    """
    try:
        here = os.getcwd()
    except OSError:
        return text
    if here == "/" or any(here in word for word in words):
        return text
    return re.sub(rf"(?<![\w./-]){re.escape(here)}/", "", text)


def _wrapped(text: str, stream: Stream) -> str:
    """The text in lines of the terminal's width, broken at blanks; elsewhere in one line."""
    try:
        width = os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    except (OSError, ValueError):
        width = 0
    if len(text) <= width or width < 1:
        return text
    lines = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def _drop(stream: IO[str]) -> None:
    with suppress(OSError, ValueError), _null() as null:
        os.dup2(null, stream.fileno())


@contextmanager
def _null() -> Iterator[int]:
    number = os.open(os.devnull, os.O_WRONLY)
    try:
        yield number
    finally:
        os.close(number)


def mute_errors() -> None:
    """Drops what this process prints to standard error, for one whose parent prints progress."""
    sys.stderr = io.StringIO()


def share_errors() -> None:
    """Makes this process print lines in place of bars, where it shares a terminal with others."""
    if sys.stderr is not None:
        sys.stderr = _SharedErrors(sys.stderr)
