# SPDX-License-Identifier: BSD-3-Clause
"""The signals that ask a process to end: ignored for a while, or held back over a fork.

Apart from osgap.base.processes, whose imports take too long for the start of every command.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

END_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals that ask a process to end."""


def ignore_end_signals() -> dict[signal.Signals, Any]:
    """Ignores END_SIGNALS, such as a second Ctrl-C. Returns the handlers that they had."""
    return {number: signal.signal(number, signal.SIG_IGN) for number in END_SIGNALS}


def raise_once(error: type[BaseException]) -> Callable[[int, object], None]:
    """Returns a handler that raises `error`, and ignores all later END_SIGNALS."""

    def handler(number: int, frame: object) -> None:
        ignore_end_signals()
        raise error

    return handler


def interrupt_once() -> None:
    """Lets the first of END_SIGNALS interrupt this process, and ignores all later ones.

    A signal that the process ignores already, as a shell's background job does SIGINT, stays
    ignored.
    """
    handler = raise_once(KeyboardInterrupt)
    for number in END_SIGNALS:
        if callable(signal.getsignal(number)):
            signal.signal(number, handler)


def set_handlers(handlers: Mapping[signal.Signals, Any]) -> None:
    """Sets the handler of each signal."""
    for number, handler in handlers.items():
        signal.signal(number, handler)


@contextmanager
def end_signals_held() -> Iterator[None]:
    """Holds END_SIGNALS back while a child is forked; the child calls `take_end_signals`.

    A child that is interrupted before its own code begins would run on as a second parent.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def take_end_signals() -> None:
    """Lets END_SIGNALS, which were held back when this process was forked, reach it."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS)
