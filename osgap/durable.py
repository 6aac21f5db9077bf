# SPDX-License-Identifier: BSD-3-Clause
"""Files that are whole or not there, even after a kill or a power cut; digests of files."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Replaces `path` by `text` in one step. Raises OSError, leaving the old file as it was."""
    pending = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with pending.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        pending.replace(path)
    finally:
        pending.unlink(missing_ok=True)


def write_json(path: Path, data: object) -> None:
    """As `write_text`, unless `path` says the same already."""
    text = json.dumps(data, indent=1, sort_keys=True) + "\n"
    if not path.is_file() or path.read_bytes() != text.encode():
        write_text(path, text)


def sync(directory: Path) -> None:
    """Puts the files of `directory` and their names on the disk, before it is renamed."""
    for path in sorted(directory.rglob("*"), reverse=True):
        if path.is_file() or path.is_dir():
            sync_one(path)
    sync_one(directory)


def sync_one(path: Path) -> None:
    """Puts a file, or a directory's names, on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sha256(path: Path) -> str:
    """SHA-256 of a file, in hex. Raises OSError."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def digests(directory: Path, *, leave_out: str = "") -> dict[str, str]:
    """SHA-256 of every file in or below `directory`, by its path from there."""
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    return {
        str(path.relative_to(directory)): sha256(path) for path in files if path.name != leave_out
    }


def damaged(directory: Path, expected: Mapping[str, str]) -> list[str]:
    """The names in `expected` whose file below `directory` is missing or has another digest."""
    return [name for name, digest in expected.items() if _digest(directory / name) != digest]


def _digest(path: Path) -> str:
    try:
        return sha256(path)
    except (OSError, ValueError):  # as for a name with a zero in it
        return ""
