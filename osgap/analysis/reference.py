# SPDX-License-Identifier: BSD-3-Clause
"""Loads published tables from results/reference."""

from pathlib import Path

import pandas as pd

from osgap.base.paths import project_root
from osgap.rundir.csvfile import read_table


def load_reference(name: str, directory: Path | None = None) -> pd.DataFrame:
    """NAME.csv of results/reference or of `directory`. Raises ResultsError."""
    folder = directory or project_root() / "results" / "reference"
    return read_table(folder / f"{name}.csv")
