# SPDX-License-Identifier: BSD-3-Clause
"""Consoles: for people in colour, for programs as plain text with a row on one line.

No text is markup, and every text is shown by osgap.base.quoting: styles are ours, never the data's.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from io import TextIOBase
from typing import Any, TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from osgap.base.output import standard_output
from osgap.base.quoting import visible

PLAIN_WIDTH = 200
_WIDEST = 10_000


class _Console(Console):
    """rich's, by which no text acts on the terminal."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Before a table's columns are measured, so that escapes have their room."""
        plain = visible(text, self.encoding)
        return super().render_str(plain, **{**options, "markup": False, "emoji": False})

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Everything passes here, also what was no str."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible(text, self.encoding), style, control)


def make_console(stream: TextIO | TextIOBase | None = None) -> Console:
    """A console on `stream` (None: standard output).

    It colours on a terminal, and elsewhere writes plain text, not cut to 80. Raises OSError where
    standard output is closed.
    """
    file: Any = standard_output() if stream is None else stream
    plain: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}
    plain["_environ"] = _environment()
    if file.isatty():
        return _Console(file=file, **plain)
    return _Console(file=file, width=PLAIN_WIDTH, color_system=None, **plain)


def columns(*headings: str) -> Table:
    """An empty table of plain columns, whose long cells are folded."""
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        shown.add_column(heading, overflow="fold")
    return shown


def _environment() -> dict[str, str]:
    """The process's, without a size of the terminal that is none."""
    return {
        name: value
        for name, value in os.environ.items()
        if name not in ("COLUMNS", "LINES") or _is_size(value)
    }


def _is_size(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6 and 0 < int(text) <= _WIDEST
