# SPDX-License-Identifier: BSD-3-Clause
"""Finds the committed runs of the paper's machines in results/locked/paper."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from osgap.base.paths import project_root

_ENGINES = ("rvsim", "gem5")


def folder_name(year: int, prefix: str = "paper") -> str:
    """Returns the name of a folder of runs: with the year for the note of 1989."""
    return prefix if year == 1990 else f"{prefix}-{year}"


def committed_runs(year: int, *, period: bool) -> dict[str, Path]:
    """Returns the folder of each engine's runs of the paper's machines.

    With `period` also of those that spend what kernels of 1990 did, as ENGINE_period.
    """
    folders = {name: f"{folder_name(year, 'fitted')}-{name}" for name in _ENGINES}
    if period:
        prefix = folder_name(year, "period")
        folders |= {f"{name}_period": f"{prefix}-{name}" for name in _ENGINES}
    paths = {name: _locked() / folder for name, folder in folders.items()}
    return {name: path for name, path in paths.items() if path.is_dir()}


def committed_layouts(engines: Iterable[str]) -> dict[str, Path]:
    """Returns the folder of each engine's runs in several layouts, where there is one."""
    paths = {name: _locked() / "fitted-layouts" / name for name in engines}
    return {name: path for name, path in paths.items() if path.is_dir()}


def committed_entry_pairs() -> dict[str, tuple[Path, Path]]:
    """Returns each engine's runs without and with the machines' kernel entry."""
    pairs = {
        name: (_locked() / f"no-entry-{name}", _locked() / f"entry-{name}") for name in _ENGINES
    }
    return {name: pair for name, pair in pairs.items() if all(path.is_dir() for path in pair)}


def _locked() -> Path:
    return project_root() / "results" / "locked" / "paper"
