# SPDX-License-Identifier: BSD-3-Clause
"""Boot checkpoints in the cache: made once by whoever comes first, whole, and known by digest.

A checkpoint is a directory CACHE/checkpoints/NAME with what an engine needs to go on from ready.
Its `sha256.json`, written last, holds the digest of every other file.
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

_DIGESTS = "sha256.json"
Make = Callable[[Path], None]
Say = Callable[[str], None]


def directory(cache: Path, name: str) -> Path:
    """Where the checkpoint called `name` is, or will be."""
    return cache / "checkpoints" / name


def ensure(target: Path, make: Make, say: Say, saying: str) -> str:
    """Makes the checkpoint `target` by `make(empty directory)` where it is missing or damaged.

    A lock lets one process of any host make it while the others wait. Returns a digest of the
    whole; raises what `make` raises, leaving nothing.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    durable.refuse_strange(target, directory=True)
    with _locked(target):
        if target.is_dir():
            wrong = damage(target)
            if not wrong:
                return digest(target)
            say(f"{target}: {wrong}; it is made again")
            shutil.rmtree(target)
        say(saying)
        _make(target, make)
        return digest(target)


def damage(target: Path) -> str:
    """What is wrong with a checkpoint, in a few words; "" for nothing."""
    try:
        recorded = json.loads((target / _DIGESTS).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return f"{_DIGESTS} is missing or damaged"
    if not isinstance(recorded, dict) or set(recorded) != set(_found(target)):
        return f"its files are not those of {_DIGESTS}"
    wrong = durable.damaged(target, recorded)
    return f"{wrong[0]} is not the file that {_DIGESTS} names" if wrong else ""


def digest(target: Path) -> str:
    """One digest of a whole checkpoint, from those of its files."""
    return hashlib.sha256((target / _DIGESTS).read_bytes()).hexdigest()


def _found(target: Path) -> list[str]:
    files = (path for path in target.rglob("*") if path.is_file())
    return [str(path.relative_to(target)) for path in files if path.name != _DIGESTS]


def _make(target: Path, make: Make) -> None:
    durable.clear_leftovers(target.parent)
    with durable.whole_directory(target) as pending:
        make(pending)
        durable.write_json(pending / _DIGESTS, durable.digests(pending))


@contextmanager
def _locked(target: Path) -> Iterator[None]:
    path = target.with_name(f"{target.name}.lock")
    with durable.open_lock(path) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
