# SPDX-License-Identifier: BSD-3-Clause
"""A checkout to build in, and a file that may be a program."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from elves import elf

from osgap.base.paths import project_root

ROOT = project_root()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of what SCons reads, without anything built."""
    return _copied(tmp_path / "copy")


def _copied(target: Path) -> Path:
    target.mkdir()
    shutil.copy(ROOT / "SConstruct", target)
    for name in ("osgap", "workloads", "disk-images"):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    return target


@pytest.fixture(scope="session")
def layout_image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The image of layout 1, built in a copy of the checkout."""
    home = _copied(tmp_path_factory.mktemp("layout") / "copy")
    command = [sys.executable, "-m", "SCons", "-Q", "image", "variant=layout-1"]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout + done.stderr
    return home / "build" / "variants" / "layout-1" / "image"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A file that may be a user's program."""
    path = tmp_path / "my-Bench.riscv"
    path.write_bytes(elf())
    return path
