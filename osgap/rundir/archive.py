# SPDX-License-Identifier: BSD-3-Clause
"""Packs finished runs into results/locked/, where they are committed and read in place.

RUN/run.tar.xz holds the points, their records and the inputs; run.json, tables and figures lie
beside it. The archive is compressed as a whole, because points have much in common.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from osgap.base import durable, inputs
from osgap.base.errors import OsgapError
from osgap.base.packed import read_archive, write_archive
from osgap.base.progress import each
from osgap.base.quoting import counted
from osgap.rundir.directory import (
    ARCHIVE,
    INPUTS,
    MANIFEST,
    POINTS,
    RECORDS,
    is_archived,
    run_directories,
)
from osgap.rundir.load import Run, load_run

_IMAGE = "image"

LEFT_OUT = ("samples.csv", "*.svg")
"""Files that can be made again: a table that copies the points, and figures that exist as PNG."""


def lock(directory: Path, target: Path) -> int:
    """Packs every run in or below `directory` to the same path below `target`; the bytes written.

    Raises OsgapError if one is unfinished or accepted already, and if `target` exists; ResultsError
    if there is no run, or a damaged one. `target` gets its name when all runs are packed.
    """
    runs = run_directories([directory])
    if target.exists():
        raise OsgapError(f"{target}: exists; allowed: a new directory")
    durable.clear_leftovers(target.parent, target.name)
    with durable.whole_directory(target) as pending:
        for run in each(runs, "Checking and packing"):
            _pack(run, pending / run.relative_to(directory))
    return sum(path.stat().st_size for path in target.rglob("*") if path.is_file())


def pack_again(archive: Path) -> None:
    """Replaces an archive by one with the same files, packed as it is done today.

    For accepted runs that an earlier version packed. Raises OsgapError and OSError, and then
    leaves the archive as it was.
    """
    with durable.whole_file(archive) as pending:
        write_archive(pending, read_archive(archive))


def _pack(run: Path, target: Path) -> None:
    if is_archived(run):
        raise OsgapError(f"{run}: is an accepted run already")
    loaded = load_run(run)
    if loaded.unfinished:
        raise OsgapError(f"{run}: has {counted(len(loaded.unfinished), 'unfinished point')}")
    target.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(run / MANIFEST, target / MANIFEST)
    for part in ("tables", "figures"):
        if (run / part).is_dir():
            ignored = shutil.ignore_patterns(".*", *LEFT_OUT)
            shutil.copytree(run / part, target / part, ignore=ignored)
    write_archive(target / ARCHIVE, _members(run, loaded))


def _members(run: Path, loaded: Run) -> Iterator[tuple[str, bytes]]:
    """Names and contents: sorted inputs and records, then points in the run's order.

    So similar files are neighbours, which compresses best. The image is left out: its digest is in
    run.json, and its files have other authors.
    """
    for part in (INPUTS, RECORDS):
        for path in sorted((run / part).rglob("*")):
            inside = path.relative_to(run / part)
            hidden = any(name.startswith(".") for name in inside.parts)
            if path.is_file() and not hidden and (part, inside.parts[0]) != (INPUTS, _IMAGE):
                yield str(path.relative_to(run)), inputs.read_bytes(path)
    for key in loaded.keys:
        for path in sorted((run / POINTS / key).iterdir()):
            yield str(path.relative_to(run)), inputs.read_bytes(path)
