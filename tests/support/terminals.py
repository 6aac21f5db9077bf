# SPDX-License-Identifier: BSD-3-Clause
"""Runs `osgap` on a real pseudo terminal."""

import os
import pty
import re
import subprocess
import termios

from osgap.base.paths import project_root
from osgap.base.processes import osgap_command


def on_terminal(*words: str, lines: int = 24, columns: int = 80, **variables: str) -> str:
    """The text that `osgap` with these words writes to a terminal, without styles."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (lines, columns))
    changes = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **variables}
    sizes = ("COLUMNS", "LINES")
    environment = {name: value for name, value in os.environ.items() if name not in sizes}
    with subprocess.Popen(
        osgap_command("osgap", *words),
        stdin=slave,
        stdout=slave,
        stderr=subprocess.PIPE,
        env={**environment, **changes},
        cwd=project_root(),
    ) as process:
        os.close(slave)
        written = _read_all(master)
        os.close(master)
        errors = process.communicate(timeout=120)[1].decode()
    assert process.returncode == 0, errors
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
