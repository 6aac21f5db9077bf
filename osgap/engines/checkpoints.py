# SPDX-License-Identifier: BSD-3-Clause
"""Boot checkpoints in the cache: each made once, atomically, and verified by digests.

A checkpoint is a directory CACHE/checkpoints/NAME with an engine's state of a guest at `ready`. Its
`sha256.json`, written last, holds the digest of every other file. Builds of a simulator are kept in
the same way.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from osgap.base import durable
from osgap.base.digest import damaged

_DIGESTS = "sha256.json"
Make = Callable[[Path], None]
Say = Callable[[str], None]


def directory(cache: Path, name: str) -> Path:
    """Returns the directory of the checkpoint called `name`."""
    return cache / "checkpoints" / name


def ensure(target: Path, make: Make, say: Say, message: str) -> str:
    """Makes the checkpoint `target` by `make(empty directory)` if it is missing or damaged.

    One process of any host makes it, while others wait. Returns the checkpoint's digest.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    durable.refuse_strange(target, directory=True)
    with _locked(target):
        if target.is_dir():
            reason = damage(target)
            if not reason:
                return digest(target)
            say(f"{target}: {reason}; it is made again")
            shutil.rmtree(target)
        say(message)
        durable.clear_leftovers(target.parent)
        with durable.whole_directory(target) as pending:
            make(pending)
            durable.write_json(pending / _DIGESTS, durable.digests(pending))
        return digest(target)


def damage(target: Path) -> str:
    """Returns a checkpoint's first fault in a few words; "" if it has none."""
    try:
        recorded = json.loads((target / _DIGESTS).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return f"{_DIGESTS} is missing or damaged"
    files = (path for path in target.rglob("*") if path.is_file() and path.name != _DIGESTS)
    names = {str(path.relative_to(target)) for path in files}
    if not isinstance(recorded, dict) or set(recorded) != names:
        return f"its files are not those of {_DIGESTS}"
    broken = damaged(target, recorded)
    return f"{broken[0]} is not the file that {_DIGESTS} names" if broken else ""


def digest(target: Path) -> str:
    """Returns one digest of a checkpoint, computed from those of its files."""
    return hashlib.sha256((target / _DIGESTS).read_bytes()).hexdigest()


@contextmanager
def _locked(target: Path) -> Iterator[None]:
    path = target.with_name(f"{target.name}.lock")
    with durable.open_lock(path) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
