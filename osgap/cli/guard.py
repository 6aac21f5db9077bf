# SPDX-License-Identifier: BSD-3-Clause
"""What every command shares: failures as one sentence, and signals that let it clean up.

Standard library only: this runs before anything that may be missing or slow is imported.
"""

from __future__ import annotations

import errno
import logging
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from osgap.base import output
from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted

FAILED = 2
INTERRUPTED = "interrupted"
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_AGAIN_S = 0.01


def guarded(name: str, body: Callable[[], int], interrupted: str = INTERRUPTED) -> int:
    """The exit status of `body`; FAILED and one sentence, which `name` begins, when it fails.

    Ended by its terminal or by kill, a command cleans up as it does after Ctrl-C. A reader of its
    output that has gone (as `| head` does) ends it without a word.
    """
    try:
        return _run(body)
    except BrokenPipeError as error:
        if error.filename == output.OUTPUT:
            return 1
        sentence = _of_system(error)
    except BaseException as error:
        told = interrupted if _interrupted(error) else _sentence(error)
        if told is None:
            raise
        sentence = told
    with _undisturbed():
        with suppress(OSError):  # it is what failed, or the sentence says more
            output.flush()
        output.print_error(f"{name}: {sentence}")
    return FAILED


def own_process() -> None:
    """For a process that is this command's alone: an interrupt is never lost, a warning is a line.

    Where Python cannot raise it, as in a callback of its garbage collector, it comes again. Where
    a compiled library makes another error of it, as matplotlib's paths do, it is still known.
    """
    warnings.showwarning = _warn
    logging.disable()  # osgap logs nothing; libraries would, on standard error, of their caches
    os.environ["MPLBACKEND"] = "agg"  # figures are files: a user's screen is no matter
    untold = sys.unraisablehook

    def again(failure: sys.UnraisableHookArgs) -> None:
        if failure.exc_type is KeyboardInterrupt:
            signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)
        else:
            untold(failure)

    sys.unraisablehook = again
    heard = _Heard()
    for number in (signal.SIGINT, signal.SIGALRM):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as of a shell's background job
            signal.signal(number, heard)


class _Heard:
    """A handler that raises the interrupt, and knows that it came."""

    def __init__(self) -> None:
        self.came = False

    def __call__(self, *_signal: object) -> NoReturn:
        self.came = True
        raise KeyboardInterrupt


def _interrupted(error: BaseException) -> bool:
    if isinstance(error, KeyboardInterrupt):
        return True
    heard = signal.getsignal(signal.SIGINT)
    return isinstance(heard, _Heard) and heard.came and isinstance(error, Exception)


def _warn(message: Warning | str, *_where: object, **_more: object) -> None:
    output.print_error(f"osgap: warning: {message}")


def deafen() -> None:
    """Nothing interrupts the process any more: all that is left is its end."""
    for number in (*_SIGNALS, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)


def leave(status: int) -> NoReturn:
    """Ends the process.

    After a failure without Python's own end: that aborts where an interrupt has come while numpy
    was being loaded. `guarded` has written all there was to write.
    """
    if status == FAILED:
        os._exit(status)
    sys.exit(status)


def _run(body: Callable[[], int]) -> int:
    output.hold_numbers()
    _heed_signals()
    # Else a long sweep would end before it is known that nobody can be told of it.
    output.standard_output()
    try:
        return body()
    finally:
        output.flush()


def _heed_signals() -> None:
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, _interrupter())


def _interrupter() -> _Heard | Callable[[int, FrameType | None], None]:
    heard = signal.getsignal(signal.SIGINT)
    return heard if isinstance(heard, _Heard) else signal.default_int_handler


@contextmanager
def _undisturbed() -> Iterator[None]:
    """A second Ctrl-C changes nothing."""
    before = {number: signal.signal(number, signal.SIG_IGN) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _sentence(error: BaseException) -> str | None:
    """What a user can act on; None for a defect, and for an end that is none."""
    if isinstance(error, OsgapError):
        return str(error)
    if isinstance(error, OSError):
        return _of_system(error)
    cause = error.__context__
    if (
        isinstance(error, RuntimeError)
        and isinstance(cause, OSError)
        and cause.errno == errno.ELOOP
    ):
        return _of_system(cause)  # as pathlib has it, of links in a circle
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    if isinstance(error, ModuleNotFoundError):
        return _of_package(error)
    if isinstance(error, UnicodeEncodeError) and error.encoding == sys.getfilesystemencoding():
        return (
            f"{quoted(error.object)}: cannot be the name of a file in this locale, whose "
            f"characters are {error.encoding}; try LC_ALL=C.UTF-8"
        )
    return None


def _of_system(error: OSError) -> str:
    if error.filename is None and error.errno == errno.ENOENT and not _is_somewhere():
        return "the working directory is not there any more"
    return f"{_name(error.filename)}: {error.strerror or error}"


def _name(file: object) -> str:
    return os.fsdecode(file) if isinstance(file, (str, bytes)) else "a file"


def _is_somewhere() -> bool:
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def _of_package(error: ModuleNotFoundError) -> str | None:
    if not error.name or error.name.partition(".")[0] == "osgap":
        return None
    return f"the Python package {error.name} is not installed here"
