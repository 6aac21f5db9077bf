# SPDX-License-Identifier: BSD-3-Clause
"""Progress of a long command on standard error: lines with the time, or a bar.

Standard output holds only results, so that it can go to a file or a program.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader, StringIO
from typing import TYPE_CHECKING, TypeVar

from osgap.base.output import from_here, is_output_watched, print_error, watched_error

if TYPE_CHECKING:
    from rich.progress import Progress

Item = TypeVar("Item")
_LONGEST_NAME = 40
"""Most characters of a path beside a bar."""


def say(text: str) -> None:
    """Prints `text` behind the time of day, as scripts/lib.sh does; paths as seen from here."""
    print_error(from_here(f"{time.strftime('%H:%M:%S')} {text}"))


def each(items: Sequence[Item], action: str, name: Callable[[Item], str] = str) -> Iterator[Item]:
    """Yields the items, with a bar on a terminal, elsewhere with a line "ACTION NAME" before each.

    A single item has a line everywhere.
    """
    bar = make_bar() if len(items) > 1 and is_watched() else None
    if bar is None:
        for item in items:
            say(f"{action} {name(item)}")
            yield item
        return
    with bar:
        task = bar.add_task(action, total=len(items), left="")
        for item in items:
            bar.update(task, description=from_here(f"{action} {name(item)}"))
            yield item
            bar.advance(task)


def is_watched() -> bool:
    """Returns True if standard error is a terminal."""
    return watched_error() is not None


@contextmanager
def reading(stream: BufferedReader, name: str, least: int) -> Iterator[BufferedReader]:
    """Returns a file's stream, with a bar on a terminal if the file has `least` bytes or more."""
    size = os.fstat(stream.fileno()).st_size
    if size < least or not is_watched():
        yield stream
        return
    with make_bar(in_bytes=True) as bar:
        task = bar.add_task(f"Reading {from_here(name)[-_LONGEST_NAME:]}", total=size, left="")
        yield BufferedReader(bar.wrap_file(stream.raw, task_id=task))  # type: ignore[arg-type]


def make_bar(*, in_bytes: bool = False) -> Progress:
    """Returns the progress bar of all commands, a context manager; disabled without a terminal.

    Its tasks have the field `left`, a text about the time left. A bar that counts bytes goes away
    at its end.
    """
    # Imported here: most commands need no bar, and rich loads slowly.
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    from osgap.base.terminal import make_console

    stream = watched_error()
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn() if in_bytes else MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}", markup=False),
        # rich's default console fails on a COLUMNS that is no number.
        console=make_console(stream or StringIO()),
        disable=stream is None,
        transient=in_bytes,
        # Each time that it is drawn takes the command's own time.
        refresh_per_second=1 if in_bytes else 10,
        # The bar moves for printed lines; lines that go to a file need none of that.
        redirect_stdout=is_output_watched(),
    )
