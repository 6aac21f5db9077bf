# SPDX-License-Identifier: BSD-3-Clause
"""The command `osgap`: its tree, its help, its one way to fail, and its doors."""

import builtins
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from osgap import __version__
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.base.suggestions import unknown
from osgap.cli import guard
from osgap.cli.main import GROUPS, SUBCOMMANDS, main, parser

ROOT = project_root()
DOORS = ("sweep", "analyze", "plot")


def osgap(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "osgap", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )


def test_every_module_of_a_subcommand_is_in_the_tree_and_the_other_way_round() -> None:
    helpers = {
        "__init__",
        "resuming",
        "catalogue",
        "script_entry",
        "command_reference",
        "guard",
        "main",
        "number_types",
        "option_errors",
        "options",
        "parsing",
        "statistics",
    }
    modules = {path.stem for path in (ROOT / "osgap" / "cli").glob("*.py")}
    assert modules - helpers == {name.replace("-", "_") for name in SUBCOMMANDS}


def test_help_names_every_subcommand() -> None:
    done = osgap("--help", COLUMNS="80")
    assert done.returncode == 0 and done.stderr == ""
    for name in SUBCOMMANDS:
        assert re.search(rf"^    {name}\b", done.stdout, re.MULTILINE), name
    assert osgap(COLUMNS="80").stdout == done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    for heading, names in GROUPS.items():
        assert f"\n  {heading}:\n    {next(iter(names))}" in done.stdout


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_each_has_help_of_its_own(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        parser().parse_args([name, "--help"])
    text = capsys.readouterr().out
    assert ended.value.code == 0 and text.startswith(f"usage: osgap {name}")
    assert max(map(len, text.splitlines())) <= 80


def test_the_version_has_one_source() -> None:
    assert osgap("--version").stdout == f"osgap {__version__}\n"
    assert 'attr = "osgap.base.version.VERSION"' in (ROOT / "pyproject.toml").read_text()
    assert f"version: {__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## [{__version__}]" in (ROOT / "CHANGELOG.md").read_text()


def test_help_needs_no_pandas() -> None:
    """Options are shown at once: what takes a second to import waits until it is used."""
    code = (
        "import sys; from osgap.cli.main import parser; parser();"
        "print(*sorted({'pandas', 'matplotlib', 'scipy', 'pydantic', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    assert done.stdout.strip() == "" and done.returncode == 0, done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_knows_the_subcommands(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in SUBCOMMANDS)


def test_completion_is_a_script_that_bash_reads() -> None:
    script = osgap("completion", "bash").stdout
    done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("analyze",), "give either RUN or --stats DIR"),
        (("analyze", "nowhere"), "nowhere"),
        (("plot", "nowhere", "--figure", "scalling"), "did you mean scaling?"),
        (("status", "nowhere"), "nowhere"),
        (("resume", "nowhere"), "nowhere"),
        (("retry", "nowhere", "--failed", "tired"), "found 'tired'; allowed: timed-out"),
        (("replay", "nowhere"), "nowhere"),
        (("lock", "nowhere"), "nowhere"),
        (("compare", "nowhere", "there"), "nowhere"),
        (("paper", "rvsim=nowhere"), "nowhere"),
        (("paper", "--table", "skil"), "--table: found 'skil'; did you mean skill? allowed: p"),
        (("paper", "--skill", "--table", "cells", "--format", "csv"), "found 2 tables"),
        (("kennaway", "nowhere"), "nowhere"),
        (("board", "d1", "nowhere"), "nowhere"),
        (("board", "d3"), "board: found 'd3'; allowed: visionfive2, p550, d1, or all"),
        (("suite",), "found none; allowed: ousterhout, hohmuth, raveling, kennaway, boards"),
        (("suite", "hohmut"), "did you mean hohmuth?"),
        (("suite", "hohmuth"), "give a RUN"),
        (("suite", "raveling", "nowhere"), "nowhere"),
        (("suite", "ousterhout", "--table", "skil"), "--table: found 'skil'"),
        (("calibrate", "paper/DS310"), "paper/DS3100"),
        (("ministat", "nowhere"), "nowhere: No such file or directory"),
        (("sweep", "--sweep", "qick"), "did you mean quick?"),
        (("sweep", "--machine", "DS3100"), "did you mean paper/DS3100"),
        (("sweep", "--engine", "rvsimm"), "did you mean rvsim?"),
        (("sweep", "--run", "getpid"), "did you mean ousterhout/getpid?"),
        (("sweep", "--run", "checks,ousterhot"), "did you mean ousterhout or"),
        (("variants", "mussl"), "did you mean musl?"),
    ],
)
def test_bad_input_is_one_sentence_and_2(
    arguments: tuple[str, ...],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    output = ["--output", str(tmp_path / "run")] if arguments[0] == "sweep" else []
    assert main([*arguments, *output]) == 2
    said = [line for line in capsys.readouterr().err.splitlines() if not line[:2].isdigit()]
    assert len(said) == 1 and said[0].startswith(f"osgap {arguments[0]}: ") and words in said[0]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("weep",), "osgap: there is no subcommand 'weep'; did you mean sweep?"),
        (
            ("retry", "x", "--jobs", "0"),
            "osgap retry: argument --jobs: found '0'; allowed: a",
        ),
        (("list", "cars"), "osgap list: argument KIND: found 'cars'; allowed: machines, b"),
        (
            ("paper", "rvsim"),
            "osgap paper: argument ENGINE=DIR: found 'rvsim'; allowed: E",
        ),
    ],
)
def test_what_cannot_be_parsed_is_one_sentence_too(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    (line,) = capsys.readouterr().err.splitlines()
    assert ended.value.code == 2 and line.startswith(sentence) and line.endswith("--help)")


@pytest.mark.parametrize(
    ("raised", "sentence"),
    [
        (OsgapError("a.toml: key: found 1; allowed: 2"), "a.toml: key: found 1; allowed: 2"),
        (KeyboardInterrupt(), "interrupted"),
        (OSError(28, "No space left on device", "file"), "file: No space left on device"),
        (ModuleNotFoundError("no", name="rvsim"), "the Python package rvsim is not installed here"),
    ],
)
def test_whatever_happens_is_a_sentence(
    raised: BaseException, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def body() -> int:
        raise raised

    assert guard.guarded("osgap x", body) == 2
    assert capsys.readouterr().err == f"osgap x: {sentence}\n"


def test_a_defect_is_no_sentence() -> None:
    def body() -> int:
        raise RuntimeError("a defect")

    with pytest.raises(RuntimeError):
        guard.guarded("osgap x", body)


def test_an_interrupt_while_modules_are_imported_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = builtins.__import__

    def interrupted(name: str, *rest: object, **more: object) -> object:
        if name == "osgap.printing.run":
            raise KeyboardInterrupt
        return real(name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", interrupted)
    assert main(["analyze", "run"]) == 2
    assert capsys.readouterr().err == "osgap analyze: interrupted\n"


@pytest.mark.slow
def test_a_reader_that_has_gone_ends_it_in_silence() -> None:
    command = f"{sys.executable} -m osgap list benchmarks | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    assert done.stderr == "" and done.returncode in (0, 1)


def test_near_names_have_folders() -> None:
    told = unknown("machine", "DS3100", ["base", "paper/DS3100", "paper-1989/DS3100"])
    assert "did you mean paper/DS3100 or paper-1989/DS3100?" in told
    assert "did you mean" not in unknown("machine", "zzz", ["base"])


@pytest.mark.parametrize("name", DOORS)
def test_a_door_is_the_subcommand(name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / f"{name}.py"), "--help"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0 and done.stdout.startswith(f"usage: osgap {name}")


@pytest.fixture
def bare_copy(tmp_path: Path) -> Path:
    """A copy of the program, which has no .venv."""
    for part in ("scripts", "osgap"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_a_door_by_a_python_without_packages_says_how_to_make_them(bare_copy: Path) -> None:
    bare = Path(sys.base_prefix) / "bin" / "python3"
    for name in DOORS:
        script = bare_copy / "scripts" / f"{name}.py"
        done = subprocess.run(
            [str(bare), "-S", str(script), "--help"], capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
        assert done.stderr.startswith(f"{name}.py: this Python") and "scripts/study" in done.stderr


def test_a_door_starts_over_with_the_checkouts_own_python(bare_copy: Path) -> None:
    python = bare_copy / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "again: $*"\n')
    python.chmod(0o755)
    bare = Path(sys.base_prefix) / "bin" / "python3"
    script = bare_copy / "scripts" / "sweep.py"
    done = subprocess.run(
        [str(bare), "-S", str(script), "status", "x"], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, f"again: {script} status x\n")
