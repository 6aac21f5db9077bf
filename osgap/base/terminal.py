# SPDX-License-Identifier: BSD-3-Clause
"""Consoles of rich: in colour on a terminal, elsewhere plain text with one line a row.

Text is never markup and passes osgap.base.quoting, so that data cannot set a style.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from io import TextIOBase
from textwrap import wrap
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
    """A console whose text cannot act on the terminal."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Prints without cutting: a sentence wraps at blanks on a terminal, else nowhere."""
        is_text = all(isinstance(item, str) for item in objects)
        if is_text and self.is_terminal and not options.get("soft_wrap"):
            objects = tuple(_wrapped(item, self.width) for item in objects)
        options = {"soft_wrap": True, **options} if is_text else {"crop": False, **options}
        super().print(*objects, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """Escapes a text before a table's columns are measured, so that they fit the escapes."""
        plain = visible(text, self.encoding)
        return super().render_str(plain, **{**options, "markup": False, "emoji": False})

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Escapes all text, also of objects that were no str."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible(text, self.encoding), style, control)


def make_console(
    stream: TextIO | TextIOBase | None = None, *, terminal_width: int | None = None
) -> Console:
    """Returns a console on `stream` (None: standard output).

    It colours on a terminal; elsewhere it writes plain text of PLAIN_WIDTH. With `terminal_width`
    the stream counts as a terminal of that width. Raises OSError if standard output is closed.
    """
    file: Any = standard_output() if stream is None else stream
    plain: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}
    plain["_environ"] = _environment()
    if terminal_width is not None:
        return _Console(file=file, width=terminal_width, force_terminal=True, **plain)
    if file.isatty():
        return _Console(file=file, **plain)
    return _Console(file=file, width=PLAIN_WIDTH, color_system=None, **plain)


def _wrapped(text: str, width: int) -> str:
    """The text with line ends at blanks, where a line would be wider than `width`."""
    lines = (
        wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
        for line in text.split("\n")
    )
    return "\n".join(part for parts in lines for part in parts)


def text_line(text: str, style: str = "") -> Text:
    """Returns one line of text that is neither wrapped nor cut."""
    return Text(text, style, no_wrap=True, overflow="ignore")


def columns(*headings: str) -> Table:
    """Returns an empty table without borders, whose long cells are folded."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _environment() -> dict[str, str]:
    """Returns this process's environment, without a terminal size that is no number."""
    return {
        name: value
        for name, value in os.environ.items()
        if name not in ("COLUMNS", "LINES") or _is_size(value)
    }


def _is_size(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6 and 0 < int(text) <= _WIDEST
