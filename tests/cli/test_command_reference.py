# SPDX-License-Identifier: BSD-3-Clause
"""The page docs/reference/commands.md, from the parsers; test_docs.py says when it is stale."""

import pytest

from osgap.cli.command_reference import command_names, commands_page
from osgap.cli.main import SUBCOMMANDS, main


def test_every_subcommand_has_a_section_and_a_sentence() -> None:
    sections = [line.removeprefix("### osgap ") for line in commands_page().splitlines()]
    assert [name for name in SUBCOMMANDS if name not in sections] == []
    assert all(command_names().values())


def test_every_option_is_described() -> None:
    assert "|  |\n" not in commands_page()
    assert "==SUPPRESS==" not in commands_page()


def test_the_command_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "commands", "--format", "markdown"]) == 0
    assert capsys.readouterr().out == commands_page()
