# SPDX-License-Identifier: BSD-3-Clause
"""Guards every command: reports a failure in one sentence, and cleans up after a signal.

Imports the standard library only, because other packages may be missing.
"""

from __future__ import annotations

import errno
import logging
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from osgap.base import output
from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.base.signals import ignore_end_signals, set_handlers

FAILED = 2
INTERRUPTED = "interrupted"
_AGAIN_S = 0.01


def guarded(
    name: str,
    body: Callable[[], int],
    interrupted: str = INTERRUPTED,
    words: Iterable[str] = (),
) -> int:
    """Runs `body`; its exit status, or FAILED after a sentence that begins with `name`.

    Paths in the sentence are as in the `words` of the command.

    SIGTERM and SIGHUP make a command clean up as Ctrl-C does. If the reader of its output has gone
    (as with `| head`), it ends with status 1 and no message.
    """
    try:
        return _run(body)
    except BrokenPipeError as error:
        if error.filename == output.OUTPUT:
            return 1
        sentence = _system_sentence(error)
    except BaseException as error:
        text = interrupted if _interrupted(error) else _sentence(error)
        if text is None:
            raise
        sentence = text
    with _signals_ignored():
        with suppress(OSError):  # the sentence reports this failure, or a worse one
            output.flush()
        output.print_error(f"{name}: {output.from_here(sentence, words)}")
    return FAILED


def set_up_process() -> None:
    """Sets up a process that runs only this command: loses no interrupt, prints warnings as lines.

    An interrupt that Python cannot raise, as in a callback of its garbage collector, is repeated.
    One that a compiled library turns into another error, as matplotlib does, is remembered.
    """
    warnings.showwarning = _warn
    logging.disable()  # libraries would log to standard error, for example about their caches
    os.environ["MPLBACKEND"] = "agg"  # figures are files, and need no screen
    default_hook = sys.unraisablehook

    def again(failure: sys.UnraisableHookArgs) -> None:
        if failure.exc_type is KeyboardInterrupt:
            signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)
        else:
            default_hook(failure)

    sys.unraisablehook = again
    handler = _InterruptHandler()
    for number in (signal.SIGINT, signal.SIGALRM):
        if signal.getsignal(number) is not signal.SIG_IGN:  # ignored in a shell's background job
            signal.signal(number, handler)


class _InterruptHandler:
    """A signal handler that raises KeyboardInterrupt, and remembers that it did."""

    def __init__(self) -> None:
        self.interrupted = False

    def __call__(self, *_signal: object) -> NoReturn:
        self.interrupted = True
        raise KeyboardInterrupt


def _interrupted(error: BaseException) -> bool:
    if isinstance(error, KeyboardInterrupt):
        return True
    handler = signal.getsignal(signal.SIGINT)
    interrupted = isinstance(handler, _InterruptHandler) and handler.interrupted
    return interrupted and isinstance(error, Exception)


def _warn(message: Warning | str, *_where: object, **_more: object) -> None:
    output.print_error(f"osgap: warning: {message}")


def ignore_signals() -> None:
    """Ignores all signals that interrupt: the process is about to end."""
    ignore_end_signals()
    signal.signal(signal.SIGALRM, signal.SIG_IGN)


def exit_process(status: int) -> NoReturn:
    """Ends the process.

    After a failure it skips Python's finalization, which aborts if an interrupt came while numpy
    was being loaded. `guarded` has flushed all output.
    """
    if status == FAILED:
        os._exit(status)
    sys.exit(status)


def _run(body: Callable[[], int]) -> int:
    output.hold_numbers()
    _handle_signals()
    # Check standard output now, not after a sweep of hours.
    output.standard_output()
    try:
        return body()
    finally:
        output.flush()


def _handle_signals() -> None:
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # ignored under nohup
            signal.signal(number, _termination_handler())


def _termination_handler() -> _InterruptHandler | Callable[[int, FrameType | None], None]:
    handler = signal.getsignal(signal.SIGINT)
    return handler if isinstance(handler, _InterruptHandler) else signal.default_int_handler


@contextmanager
def _signals_ignored() -> Iterator[None]:
    """Ignores signals, such as a second Ctrl-C."""
    before = ignore_end_signals()
    try:
        yield
    finally:
        set_handlers(before)


def _sentence(error: BaseException) -> str | None:
    """A sentence for the user; None for a defect of osgap and for a regular exit."""
    if isinstance(error, OsgapError):
        return str(error)
    if isinstance(error, OSError):
        return _system_sentence(error)
    cause = error.__context__
    if (
        isinstance(error, RuntimeError)
        and isinstance(cause, OSError)
        and cause.errno == errno.ELOOP
    ):
        return _system_sentence(cause)  # pathlib's error for a loop of links
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    if isinstance(error, ModuleNotFoundError):
        return _package_sentence(error)
    if isinstance(error, UnicodeEncodeError) and error.encoding == sys.getfilesystemencoding():
        return (
            f"{quoted(error.object)}: cannot be the name of a file in this locale, whose "
            f"characters are {error.encoding}; try LC_ALL=C.UTF-8"
        )
    return None


def _system_sentence(error: OSError) -> str:
    if error.filename is None and error.errno == errno.ENOENT and not _has_working_directory():
        return "the working directory no longer exists"
    return f"{_name(error.filename)}: {error.strerror or error}"


def _name(file: object) -> str:
    return os.fsdecode(file) if isinstance(file, (str, bytes)) else "a file"


def _has_working_directory() -> bool:
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def _package_sentence(error: ModuleNotFoundError) -> str | None:
    if not error.name or error.name.partition(".")[0] == "osgap":
        return None
    return f"the Python package {error.name} is not installed here"
