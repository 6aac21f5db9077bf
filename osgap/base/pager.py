# SPDX-License-Identifier: BSD-3-Clause
"""Shows more than a screen of output in a pager, as git does."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from rich.console import Console
from rich.pager import Pager

from osgap.base.output import is_output_terminal, standard_output
from osgap.base.processes import environment, program_path

VARIABLES = ("OSGAP_PAGER", "PAGER")
"""Environment variables with the pager's command; the first that is set counts, "" is none."""
_DEFAULT = "less"
_LESS = "FRX"
"""Options of less unless $LESS is set: end below a screen, show colours, leave the text there."""
_NONE = ("", "cat")


@contextmanager
def paged(console: Console, *, enabled: bool = True) -> Iterator[None]:
    """Collects what the console prints, and shows it in a pager if it is more than a screen.

    Without a terminal, without a pager or unless `enabled` it is printed as always.
    """
    command = pager_command() if enabled and is_output_terminal() else []
    if not command:
        yield
        return
    with console.pager(_ScreenPager(command), styles=True):
        yield


def pager_command() -> list[str]:
    """Returns the pager's command; empty if the user wants none, or if it is not installed."""
    named = next((os.environ[name] for name in VARIABLES if name in os.environ), _DEFAULT)
    try:
        words = shlex.split(named)
    except ValueError:
        return []
    if named.strip() in _NONE or not words or program_path(words[0]) is None:
        return []
    return words


class _ScreenPager(Pager):
    """Prints a text that fits the screen, and pipes a longer one into the command."""

    def __init__(self, command: list[str]) -> None:
        self._command = command

    def show(self, content: str) -> None:
        """Shows the text. Raises OSError."""
        if content.count("\n") < shutil.get_terminal_size().lines:
            standard_output().write(content)
            return
        standard_output().flush()
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            env=environment({} if "LESS" in os.environ else {"LESS": _LESS}),
            text=True,
            errors="replace",
        )
        # An interrupt is the pager's: it stops a search there.
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            with suppress(BrokenPipeError):  # the reader has seen enough
                process.communicate(content)
        finally:
            process.wait()
            signal.signal(signal.SIGINT, handler)
