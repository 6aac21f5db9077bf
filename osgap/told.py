# SPDX-License-Identifier: BSD-3-Clause
"""What a guest tells of a region beside its time: modes.csv and counters.csv of a point."""

from pathlib import Path

import pandas as pd

from osgap.csvfile import Column, ResultsError, read_csv

MODE_COLUMNS: tuple[Column, ...] = (
    ("region", int), ("benchmark", str), ("fs", str), ("batch", int),
    ("user_ns", int), ("kernel_ns", int), ("idle_ns", int),
)  # fmt: skip
COUNTER_COLUMNS: tuple[Column, ...] = (
    ("region", int), ("benchmark", str), ("fs", str), ("batch", int),
    ("counter", str), ("value", int),
)  # fmt: skip


def read_modes(path: Path) -> pd.DataFrame:
    """modes.csv of a point (MODE_COLUMNS), or no rows: where no benchmark tells modes, no file."""
    return _read_told(path / "modes.csv", MODE_COLUMNS)


def read_counters(path: Path) -> pd.DataFrame:
    """counters.csv of a point (COUNTER_COLUMNS), or no rows, as `read_modes`."""
    return _read_told(path / "counters.csv", COUNTER_COLUMNS)


def _read_told(file: Path, columns: tuple[Column, ...]) -> pd.DataFrame:
    if file.exists():
        return read_csv(file, columns)
    return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in columns})


def check_told(told: pd.DataFrame, more: list[str], samples: pd.DataFrame, file: Path) -> None:
    """Each row is of a region of samples.csv; with the columns `more` it is there once."""
    keys = ["region", "benchmark", "fs", "batch"]
    known = set(samples[keys].itertuples(index=False, name=None))
    regions = set(told[keys].itertuples(index=False, name=None))
    if told.duplicated([*keys, *more]).any() or not regions <= known:
        raise ResultsError(f"{file}: its regions are not some of samples.csv")
