# SPDX-License-Identifier: BSD-3-Clause
"""Claims output directories: new or empty ones, and those that osgap has written.

Every command that writes a directory claims it here first; no other directory is changed.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from itertools import count
from pathlib import Path

from osgap.base import durable
from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.rundir import manifest
from osgap.rundir.directory import MANIFEST, is_archived

MARK = ".osgap"
"""An empty file that marks a directory as osgap's from the first moment, before it has a run.json:
so a run that was killed then can be repeated."""
PARTS = ("tables", "figures")
"""Folders of tables and figures, beside a run's points or in any directory of the user's."""
_PART_SUFFIXES = (".csv", ".svg", ".png")
_BESIDE_RUNS = "calibration*.csv"
# Snakemake's files and those of killed workers: they are removed without a look at their types.
_REMOVED = (".snakemake", durable.PARTIAL)


def claim(directory: Path) -> Path:
    """Makes the directory if it is new, and marks it as osgap's; its path without links.

    Raises OsgapError unless it is new, empty, a run or a directory of runs, or OSError.
    """
    real = _make(directory)
    entries = _entries(real)
    if not entries:
        with suppress(FileExistsError):
            os.close(os.open(real / MARK, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    elif is_archived(real):
        raise OsgapError(f"{real}: is an accepted run; allowed: a new or empty one, or another run")
    elif not is_osgap_output(real):
        raise OsgapError(
            f"{real}: holds {quoted(entries[0].name)}, and osgap has not written it; allowed: "
            "a new or empty directory, or a run"
        )
    else:
        _check_entries(real)
    return real


def claim_run(directory: Path | None, runs: Path, stem: str) -> Path:
    """Claims `directory`, or the first free one of STEM, STEM-2 and so on in `runs`; its path.

    Raises OsgapError for one that holds a run, and as `claim` does.
    """
    if directory is None:
        names = (f"{stem}-{number}" if number > 1 else stem for number in count(1))
        directory = next(runs / name for name in names if not (runs / name / MANIFEST).exists())
    claimed = claim(directory)
    if (claimed / MANIFEST).exists():
        raise OsgapError(f"{directory}: holds a run; allowed: a new or empty directory")
    return claimed


def claim_part(directory: Path) -> Path:
    """Makes a directory for tables or figures if it is new, in any parent directory; the path.

    Raises OsgapError if it is a link, or holds other files, or OSError.
    """
    if directory.is_symlink():
        raise OsgapError(f"{directory}: is a link; allowed: a directory")
    _make(directory)
    for entry in _entries(directory):
        hidden = entry.name.startswith(".") and not entry.is_symlink()
        if not hidden and (entry.suffix not in _PART_SUFFIXES or not _is_file(entry)):
            raise OsgapError(
                f"{directory}: holds {quoted(entry.name)}; allowed: a new or empty directory, or "
                "tables and figures alone"
            )
    return directory


def is_osgap_output(directory: Path) -> bool:
    """True if osgap has written the directory: a run, or only runs, tables and figures."""
    if _is_file(directory / MARK) or _is_run(directory):
        return True
    entries = [entry for entry in _entries(directory) if not entry.match(_BESIDE_RUNS)]
    return bool(entries) and all(
        _is_directory(entry) and (entry.name in PARTS or is_osgap_output(entry))
        for entry in entries
    )


def _is_run(directory: Path) -> bool:
    """True if it has a run.json of osgap's; a damaged one is recognised by the plan beside it."""
    try:
        manifest.read(directory)
    except OsgapError:
        return _is_file(directory / MANIFEST) and _is_directory(directory / "plan")
    return True


def _make(directory: Path) -> Path:
    try:
        directory.mkdir(parents=True)
    except FileExistsError:
        if not directory.is_dir():
            problem = "is a link to nothing" if directory.is_symlink() else "is no directory"
            raise OsgapError(f"{directory}: {problem}; allowed: a directory") from None
    return directory.resolve()


def _check_entries(directory: Path) -> None:
    """Raises OsgapError for a link or a FIFO: osgap would write elsewhere, or hang."""
    for folder, folders, files in os.walk(directory):
        folders[:] = [name for name in folders if not name.endswith(_REMOVED)]
        for path in (Path(folder) / name for name in (*folders, *files)):
            if not _is_file(path) and not _is_directory(path):
                kind = "a link" if path.is_symlink() else "no file"
                raise OsgapError(f"{path}: is {kind}; allowed in a run: files and directories")


def _entries(directory: Path) -> list[Path]:
    return sorted(directory.iterdir())


def _is_file(path: Path) -> bool:
    return stat.S_ISREG(_mode(path))


def _is_directory(path: Path) -> bool:
    return stat.S_ISDIR(_mode(path))


def _mode(path: Path) -> int:
    """The mode of the entry itself, even if it is a link; 0 if there is none."""
    try:
        return path.lstat().st_mode
    except OSError:
        return 0
