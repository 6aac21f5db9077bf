# SPDX-License-Identifier: BSD-3-Clause
"""SHA-256 digests of files, trees and records."""

import hashlib
import json
import os
from pathlib import Path

from osgap.base import durable
from osgap.base.errors import OsgapError

of_file = durable.sha256


def check_file(path: Path, expected: str) -> None:
    """Raises OsgapError when a file in the cache is gone, or no longer what it was recorded as."""
    durable.refuse_strange(path)
    found = of_file(path) if path.is_file() else "nothing"
    if found != expected:
        raise OsgapError(
            f"{path}: found SHA-256 {found}; allowed: {expected}, as it was first; fetch it "
            "again with: scons refresh=1 image"
        )


def of_record(record: object) -> str:
    """The SHA-256 of a JSON value, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def of_tree(root: Path) -> str:
    """A digest of a source tree's names, sizes and times: reading 1.3 GB would cost more."""
    digest = hashlib.sha256(str(root).encode())
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in sorted(files):
            info = os.lstat(os.path.join(folder, name))
            digest.update(f"{folder}/{name}\0{info.st_size}\0{info.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def content_key(*parts: object) -> str:
    """A short digest of JSON-able parts, for names of checkpoints and points."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
