# SPDX-License-Identifier: BSD-3-Clause
"""Each subcommand meets faults of its surroundings with one sentence, or none at all."""

import os
import shutil
from pathlib import Path

import pytest
from faults import COMMANDS, OTHER_NAMES, STREAMS, make_checkout, make_space, meet
from shared import Once

from osgap.cli.main import SUBCOMMANDS

# Of the whole crossing: each fault once, each command that does something at least once.
_CHOSEN = (
    "list",
    "lock",
    "completion",
    "ministat",
    "plot",
    "analyze",
    "calibrate",
    "status",
    "sweep",
    "show",
    "variants",
    "resume",
)
_SOME = set(zip(STREAMS, _CHOSEN, strict=True))
_PARTICULAR = ("a locale of ASCII", "no home", "no room for files", "a deleted working directory")
"""Each command has code of its own for these faults; those of standard streams meet shared code."""


def _is_met(fault: str, command: str) -> bool:
    """Each command meets a third of the shared faults: its neighbours meet the other two thirds."""
    if fault in _PARTICULAR or (fault, command) in _SOME:
        return True
    return (list(STREAMS).index(fault) + list(COMMANDS).index(command)) % 3 == 0


_EACH = [
    pytest.param(
        fault,
        command,
        marks=pytest.mark.slow if (fault, command) in _SOME else pytest.mark.long,
    )
    for fault in STREAMS
    for command in COMMANDS
    if _is_met(fault, command)
]


def test_every_subcommand_has_a_row() -> None:
    assert set(COMMANDS) == set(SUBCOMMANDS)


def test_each_command_meets_both_kinds_of_faults_and_each_fault_a_third_of_them() -> None:
    met = [param.values for param in _EACH]
    for command in COMMANDS:
        faults = {fault for fault, other in met if other == command}
        assert faults > set(_PARTICULAR) and len(faults) >= 6, command
    for fault in STREAMS:
        assert len([other for found, other in met if found == fault]) >= len(COMMANDS) // 3, fault


@pytest.fixture
def checkout(once: Once, tmp_path: Path) -> Path:
    """Links to a copy that is made once: commands write new files, and change none in its place."""
    template = once.made("fault-checkout", make_checkout)
    return Path(shutil.copytree(template, tmp_path / "checkout", copy_function=os.link))


@pytest.mark.parametrize(("fault", "command"), _EACH)
def test_a_command_meets_a_fault(
    command: str, fault: str, fake_run: Path, drawable: Path, checkout: Path, tmp_path: Path
) -> None:
    space = make_space(tmp_path / OTHER_NAMES, fake_run, drawable, checkout)
    meet(STREAMS[fault], command, space, tmp_path).check(STREAMS[fault], command)
