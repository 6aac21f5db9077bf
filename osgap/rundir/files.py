# SPDX-License-Identifier: BSD-3-Clause
"""Reads the files of a run's points, from their folders or from an accepted run's archive."""

from __future__ import annotations

import io
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import BinaryIO, TextIO

from osgap.base import inputs
from osgap.base.packed import read_archive
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.directory import ARCHIVE, DONE, POINTS, RECORDS, is_archived


@dataclass(frozen=True)
class PointFiles:
    """The files of one point, in a folder, or with `packed` contents in an archive."""

    path: Path
    packed: Mapping[str, bytes] | None = None

    def __contains__(self, name: str) -> bool:
        """True if the point has an entry `name`, even a broken link."""
        return os.path.lexists(self.path / name) if self.packed is None else name in self.packed

    def read(self, name: str) -> bytes:
        """The content of a file. Raises ResultsError."""
        try:
            return inputs.read_bytes(self.path / name) if self.packed is None else self.packed[name]
        except OSError as error:
            raise ResultsError(f"{self.path / name}: cannot be read: {error.strerror}") from error
        except KeyError as error:
            raise ResultsError(f"{self.path / name}: cannot be read: not there") from error

    def open(self, name: str) -> TextIO:
        """Opens a text file for reading line by line. Raises ResultsError."""
        stream: BinaryIO = (
            io.BytesIO(self.read(name)) if self.packed is not None else self._file(name)
        )
        return inputs.lines(stream, self.path / name)

    def _file(self, name: str) -> BinaryIO:
        try:
            return inputs.open_bytes(self.path / name)
        except OSError as error:
            raise ResultsError(f"{self.path / name}: cannot be read: {error.strerror}") from error


def is_done(run: Path, key: str) -> bool:
    """True if point `key` of `run` is finished, as are all points of an accepted run."""
    return is_archived(run) or (run / POINTS / key / DONE).is_file()


def finished_points(run: Path, keys: Collection[str]) -> Iterator[tuple[str, PointFiles]]:
    """Key and files of the finished points among `keys`. Raises OsgapError."""
    if is_archived(run):
        yield from _archived_points(run, keys)
        return
    for key in keys:
        if is_done(run, key):
            yield key, PointFiles(run / POINTS / key)


def _archived_points(run: Path, keys: Collection[str]) -> Iterator[tuple[str, PointFiles]]:
    archive = run / ARCHIVE
    left = dict.fromkeys(keys)
    for folder, members in groupby(read_archive(archive), lambda member: _folder(member[0])):
        kind, _, key = folder.partition("/")
        if kind == POINTS and key in left:
            del left[key]
            files = {PurePosixPath(name).name: content for name, content in members}
            if DONE not in files:
                raise ResultsError(f"{archive}: its point {key} is not finished")
            yield key, PointFiles(archive / folder, files)
    if left:
        raise ResultsError(f"{archive}: has no point {next(iter(left))}, which run.json names")


def archived_records(run: Path) -> dict[str, bytes]:
    """Key -> the record of its state, for points of an accepted run. Raises OsgapError."""
    records = {}
    for name, content in read_archive(run / ARCHIVE):
        if name.startswith(f"{POINTS}/"):
            break  # records come before all points
        if _folder(name) == RECORDS:
            records[PurePosixPath(name).stem] = content
    return records


def _folder(name: str) -> str:
    return str(PurePosixPath(name).parent)
