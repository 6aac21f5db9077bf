# SPDX-License-Identifier: BSD-3-Clause
"""Finds gem5's statistics files in a directory, by their names or by their content."""

import re
from collections.abc import Iterator
from pathlib import Path

from osgap.base.errors import OsgapError
from osgap.base.packed import ARCHIVE_SUFFIX
from osgap.gem5stats import gem5json, opening

_KINDS = (".txt", ".txt.gz", ".txt.xz", ".json", ".json.gz", ".json.xz")
"""Suffixes of statistics files. Of files in one folder called alike, the first is preferred."""
JSON = _KINDS[3:]
NAME = re.compile(r".*stats.*\.(?:txt|json)(?:\.[gx]z)?", re.IGNORECASE)
HDF5 = (".h5", ".hdf5")


def find(directory: Path, *, nested: bool = True) -> Iterator[Path]:
    """Yields the files in a directory, or `nested` below it, that may hold statistics; archives."""
    paths = directory.rglob("*") if nested else directory.glob("*")
    names = (path for path in paths if _may_be_read(path.name))
    return (path for path in names if path.is_file())


def folders(directory: Path) -> list[Path]:
    """Returns the directories that hold statistics, numbers in their paths in order of size."""
    holders = {path.parent for path in find(directory) if _is_read(path)}
    return sorted(holders, key=lambda path: re.sub(r"\d+", lambda n: n[0].zfill(20), str(path)))


def _is_read(path: Path) -> bool:
    return bool(NAME.fullmatch(path.name)) or (
        not path.name.endswith(JSON) or is_json(path.name, head(path))
    )


def _may_be_read(name: str) -> bool:
    if NAME.fullmatch(name) or name.endswith((ARCHIVE_SUFFIX, *JSON)):
        return True
    return "stats" in name and name.endswith(HDF5)


def order(path: Path) -> tuple[Path, int, Path]:
    """Sorts files by their paths, those of one run by their kinds."""
    kind = next((index for index, kind in enumerate(_KINDS) if path.name.endswith(kind)), -1)
    return stem(path), kind, path


def stem(path: Path) -> Path:
    """Returns a path without the suffixes of a statistics file."""
    name = path.name
    kind = next((kind for kind in _KINDS if name.endswith(kind)), "")
    return path.with_name(name.removesuffix(kind) or name)


def is_json(name: str, head: bytes) -> bool:
    """Returns True for a JSON file that begins as gem5's statistics do."""
    return name.endswith(JSON) and gem5json.is_statistics(head[: gem5json.HEAD])


def head(file: Path) -> bytes:
    """Returns the beginning of any file; b"" if it cannot be unpacked."""
    try:
        with opening.unpacked(file) as stream:
            return stream.read(gem5json.HEAD)
    except opening.DAMAGE as error:
        if isinstance(error, OSError) and error.strerror:
            raise OsgapError(f"{file}: cannot be read: {error.strerror}") from None
        return b""
