# SPDX-License-Identifier: BSD-3-Clause
"""Commands run in a fork of this process, which has imported their modules already.

A fork ends, is killed and leaves files as a process of its own does. Its Python does not start
anew: what a variable tells an interpreter, or an import does, needs a real process. The Snakemake
of a sweep in a fork is a fork too, of a process that has imported Snakemake and never run it.
"""

import os
import select
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, NoReturn

from osgap.cli.main import entry
from osgap.sweep import snakemake
from osgap.sweep.local_snakemake import load_main

TIMEOUT_S = 120.0
Body = Callable[[], object]
_SWEEPING = ("sweep", "resume", "retry", "replay", "study")
_LOCAL = "osgap.sweep.local_snakemake"


def osgap(
    *words: str, folder: Path | None = None, timeout: float = TIMEOUT_S, **environment: str
) -> subprocess.CompletedProcess[str]:
    """`osgap WORDS...` as a user starts it in `folder`: its status, what it printed, its files."""

    run = command(*words)

    def in_folder() -> None:
        if folder:
            os.chdir(folder)
        run()

    return forked(in_folder, environment, timeout)


def command(*words: str) -> Body:
    """Returns the body of a fork that runs `osgap WORDS...`."""
    if words[0] in _SWEEPING:
        load_main()  # Snakemake is imported once, before the forks

    def run() -> None:
        # Of this fork's copy of the module.
        snakemake.subprocess = SimpleNamespace(  # type: ignore[assignment]
            Popen=_popen, DEVNULL=subprocess.DEVNULL
        )
        sys.argv[:] = ["osgap", *words]
        entry()

    return run


def _popen(arguments: list[str], **options: Any) -> Any:
    """Starts what osgap.sweep.snakemake does: Snakemake for this machine is a fork."""
    if _LOCAL not in arguments:
        return subprocess.Popen(arguments, **options)
    return _Snakemake(arguments[arguments.index(_LOCAL) + 1 :], **options)


class _Snakemake:
    """A fork that is Snakemake, with what osgap uses of a subprocess.Popen."""

    def __init__(
        self,
        words: Sequence[str],
        stdout: IO[bytes],
        env: Mapping[str, str],
        preexec_fn: Callable[[], object],
        **_: object,
    ) -> None:
        def run() -> None:
            os.setsid()
            preexec_fn()
            os.environ.clear()
            os.environ.update(env)
            sys.argv[:] = ["snakemake", *words]
            load_main()()

        with open(os.devnull, "rb") as nothing:
            self.pid = start(run, {}, (nothing.fileno(), stdout.fileno(), stdout.fileno()))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._wait(os.WNOHANG)

    def wait(self) -> int | None:
        return self._wait(0)

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _wait(self, options: int) -> int | None:
        if self.returncode is None:
            process, status = os.waitpid(self.pid, options)
            if process:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


def forked(
    body: Body, environment: Mapping[str, str] | None = None, timeout: float = TIMEOUT_S
) -> subprocess.CompletedProcess[str]:
    """Runs `body` in a fork with further variables; its status and what it printed."""
    with (
        open(os.devnull, "rb") as nothing,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        process = start(body, environment or {}, (nothing.fileno(), out.fileno(), err.fileno()))
        status = wait(process, timeout)
        printed = [_text(stream) for stream in (out, err)]
    return subprocess.CompletedProcess(["fork"], status, *printed)


def start(body: Body, environment: Mapping[str, str], streams: tuple[int, int, int]) -> int:
    """Begins `body` in a fork with these standard streams; the number of its process."""
    process = os.fork()
    if process == 0:
        _become(body, environment, streams)
    return process


def wait(process: int, timeout: float = TIMEOUT_S) -> int:
    """The status, negative after a signal. Raises TimeoutExpired, and has killed it then."""
    handle = os.pidfd_open(process)
    try:
        if not select.select([handle], [], [], timeout)[0]:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            raise subprocess.TimeoutExpired("fork", timeout)
    finally:
        os.close(handle)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _become(body: Body, environment: Mapping[str, str], streams: tuple[int, int, int]) -> NoReturn:
    """The fork: never returns into the test, whatever happens."""
    status = 1
    try:
        _settle(environment, streams)
        body()
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _settle(environment: Mapping[str, str], streams: tuple[int, int, int]) -> None:
    """Streams, signals and variables as a shell gives them to a process."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    sys.stdin = os.fdopen(0, "r", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", closefd=False)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.update(environment)


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode()
