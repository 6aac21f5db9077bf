# SPDX-License-Identifier: BSD-3-Clause
"""What a long command shows while it works, on standard error: lines with the time, or a bar.

Standard output keeps the results alone, so that it can be sent to a file or a program.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING, TypeVar

from osgap.base.output import is_output_watched, print_error, watched_error

if TYPE_CHECKING:
    from rich.progress import Progress

Item = TypeVar("Item")


def say(text: str) -> None:
    """Prints `text` behind the time of day, as scripts/lib.sh does."""
    print_error(f"{time.strftime('%H:%M:%S')} {text}")


def each(items: Sequence[Item], what: str, name: Callable[[Item], str] = str) -> Iterator[Item]:
    """The items one by one: a bar on a terminal, elsewhere a line "WHAT NAME" before each.

    A single item is a line everywhere: a bar of one step would say nothing.
    """
    bar = make_bar() if len(items) > 1 and is_watched() else None
    if bar is None:
        for item in items:
            say(f"{what} {name(item)}")
            yield item
        return
    with bar:
        task = bar.add_task(what, total=len(items), left="")
        for item in items:
            bar.update(task, description=f"{what} {name(item)}")
            yield item
            bar.advance(task)


def is_watched() -> bool:
    """Whether somebody looks at standard error: it is a terminal."""
    return watched_error() is not None


def make_bar() -> Progress:
    """The bar that every command shows, for use as a context manager.

    A task of it has the field `left`, a text about the time left. Disabled where none watches.
    """
    # Not at the top: most commands need no bar, and rich takes a while.
    from rich.progress import (
        BarColumn,
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
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}", markup=False),
        # Of its own rich makes one that fails on an odd COLUMNS.
        console=make_console(stream or StringIO()),
        disable=stream is None,
        # The bar makes room for lines that are printed, but not for those that go elsewhere.
        redirect_stdout=is_output_watched(),
    )
