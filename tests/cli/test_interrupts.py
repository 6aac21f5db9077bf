# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C at any time: a command ends, soon, with one sentence and no traceback."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from checkout import ROOT
from examples import rounds
from stderr import sentences
from sweeping import listening

_COMMANDS = {
    "list": ("list", "benchmarks"),
    "analyze": ("analyze", "{run}", "--output", "{new}"),
    "plot": ("plot", "{run}", "--figure", "times", "--output", "{new}"),
    "compare": ("compare", "{run}", "{run}", "--output", "{new}"),
}


def _start(words: list[str]) -> subprocess.Popen[str]:
    """A command that writes a dot once it is guarded: before, Python itself is still starting."""
    code = (
        "import os, runpy; from osgap.cli import guard; own = guard._run; "
        "guard._run = lambda body: (os.write(1, b'.'), own(body))[1]; "
        "runpy.run_module('osgap', run_name='__main__')"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=listening,
    )


def _interrupt(words: list[str], delay_s: float) -> tuple[int, str]:
    """Status and standard error of a command that gets SIGINT after `delay_s`."""
    with _start(words) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        time.sleep(delay_s)
        process.send_signal(signal.SIGINT)
        try:
            _, err = process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return process.returncode, err


_LEVELS = {"compare": pytest.mark.long, "plot": pytest.mark.long}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=_LEVELS.get(name, pytest.mark.slow)) for name in _COMMANDS]
)
@pytest.mark.parametrize("count", rounds(3, 6))
def test_an_interrupt_at_a_random_time_is_a_sentence(
    name: str, count: int, drawable: Path, tmp_path: Path
) -> None:
    seed = random.randrange(10**6)
    dice = random.Random(seed)
    words = [word.format(run=drawable, new=tmp_path / "new") for word in _COMMANDS[name]]
    with _start(words) as process:
        began = time.monotonic()
        process.communicate()
    whole_s = time.monotonic() - began
    for round_ in range(count):
        delay_s = dice.uniform(0, 0.02) if round_ < count // 3 else dice.uniform(0, whole_s)
        status, err = _interrupt(words, delay_s)
        told = f"seed {seed}, after {delay_s:.4f} s of {whole_s:.2f}: status {status}: {err}"
        assert "Traceback" not in err and "Exception ignored" not in err, told
        assert status in (0, 2) and len(sentences(err)) == (status == 2), told
        assert status == 0 or "interrupted" in err, told


def test_an_interrupt_that_a_library_makes_another_error_of_is_a_sentence() -> None:
    code = (
        "import os, signal\n"
        "from osgap.cli import guard\n"
        "def body():\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    except KeyboardInterrupt:\n"
        "        pass\n"
        "    raise ValueError('Invalid affine transformation matrix')\n"
        "guard.set_up_process()\n"
        "guard.exit_process(guard.guarded('osgap', body))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=listening,
    )
    assert (ended.returncode, ended.stderr) == (2, "osgap: interrupted\n")
