# SPDX-License-Identifier: BSD-3-Clause
"""Accepted runs: copies under results/locked/, compressed, that analyze.py reads as they are."""

from __future__ import annotations

import lzma
import shutil
from pathlib import Path

from osgap.errors import OsgapError
from osgap.paths import runs_below
from osgap.results import load_run

_PACKED = frozenset({"stats.txt", "console.txt"})


class LockError(OsgapError):
    """A run that cannot be accepted."""


def lock_all(directory: Path, target: Path) -> int:
    """Copies every run in or below `directory` to the same place under `target`; the bytes written.

    Raises LockError where there is none, and as `lock` does.
    """
    runs = runs_below(directory)
    if not runs:
        raise LockError(f"{directory}: has no run.json in or below it")
    if target.exists():
        raise LockError(f"{target}: exists; remove it first, on purpose")
    return sum(lock(run, target / run.relative_to(directory)) for run in runs)


def lock(run: Path, target: Path) -> int:
    """Copies the finished run `run` to `target`, which must not exist; the bytes written.

    Raises LockError for an unfinished run, ResultsError for a damaged one.
    """
    if target.exists():
        raise LockError(f"{target}: exists; remove it first, on purpose")
    loaded = load_run(run)
    if loaded.unfinished:
        raise LockError(f"{run}: {len(loaded.unfinished)} points are not finished")
    target.mkdir(parents=True)
    shutil.copy(run / "run.json", target / "run.json")
    for part in ("tables", "figures", "inputs", "records"):
        if (run / part).is_dir():
            shutil.copytree(run / part, target / part, ignore=_image)
    for key in loaded.keys:
        _copy_point(run / "points" / key, target / "points" / key)
    return sum(path.stat().st_size for path in target.rglob("*") if path.is_file())


def _image(directory: str, names: list[str]) -> list[str]:
    """The image is left out: its digest is in run.json, and it is no work of ours."""
    inputs = Path(directory).name == "inputs"
    return [name for name in names if name.startswith(".") or (inputs and name == "image")]


def _copy_point(source: Path, target: Path) -> None:
    target.mkdir(parents=True)
    for file in sorted(source.iterdir()):
        if file.name in _PACKED:
            packed = lzma.compress(file.read_bytes(), preset=9 | lzma.PRESET_EXTREME)
            (target / f"{file.name}.xz").write_bytes(packed)
        else:
            shutil.copy(file, target / file.name)
