# SPDX-License-Identifier: BSD-3-Clause
"""A pager shows more than a screen on a terminal, and nothing else."""

import subprocess
from pathlib import Path

import pytest
from terminals import on_terminal

from osgap.base import pager
from osgap.base.processes import osgap_command

LONG, SHORT = ("list", "tables"), ("list", "engines")


def test_more_than_a_screen_goes_through_the_pager(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    text = on_terminal(*LONG, OSGAP_PAGER=f"tee {copy}", PAGER="false")
    assert text.count("\n") > 24 and "fastest" in text
    assert copy.read_text().count("\n") == text.count("\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "variables"),
    [
        (SHORT, {"OSGAP_PAGER": "false"}),
        (("--no-pager", *LONG), {"OSGAP_PAGER": "false"}),
        ((*LONG, "--no-pager"), {"PAGER": "false"}),
        (LONG, {"OSGAP_PAGER": "cat", "PAGER": "false"}),
        (LONG, {"PAGER": ""}),
        (LONG, {"OSGAP_PAGER": "a pager that is not here"}),
    ],
)
def test_it_is_printed_without_a_pager(words: tuple[str, ...], variables: dict[str, str]) -> None:
    text = on_terminal(*words, **variables)
    assert {"rvsim" if words == SHORT else "fastest"} <= set(text.split())


@pytest.mark.slow
def test_a_file_gets_no_pager() -> None:
    done = subprocess.run(
        osgap_command("osgap", *LONG),
        env={"OSGAP_PAGER": "false", "PATH": "/usr/bin:/bin", "HOME": "/tmp"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert done.stdout.count("\n") > 24


@pytest.mark.parametrize(
    ("variables", "command"),
    [
        ({"PAGER": "sh -c x"}, ["sh", "-c", "x"]),
        ({"OSGAP_PAGER": "sh", "PAGER": "cat"}, ["sh"]),
        ({"OSGAP_PAGER": "cat", "PAGER": "sh"}, []),
        ({"PAGER": "'"}, []),
    ],
)
def test_the_command_is_the_users(
    variables: dict[str, str], command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in pager.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert pager.pager_command() == command
