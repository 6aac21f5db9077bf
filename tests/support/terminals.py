# SPDX-License-Identifier: BSD-3-Clause
"""Runs `osgap` on a real pseudo terminal, in a fork of this process."""

import os
import pty
import re
import tempfile
import termios

from forks import command, start, wait

from osgap.base.paths import project_root


def on_terminal(*words: str, lines: int = 24, columns: int = 80, **variables: str) -> str:
    """The text that `osgap` with these words writes to a terminal, without styles."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (lines, columns))
    changes = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **variables}

    def body() -> None:
        for name in {"COLUMNS", "LINES"} - changes.keys():
            os.environ.pop(name, None)
        os.chdir(project_root())
        command(*words)()

    with tempfile.TemporaryFile() as errors:
        process = start(body, changes, (slave, slave, errors.fileno()))
        os.close(slave)
        written = _read_all(master)
        os.close(master)
        status = wait(process)
        errors.seek(0)
        assert status == 0, errors.read().decode()
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r", "", written.decode())


def _read_all(master: int) -> bytes:
    pieces: list[bytes] = []
    while True:
        try:
            piece = os.read(master, 1 << 16)
        except OSError:  # the other end is closed
            return b"".join(pieces)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
