# SPDX-License-Identifier: BSD-3-Clause
"""Every subcommand meets every fault of its surroundings with one sentence, or none at all."""

from pathlib import Path

import pytest
from faults import COMMANDS, OTHER_NAMES, STREAMS, make_space, meet

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
    "compare",
    "variants",
    "resume",
)
_SOME = set(zip(STREAMS, _CHOSEN, strict=True))
_EACH = [
    pytest.param(
        fault,
        command,
        marks=pytest.mark.slow if (fault, command) in _SOME else pytest.mark.long,
    )
    for fault in STREAMS
    for command in COMMANDS
]


def test_every_subcommand_has_a_row() -> None:
    assert set(COMMANDS) == set(SUBCOMMANDS)


@pytest.mark.parametrize(("fault", "command"), _EACH)
def test_a_command_meets_a_fault(
    command: str, fault: str, fake_run: Path, drawable: Path, tmp_path: Path
) -> None:
    space = make_space(tmp_path / OTHER_NAMES, fake_run, drawable)
    meet(STREAMS[fault], command, space, tmp_path).check(STREAMS[fault], command)
