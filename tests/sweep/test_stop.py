# SPDX-License-Identifier: BSD-3-Clause
"""Ending Snakemake: its workers are waited for, and it is not, as its handler may hang."""

import subprocess
import sys
import time
from pathlib import Path

from osgap.sweep.snakemake import _stop

DEAF = "import signal, time; signal.signal(15, signal.SIG_IGN)\n"
WORKER = """
def end(*_):
    time.sleep(1)
    open(sys.argv[2], "w").close()
    sys.exit()
signal.signal(15, end)
"""


def started(code: str, *words: str) -> subprocess.Popen[bytes]:
    """A process in a session of its own, after it has printed its first line."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words], stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout and process.stdout.readline()
    return process


def test_a_snakemake_that_hangs_is_killed(tmp_path: Path) -> None:
    process = started(DEAF + "print(flush=True); time.sleep(100)")
    began = time.monotonic()
    _stop(process, tmp_path, None)
    assert process.returncode == -9 and time.monotonic() - began < 20


def test_a_worker_may_write_its_record(tmp_path: Path) -> None:
    worker = f"import signal, sys, time{WORKER}print(flush=True); time.sleep(100)"
    words = ["osgap.points", str(tmp_path / "record")]
    child = f"subprocess.Popen([sys.executable, '-c', {worker!r}, *{words!r}]).wait()"
    process = started(f"import subprocess, sys\n{DEAF}{child}")
    _stop(process, tmp_path, None)
    assert process.returncode is not None and (tmp_path / "record").exists()
