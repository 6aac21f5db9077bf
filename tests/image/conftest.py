# SPDX-License-Identifier: BSD-3-Clause
"""A checkout to build in, and a file that may be a program."""

import shutil
from pathlib import Path

import pytest
from elves import elf
from shared import Once

from osgap.base.paths import project_root
from osgap.image.files import Image

ROOT = project_root()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of what SCons reads, without anything built."""
    target = tmp_path / "copy"
    target.mkdir()
    shutil.copy(ROOT / "SConstruct", target)
    for name in ("osgap", "workloads", "disk-images"):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    return target


@pytest.fixture(scope="session")
def layout_image(once: Once, image: Image) -> Path:
    """The image of layout 1, beside the default one."""
    return once.image("layout-1")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A file that may be a user's program."""
    path = tmp_path / "my-Bench.riscv"
    path.write_bytes(elf())
    return path
