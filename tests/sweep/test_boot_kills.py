# SPDX-License-Identifier: BSD-3-Clause
"""Commands killed outright while they boot a guest, or analyse and draw, at random moments."""

import shutil
import sys
from pathlib import Path

import pytest
from boot_kills import boot_kills, report_kills
from examples import rounds
from sweeping import command

from osgap.base.processes import osgap_command
from osgap.image.files import Image

FAKE_GEM5 = Path(__file__).parents[1] / "engines" / "fake_gem5"


@pytest.mark.long
@pytest.mark.parametrize("count", rounds(2, 6))
@pytest.mark.parametrize("words", [("analyze",), ("plot", "--figure", "scaling")])
def test_reports_cut_off_leave_no_torn_file_and_are_made_again(
    fake_run: Path, tmp_path: Path, words: tuple[str, ...], count: int
) -> None:
    run = tmp_path / "run"
    shutil.copytree(fake_run, run)
    commands = {name: [*osgap_command("osgap"), *name] for name in (("analyze",), words)}
    if words != ("analyze",):
        list(report_kills(lambda run: [*commands["analyze",], str(run)], tmp_path, 0))
        shutil.rmtree(run)
        (tmp_path / "undisturbed").rename(run)
    kills = list(report_kills(lambda run: [*commands[words], str(run)], tmp_path, count))
    assert len(kills) == count
    assert [kill for kill in kills if kill.torn or kill.left or not kill.same] == []


@pytest.mark.long
@pytest.mark.image
def test_a_boot_of_gem5_cut_off_leaves_no_checkpoint_and_is_made_again(
    image: Image, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "gem5"
    slow.write_text(
        f'#!/bin/sh\ncase "$*" in *--checkpoint*) sleep 1;; esac\n'
        f'exec "{sys.executable}" "{FAKE_GEM5}" "$@"\n'
    )
    slow.chmod(0o755)
    monkeypatch.setenv("GEM5", str(slow))
    axes = ("--cpu-mhz", "40", "--run", "ousterhout/getpid", "--image", str(image.directory))
    kills = list(boot_kills(lambda run: command(run, "--engine", "gem5", *axes), tmp_path, 3))
    assert [(kill.torn, kill.left, kill.same) for kill in kills] == 3 * [(0, 0, True)]


@pytest.mark.rvsim
@pytest.mark.long
def test_a_boot_of_rvsim_cut_off_leaves_no_checkpoint_and_is_made_again(
    image: Image, tmp_path: Path
) -> None:
    axes = ("--cpu-mhz", "160", "--run", "ousterhout/getpid", "--image", str(image.directory))
    sweep = (lambda run: command(run, "--engine", "rvsim", *axes), tmp_path)
    kills = list(boot_kills(*sweep, 4, within_s=30))  # a boot took 60 s
    assert [(kill.torn, kill.left, kill.same) for kill in kills] == 4 * [(0, 0, True)]
