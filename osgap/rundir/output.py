# SPDX-License-Identifier: BSD-3-Clause
"""Where results may be written: a new or empty directory, or one of osgap's own.

Whatever writes a directory asks here first, and nothing is written or removed in any other.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from osgap.base import durable
from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.rundir import manifest
from osgap.rundir.directory import MANIFEST, is_archived

MARK = ".osgap"
"""An empty file in a directory that osgap has begun to write: so a run that was killed before it
had a run.json is known again."""
PARTS = ("tables", "figures")
"""What may be written beside a run's points, or alone into a directory of anybody's."""
_OF_A_PART = (".csv", ".svg", ".png")
_BESIDE_RUNS = "calibration*.csv"
# Snakemake's own, and what a killed worker left: they are removed, links and all.
_REMOVED = (".snakemake", durable.PARTIAL)


class TargetError(OsgapError):
    """A directory that is not osgap's to write to."""


def claim(directory: Path) -> Path:
    """The directory, its links resolved and made where it is new: from here on it is osgap's.

    Raises TargetError, before anything is written, where it is neither new, nor empty, nor a run
    of osgap's or a directory of runs; OSError where it cannot be made.
    """
    real = _made(directory)
    entries = _entries(real)
    if not entries:
        with suppress(FileExistsError):
            os.close(os.open(real / MARK, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    elif is_archived(real):
        raise TargetError(
            f"{real}: is an accepted run; allowed: a new or empty one, or another run"
        )
    elif not is_own(real):
        raise TargetError(
            f"{real}: holds {quoted(entries[0].name)}, and osgap has not written it; allowed: "
            "a new or empty directory, or a run"
        )
    else:
        _check_entries(real)
    return real


def part(directory: Path) -> Path:
    """The directory of tables or figures, made where it is new; what is around it may be anybody's.

    Raises TargetError where it is a link, or holds what is no table or figure; OSError where it
    cannot be made.
    """
    if directory.is_symlink():
        raise TargetError(f"{directory}: is a link; allowed: a directory")
    _made(directory)
    for entry in _entries(directory):
        hidden = entry.name.startswith(".") and not entry.is_symlink()
        if not hidden and (entry.suffix not in _OF_A_PART or not _is_file(entry)):
            raise TargetError(
                f"{directory}: holds {quoted(entry.name)}; allowed: a new or empty directory, or "
                "tables and figures alone"
            )
    return directory


def is_own(directory: Path) -> bool:
    """Whether osgap has written the directory: a run, or only runs with what was made of them."""
    if _is_file(directory / MARK) or _is_run(directory):
        return True
    entries = [one for one in _entries(directory) if not one.match(_BESIDE_RUNS)]
    return bool(entries) and all(
        _is_directory(one) and (one.name in PARTS or is_own(one)) for one in entries
    )


def _is_run(directory: Path) -> bool:
    """Whether it has a run.json of ours; one that got damaged lies beside its plan."""
    try:
        manifest.read(directory)
    except OsgapError:
        return _is_file(directory / MANIFEST) and _is_directory(directory / "plan")
    return True


def _made(directory: Path) -> Path:
    try:
        directory.mkdir(parents=True)
    except FileExistsError:
        if not directory.is_dir():
            what = "is a link to nothing" if directory.is_symlink() else "is no directory"
            raise TargetError(f"{directory}: {what}; allowed: a directory") from None
    return directory.resolve()


def _check_entries(directory: Path) -> None:
    """What is written into a link or a FIFO would end elsewhere, or never."""
    for folder, folders, files in os.walk(directory):
        folders[:] = [name for name in folders if not name.endswith(_REMOVED)]
        for path in (Path(folder) / name for name in (*folders, *files)):
            if not _is_file(path) and not _is_directory(path):
                what = "a link" if path.is_symlink() else "no file"
                raise TargetError(f"{path}: is {what}; allowed in a run: files and directories")


def _entries(directory: Path) -> list[Path]:
    return sorted(directory.iterdir())


def _is_file(path: Path) -> bool:
    return stat.S_ISREG(_mode(path))


def _is_directory(path: Path) -> bool:
    return stat.S_ISDIR(_mode(path))


def _mode(path: Path) -> int:
    """Of the entry itself, not of what it links to; 0 where there is none."""
    try:
        return path.lstat().st_mode
    except OSError:
        return 0
