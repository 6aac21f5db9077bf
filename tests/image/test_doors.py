# SPDX-License-Identifier: BSD-3-Clause
"""scripts/study, scripts/native and scripts/test, with stand-ins for all that they start."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from stderr import sentences, stages

from osgap.base.paths import project_root

ROOT = project_root()
TOOLS = {
    "scons": 'printf "  CC     a.o\\n  KERNEL build/kernel.json\\n"; exit "${SCONS:-0}"',
    "osgap": 'echo "osgap $*" >> "$CALLS"',
    "python": 'echo "python $*" >> "$CALLS"; exit "${PYTHON:-0}"',
    "ruff": 'echo "a.py:1: wrong"; exit "${RUFF:-0}"',
    "mypy": "exit 0",
}
Door = subprocess.CompletedProcess[str]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The scripts, no package wanted, and a .venv that is up to date but whose tools are ours."""
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    shutil.copy(ROOT / "requirements.lock", tmp_path)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").touch()
    (tmp_path / "none.list").touch()
    tools = tmp_path / ".venv" / "bin"
    tools.mkdir(parents=True)
    for name, text in TOOLS.items():
        (tools / name).write_text(f"#!/bin/bash\n{text}\n")
        (tools / name).chmod(0o755)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    code = (
        "source scripts/lib.sh; venv_digest > .venv/osgap-lock;command_digest > .venv/osgap-command"
    )
    subprocess.run(["bash", "-euo", "pipefail", "-c", code], cwd=tmp_path, check=True)
    return tmp_path


def door(checkout: Path, name: str, *arguments: str, **environment: str) -> Door:
    given = {
        "OSGAP_PACKAGES_LIST": str(checkout / "none.list"),
        "CALLS": str(checkout / "calls"),
    }
    return subprocess.run(
        ["bash", str(checkout / "scripts" / name), *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **given, **environment},
        timeout=60,
    )


def calls(checkout: Path) -> list[str]:
    return (checkout / "calls").read_text().splitlines()


def test_study_tells_its_stages_on_standard_error_and_nothing_else_on_output(
    checkout: Path,
) -> None:
    done = door(checkout, "study", "--quick")
    assert done.returncode == 0, done.stderr
    assert stages(done.stderr) == ["Building the guest image", "  KERNEL build/kernel.json"]
    assert sentences(done.stderr) == [] and done.stdout.strip() == ""
    assert calls(checkout) == ["osgap study --quick"]


@pytest.mark.slow
def test_native_builds_no_image_and_hands_its_options_on(checkout: Path) -> None:
    done = door(checkout, "native", "--name", "my laptop", "--seconds", "5")
    assert (done.returncode, done.stderr) == (0, "")
    assert calls(checkout) == ["osgap native --name my laptop --seconds 5"]
    shown = door(checkout, "native", "--help")
    assert shown.returncode == 0 and shown.stdout.startswith("usage: scripts/native")
    assert len(calls(checkout)) == 1


@pytest.mark.slow
def test_native_asks_for_the_compilers_of_this_machine_alone(checkout: Path) -> None:
    (checkout / "list").write_text(
        "native osgap-no-such-package  is not there\nstudy osgap-no-such-kernel  is not wanted\n"
    )
    done = door(
        checkout, "native", OSGAP_PACKAGES_LIST=str(checkout / "list"), PATH=_no_root(checkout)
    )
    assert done.returncode == 3, done.stderr
    assert "osgap-no-such-package" in done.stderr and "no-such-kernel" not in done.stderr


def _no_root(checkout: Path) -> str:
    """A PATH on which nobody is root, nor can become it."""
    tools = checkout / "tools"
    tools.mkdir()
    for name, text in (("id", "echo 1000"), ("sudo", "exit 1")):
        (tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name).chmod(0o755)
    return f"{tools}:{os.environ['PATH']}"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["study", "native", "test"])
def test_where_nothing_can_be_written_it_is_one_sentence(checkout: Path, name: str) -> None:
    (checkout / "build").touch()
    done = door(checkout, name)
    (told,) = sentences(done.stderr)
    assert done.returncode == 2 and told.startswith(f"{name}: {checkout}/build: nothing can be")
    assert not (checkout / "calls").exists()


@pytest.mark.slow
def test_nobody_need_be_told_of_stages(checkout: Path) -> None:
    given = {**os.environ, "OSGAP_PACKAGES_LIST": "none.list", "CALLS": "calls"}
    study = ["bash", "-c", "scripts/study 2>&-"]
    assert subprocess.run(study, cwd=checkout, env=given, timeout=60).returncode == 0
    assert calls(checkout) == ["osgap study"]


@pytest.mark.slow
def test_a_failed_build_ends_it(checkout: Path) -> None:
    for name in ("study", "test"):
        assert door(checkout, name, SCONS="2").returncode == 2
    assert not (checkout / "calls").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "level", "builds"),
    [
        ((), "usual", True),
        (("--quick",), "quick", False),
        (("--all",), "all", True),
        (("-x",), "usual", True),
        (("tests/test_a.py",), None, True),
        (("tests/test_a.py::test_b",), None, True),
        (("-k", "lockdep"), None, True),
        (("--quick", "-k", "lockdep"), "quick", False),
        (("--all", "tests/test_a.py"), "all", True),
    ],
)
def test_a_level_is_asked_for_or_follows_from_what_is_named(
    checkout: Path, arguments: tuple[str, ...], level: str | None, builds: bool
) -> None:
    done = door(checkout, "test", *arguments)
    assert done.returncode == 0, done.stderr
    (call,) = calls(checkout)
    rest = [word for word in arguments if word not in ("--quick", "--all")]
    own = " ".join([*(["--level", level] if level else []), *rest])
    assert call.startswith("python -P -m pytest ") and call.endswith(f" --durations-min 10 {own}")
    assert ("Building the guest image" in stages(done.stderr)) == builds


def test_wrong_code_fails_though_the_tests_pass(checkout: Path) -> None:
    done = door(checkout, "test", "--quick", RUFF="1")
    assert done.returncode == 1 and "a.py:1: wrong" in done.stderr
    assert door(checkout, "test", "--quick", PYTHON="3").returncode == 3


def test_a_bad_argument_is_one_sentence(checkout: Path) -> None:
    done = door(checkout, "study", "--fast")
    assert done.returncode == 2
    assert sentences(done.stderr) == ["study: unknown argument --fast (see --help)"]


def test_scons_alone_is_locked_as_all_is(checkout: Path) -> None:
    code = "source scripts/lib.sh; lock_of scons"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code], cwd=checkout, capture_output=True, text=True
    )
    first, *hashes = done.stdout.splitlines()
    assert first.startswith("scons==") and len(hashes) >= 2
    assert done.stdout in (ROOT / "requirements.lock").read_text()
    assert all(line.startswith(" ") for line in hashes)


@pytest.mark.slow
def test_the_package_is_imported_in_the_folder_above_a_clone_called_osgap(tmp_path: Path) -> None:
    clone, installed = tmp_path / "osgap", tmp_path / "installed"
    for name in ("osgap", "scripts"):
        shutil.copytree(ROOT / name, clone / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (ROOT / "pyproject.toml", *ROOT.glob("requirements*.in"), ROOT / "README.md"):
        shutil.copy(path, clone)
    python = clone / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    # With --prefix alone pip would remove what these tests themselves run.
    apart = f"--ignore-installed --prefix {installed}"
    python.write_text(f'#!/bin/bash\nexec {sys.executable} "$@" {apart}\n')
    python.chmod(0o755)
    code = "source scripts/lib.sh; ensure_command"
    subprocess.run(["bash", "-euo", "pipefail", "-c", code], cwd=clone, check=True)
    (packages,) = installed.glob("lib/python*/site-packages")
    done = subprocess.run(
        [
            sys.executable,
            "-S",
            "-c",
            f"import site; site.addsitedir({str(packages)!r}); import osgap;print(osgap.__file__)",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={
            name: value
            for name, value in os.environ.items()
            if name not in ("PYTHONPATH", "PYTHONSAFEPATH")
        },
    )
    assert done.stdout == f"{clone / 'osgap' / '__init__.py'}\n", done.stderr
