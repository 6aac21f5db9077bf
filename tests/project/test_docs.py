# SPDX-License-Identifier: BSD-3-Clause
"""What the prose says can be done: its commands are osgap's, its links lead somewhere."""

import argparse
import re
import shlex
import shutil
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from osgap import engines
from osgap.base.paths import project_root
from osgap.cli.catalogue import machines, reference_pages, sweeps, variants
from osgap.cli.main import main, parser
from osgap.machines.machine import load_machine
from osgap.machines.system import system

ROOT = project_root()
PROSE = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("*/README.md"),
        *ROOT.glob("configs/*/README.md"),
    ]
)
_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(?:\.venv/bin/)?osgap ([a-z][^`]*)`")
_WRITTEN = re.compile(r"cat > configs/(machine|sweep)s/([\w-]+)\.toml")
_PAGE = re.compile(r"\bdocs/[\w/-]+\.(?:md|ipynb)")
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
                        redirected = words.index(">") if ">" in words else None
                        yield path.name, words[1:redirected]


COMMANDS = list(_commands())


def test_there_are_commands() -> None:
    shown = {words[0] for _, words in COMMANDS}
    assert {"sweep", "analyze", "plot", "compare", "paper", "status", "resume", "retry"} <= shown


@pytest.mark.parametrize("where", sorted({where for where, _ in COMMANDS}))
def test_each_command_is_one_of_osgaps(where: str) -> None:
    text = next(path for path in PROSE if path.name == where).read_text(encoding="utf-8")
    written = _WRITTEN.findall(text)
    for words in (words for page, words in COMMANDS if page == where):
        args = _parser().parse_args(words)
        for option, names in _known().items():
            given = getattr(args, option, None) or []
            for name in [given] if isinstance(given, str) else given:
                is_file = Path(name).suffix == ".toml"
                assert is_file or name in names or (option, name) in written, f"{where}: {name}"


@pytest.mark.parametrize("path", PROSE, ids=lambda path: path.name)
def test_each_command_in_a_sentence_is_one_of_osgaps(path: Path) -> None:
    subcommands = _subparsers()
    for text in _INLINE.findall(path.read_text(encoding="utf-8")):
        name, *words = text.split()
        assert name in subcommands or path.name == "CHANGELOG.md", text
        if name in subcommands:
            options = subcommands[name]._option_string_actions
            unknown = [word for word in words if re.match("--[a-z]", word) and word not in options]
            assert unknown == [], text


@pytest.mark.parametrize("folder", ["osgap", "tests", "tools", "scripts", "configs"])
def test_each_page_that_code_names_is_there(folder: str) -> None:
    for path in sorted((ROOT / folder).rglob("*")):
        if path.is_file() and path.suffix in (".py", ".sh", ".toml", ".md", ""):
            for page in _PAGE.findall(path.read_text(encoding="utf-8")):
                assert (ROOT / page).is_file(), f"{path.relative_to(ROOT)}: {page}"


def _scripts() -> Iterator[tuple[str, str, list[str]]]:
    """(file, script, its words) of every line of a block of shell that starts a script."""
    for path in PROSE:
        for block in _BLOCK.findall(path.read_text(encoding="utf-8")):
            for line in block.splitlines():
                words = shlex.split(line, comments=True) if line.startswith("scripts/") else []
                if words:
                    yield path.name, words[0], words[1:]


def test_each_script_is_there_and_has_the_options() -> None:
    scripts = list(_scripts())
    assert {"scripts/native", "scripts/study", "scripts/test"} <= {name for _, name, _ in scripts}
    for where, name, words in scripts:
        text = (ROOT / name).read_text(encoding="utf-8")
        options = [word for word in words if word.startswith("--")]
        assert [word for word in options if word not in text] == [], where


def test_the_machine_of_the_quick_start_can_be_simulated(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "tutorial" / "quickstart.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"<<'END'\n(.*?)^END", page, re.MULTILINE | re.DOTALL)
    shutil.copy(ROOT / "configs" / "machines" / "base.toml", tmp_path)
    (tmp_path / "mine.toml").write_text(text)
    machine = load_machine(tmp_path / "mine.toml")
    for clock in (20, 320):
        engines.load("rvsim").check(system(machine, clock))


@pytest.mark.parametrize(
    ("kind", "page"),
    [
        ("commands", "commands.md"),
        ("machine-keys", "machine-files.md"),
        ("sweep-keys", "sweep-files.md"),
        ("variant-keys", "variants.md"),
        ("tables", "tables.md"),
    ],
)
def test_each_page_of_reference_is_up_to_date(kind: str, page: str) -> None:
    text = reference_pages()[kind]()
    command = f"osgap list {kind} --format markdown > docs/reference/{page}"
    written = (ROOT / "docs" / "reference" / page).read_text(encoding="utf-8")
    assert written == text, f"write the page again: {command}"
    assert f"`{command}`" in text


def test_each_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    links = {target.partition("#")[0] for target in _LINK.findall(index)}
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/*/*.md")}
    assert pages - links == set()


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


@cache
def _parser() -> argparse.ArgumentParser:
    return parser()


@cache
def _known() -> Mapping[str, Collection[str]]:
    """Returns the names that the checkout has for each option."""
    return {"sweep": sweeps(), "machine": machines(), "variant": variants()}


@cache
def _subparsers() -> Mapping[str, argparse.ArgumentParser]:
    """The parser of each subcommand."""
    actions = _parser()._actions
    (subparsers,) = [a for a in actions if isinstance(a, argparse._SubParsersAction)]
    return subparsers.choices


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
    (words,) = [w for _, w in COMMANDS if w[:2] == ["analyze", "results/locked/curve/default"]][:1]
    run = ROOT / "results" / "locked" / "curve/default"
    assert main(["analyze", str(run), *words[2:]]) == 0
    assert "640 MHz" in capsys.readouterr().out
