# SPDX-License-Identifier: BSD-3-Clause
"""Makes the synthetic run importable, and a fresh one for each test."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from synthetic import write_run


@pytest.fixture
def run_directory(tmp_path: Path) -> Path:
    """A complete run of three clocks and four series."""
    return write_run(tmp_path / "run")


@pytest.fixture
def repository() -> Path:
    """The root of the source tree."""
    return Path(__file__).resolve().parents[2]
