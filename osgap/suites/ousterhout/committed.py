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
    paths = {name: committed_folder() / folder for name, folder in folders.items()}
    return {name: path for name, path in paths.items() if path.is_dir()}


def committed_layouts(engines: Iterable[str]) -> dict[str, Path]:
    """Returns the folder of each engine's runs in several layouts, where there is one.

    `engines` are those of `committed_runs`.
    """
    paths = {}
    for name in engines:
        engine, _, period = name.partition("_")
        paths[name] = committed_folder() / f"{period or 'fitted'}-layouts" / engine
    return {name: path for name, path in paths.items() if path.is_dir()}


def committed_entry_pairs() -> dict[str, tuple[Path, Path]]:
    """Returns each engine's runs without and with the machines' kernel entry."""
    folder = committed_folder()
    pairs = {name: (folder / f"no-entry-{name}", folder / f"entry-{name}") for name in _ENGINES}
    return {name: pair for name, pair in pairs.items() if all(path.is_dir() for path in pair)}


def committed_remote() -> dict[str, Path]:
    """Returns the folder of each engine's runs with files on a server."""
    paths = {name: committed_folder() / f"remote-{name}" for name in _ENGINES}
    return {name: path for name, path in paths.items() if path.is_dir()}


def committed_folder() -> Path:
    """Returns the folder of all committed runs of the paper's machines."""
    return project_root() / "results" / "locked" / "paper"
