# SPDX-License-Identifier: BSD-3-Clause
"""What the prose says can be done: its commands are osgap's, its links lead somewhere."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from osgap.base.paths import project_root
from osgap.cli.catalogue import machines, sweeps, variants
from osgap.cli.main import main, parser

ROOT = project_root()
PROSE = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("docs/*/*.md"),
        *ROOT.glob("*/README.md"),
        *ROOT.glob("configs/*/README.md"),
    ]
)
_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_GONE = (
    "scripts/compare",
    "scripts/kennaway",
    "scripts/paper",
    "scripts/replay",
    "scripts/bench",
    "scripts/calibrate",
    "scripts/lock",
    "scripts/ministat",
    "scripts/variants",
)


def _commands() -> Iterator[tuple[str, list[str]]]:
    """(file, words after `osgap`) of every command line in a block of shell."""
    for path in PROSE:
        for block in _BLOCK.findall(path.read_text(encoding="utf-8")):
            for line in block.replace("\\\n", "").splitlines():
                for command in line.split("&&"):
                    words = shlex.split(command, comments=True)
                    if words and Path(words[0]).name == "osgap":
                        yield path.name, words[1:]


COMMANDS = list(_commands())


def test_there_are_commands() -> None:
    shown = {words[0] for _, words in COMMANDS}
    assert {"sweep", "analyze", "plot", "compare", "paper", "status", "resume", "retry"} <= shown


@pytest.mark.parametrize(("where", "words"), COMMANDS, ids=lambda value: str(value)[:60])
def test_each_command_is_one_of_osgaps(where: str, words: list[str]) -> None:
    args = parser().parse_args(words)
    known = {"sweep": sweeps(), "machine": machines(), "variant": variants()}
    for option, names in known.items():
        given = getattr(args, option, None) or []
        for name in [given] if isinstance(given, str) else given:
            assert name in names or Path(name).suffix == ".toml", f"{where}: {name}"


@pytest.mark.parametrize("path", PROSE, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in _LINK.findall(path.read_text(encoding="utf-8")):
        file, _, anchor = target.partition("#")
        if "://" in file:
            continue
        found = (path.parent / file).resolve() if file else path
        assert found.exists(), target
        if anchor and found.suffix == ".md":
            assert anchor in _anchors(found), target


def _anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", PROSE, ids=lambda path: path.name)
def test_no_script_that_is_gone_is_named(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.name != "CHANGELOG.md":
        assert [name for name in _GONE if name in text] == []


@pytest.mark.slow
def test_the_committed_run_is_analysed_as_the_readme_says(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (words,) = [w for _, w in COMMANDS if w[:2] == ["analyze", "results/locked/default"]][:1]
    run = ROOT / "results" / "locked" / "default"
    assert main(["analyze", str(run), *words[2:]]) == 0
    assert "640 MHz" in capsys.readouterr().out
