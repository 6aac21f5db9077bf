# SPDX-License-Identifier: BSD-3-Clause
"""Standard output and standard error of a command that runs in the test's own process."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch


class Terminal(io.TextIOWrapper):
    """A stream that keeps its bytes; `watched` if a person looks at it."""

    def __init__(self, encoding: str = "utf-8", watched: bool = False) -> None:
        super().__init__(io.BytesIO(), encoding=encoding, write_through=True)
        self.watched = watched

    def isatty(self) -> bool:
        return self.watched

    def text(self) -> str:
        return self.buffer.getvalue().decode(self.encoding)


@contextmanager
def streams(encoding: str = "utf-8", watched: bool = False) -> Iterator[tuple[Terminal, Terminal]]:
    """Standard output and standard error, replaced."""
    out, err = Terminal(encoding, watched), Terminal(encoding, watched)
    with patch.object(sys, "stdout", out), patch.object(sys, "stderr", err):
        yield out, err


def harmless(text: str, ours: str = "") -> None:
    """Nothing in `text` acts on a terminal, but for lines, tabs and the sequences in `ours`."""
    for one in set(text) - set("\n\t"):
        assert one.isprintable() or one in ours, f"{one!r} in {text[:400]!r}"


def without_styles(text: str) -> str:
    """`text` without osgap's own styles: bold, dim, italic, bold cyan."""
    for style in ("\x1b[1m", "\x1b[0m", "\x1b[2m", "\x1b[3m", "\x1b[1;36m"):
        text = text.replace(style, "")
    return text
