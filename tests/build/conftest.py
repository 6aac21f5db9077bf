# SPDX-License-Identifier: BSD-3-Clause
"""A checkout to build in."""

import shutil
from pathlib import Path

import pytest

from osgap.paths import project_root

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
