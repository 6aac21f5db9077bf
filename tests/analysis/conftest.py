# SPDX-License-Identifier: BSD-3-Clause
"""Makes the synthetic run importable, and a fresh one for each test."""

import shutil
import sys
from pathlib import Path

import pandas as pd
import pytest

from osgap.analysis import analyze
from osgap.results import load_run

sys.path.insert(0, str(Path(__file__).parent))

from synthetic import write_run


@pytest.fixture(scope="session")
def written_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run of three clocks and four series, not to be changed."""
    return write_run(tmp_path_factory.mktemp("synthetic") / "run")


@pytest.fixture
def run_directory(written_run: Path, tmp_path: Path) -> Path:
    """The same, of the test's own."""
    return Path(shutil.copytree(written_run, tmp_path / "run"))


@pytest.fixture(scope="session")
def written_tables(written_run: Path) -> dict[str, pd.DataFrame]:
    """What the analysis makes of it."""
    return analyze(load_run(written_run))


@pytest.fixture
def tables(written_tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The same, of the test's own."""
    return {name: table.copy() for name, table in written_tables.items()}


@pytest.fixture
def repository() -> Path:
    """The root of the source tree."""
    return Path(__file__).resolve().parents[2]
