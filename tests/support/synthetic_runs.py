# SPDX-License-Identifier: BSD-3-Clause
"""The synthetic run, and a fresh copy of it for each test."""

import shutil
from pathlib import Path

import pandas as pd
import pytest
from analysed_runs import UNCHANGED
from synthetic import FEW, write_run

from osgap.analysis.tables import write_tables
from osgap.rundir.load import load_run
from osgap.suites import analyze


@pytest.fixture(scope="session")
def written_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run of three clocks and four series, not to be changed."""
    run = write_run(tmp_path_factory.mktemp("synthetic") / "run")
    UNCHANGED.add(run)
    return run


@pytest.fixture(scope="session")
def written_few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same run of a few benchmarks, which is quicker to analyse; not to be changed."""
    run = write_run(tmp_path_factory.mktemp("few") / "run", benches=FEW)
    UNCHANGED.add(run)
    return run


@pytest.fixture
def few_directory(written_few: Path, tmp_path: Path) -> Path:
    """The run of a few benchmarks, of the test's own."""
    return Path(shutil.copytree(written_few, tmp_path / "run"))


@pytest.fixture
def run_directory(written_run: Path, tmp_path: Path) -> Path:
    """The same, of the test's own."""
    return Path(shutil.copytree(written_run, tmp_path / "run"))


@pytest.fixture(scope="session")
def written_tables(written_run: Path) -> dict[str, pd.DataFrame]:
    """What the analysis makes of it."""
    return analyze(load_run(written_run))


@pytest.fixture(scope="session")
def drawable(
    written_run: Path,
    written_tables: dict[str, pd.DataFrame],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """The same run with its tables, not to be changed."""
    run = Path(shutil.copytree(written_run, tmp_path_factory.mktemp("drawable") / "run"))
    write_tables(written_tables, run / "tables")
    UNCHANGED.add(run)
    return run


@pytest.fixture
def tables(written_tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The same, of the test's own."""
    return {name: table.copy() for name, table in written_tables.items()}


@pytest.fixture
def repository() -> Path:
    """The root of the source tree."""
    return Path(__file__).resolve().parents[2]
