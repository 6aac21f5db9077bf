# SPDX-License-Identifier: BSD-3-Clause
"""SHA-256 digests of files, trees and records."""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from osgap.base import durable
from osgap.base.errors import OsgapError


def check_file(path: Path, expected: str) -> None:
    """Raises OsgapError when a file in the cache is missing or its SHA-256 is not `expected`."""
    durable.refuse_strange(path)
    digest = durable.sha256(path) if path.is_file() else "nothing"
    if digest != expected:
        raise OsgapError(
            f"{path}: found SHA-256 {digest}; allowed: {expected}, as it was first; fetch it "
            "again with: scons refresh=1 image"
        )


def record_digest(record: object) -> str:
    """Returns the SHA-256 of a JSON value, independent of the order of its keys."""
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def tree_digest(root: Path) -> str:
    """Returns a digest of a source tree's names, sizes and times; reading 1.3 GB is too slow."""
    digest = hashlib.sha256(str(root).encode())
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in sorted(files):
            info = os.lstat(os.path.join(folder, name))
            digest.update(f"{folder}/{name}\0{info.st_size}\0{info.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def content_key(*parts: object) -> str:
    """Returns a short digest of JSON values, for the names of checkpoints and points."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def damaged(directory: Path, expected: Mapping[str, str]) -> list[str]:
    """Returns the names in `expected` whose file is missing or has another digest."""
    return [name for name, digest in expected.items() if _digest(directory / name) != digest]


def _digest(path: Path) -> str:
    try:
        return durable.sha256(path)
    except (OSError, ValueError):  # ValueError: a zero in the name
        return ""
