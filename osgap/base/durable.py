# SPDX-License-Identifier: BSD-3-Clause
"""Files and directories that are whole or not there, even after a kill or a power cut; digests.

What is being written is called `.NAME.partial`, and its writer holds a lock on it: what a killed
writer left is told from what a live one, on any host, is writing.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import signal
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from osgap.base import inputs
from osgap.base.errors import OsgapError, about
from osgap.base.quoting import found

FAULT = "OSGAP_KILL_BEFORE_RENAME"
"""For tests: a place MODULE:FUNCTION. The process that renames from there kills itself instead."""
PARTIAL = ".partial"
"""How the name of what is being written ends."""
_KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFREG: "a file",
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}
_Make = Callable[[Path], int]


def write_text(path: Path, text: str) -> None:
    """Replaces `path` by `text` in one step. Raises OSError, leaving the old file as it was."""
    with whole_file(path) as pending:
        pending.write_bytes(text.encode())


def write_json(path: Path, data: object) -> None:
    """As `write_text`, unless `path` says the same already."""
    text = json.dumps(data, indent=1, sort_keys=True) + "\n"
    if not path.is_file() or path.read_bytes() != text.encode():
        write_text(path, text)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """An empty file to write to, which replaces `path` in one step at the end.

    Any error leaves `path` as it was, and nothing beside it. An OSError names it.
    """
    with about(path), _partial(path, _new_file) as pending:
        yield pending
        sync_one(pending)
        rename(pending, path)


@contextmanager
def whole_directory(target: Path, *, synced: bool = True) -> Iterator[Path]:
    """An empty directory to fill, which gets the name `target` in one step at the end.

    Any error leaves nothing of it. `target` must not be there then. Without `synced` a power cut
    may leave files in it that are not whole.
    """
    with _partial(target, _new_directory) as pending:
        yield pending
        if synced:
            sync(pending)
        rename(pending, target)
        sync_one(target.parent)


@contextmanager
def scratch(name: str, folder: Path | None = None) -> Iterator[Path]:
    """An empty directory in `folder` (None: the host's for temporary files), which goes at the end.

    What a killed process left of the same name goes at the beginning.
    """
    folder = folder or Path(tempfile.gettempdir())
    clear_leftovers(folder, name)
    with _partial(folder / f"{name}.{os.urandom(4).hex()}", _new_directory) as own:
        own.chmod(0o700)
        yield own


def rename(pending: Path, target: Path) -> None:
    """Gives `pending` the name `target`: the one place where osgap renames anything.

    A file gives way, a directory only when it is empty. Raises OSError.
    """
    if os.environ.get(FAULT) == _place():
        os.kill(os.getpid(), signal.SIGKILL)
    pending.replace(target)


def clear_leftovers(folder: Path, name: str = "") -> None:
    """Removes from `folder` what killed writers left, nothing that one is writing.

    With `name` only of what has a name that begins so.
    """
    for path in folder.glob(".*" + PARTIAL):
        if path.name.startswith(f".{name}"):
            with suppress(OSError):  # a live writer has it, or it is another user's
                _remove_leftover(path, wait=False)


def refuse_strange(path: Path, *, directory: bool = False) -> None:
    """Raises OsgapError where something else is than a file (or a `directory`), as a link is.

    In a cache that others may write to, it would lead to what is none of ours.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not (stat.S_ISDIR if directory else stat.S_ISREG)(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "a device")
        to = f" to {found(os.readlink(path))}" if stat.S_ISLNK(mode) else ""
        allowed = "a directory" if directory else "a file"
        raise OsgapError(f"{path}: found {kind}{to}; allowed: {allowed} of osgap's own; remove it")


def open_own(path: Path, flags: int) -> int:
    """A descriptor of the file `path`, which a name that can be guessed makes no other file.

    `flags` as for os.open; it is made where it is not there and O_CREAT is given. Raises
    OsgapError for a link, a directory, a pipe or a device, which it does not wait for; else
    OSError.
    """
    refuse_strange(path)
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)


def open_lock(path: Path) -> IO[bytes]:
    """The file `path`, made where it is not there, for flock. Raises as `open_own`."""
    return open(open_own(path, os.O_RDWR | os.O_CREAT), "rb+", buffering=0)


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


@contextmanager
def _partial(target: Path, make: _Make) -> Iterator[Path]:
    """What `make` makes beside `target`, locked; it goes at the end, unless it was renamed.

    What a killed writer of the same left goes first; for a live one it waits.
    """
    pending = target.with_name(f".{target.name}{PARTIAL}")
    while True:
        _remove_leftover(pending, wait=True)
        try:
            lock = make(pending)
        except FileExistsError:
            continue
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _is_at(lock, pending):
            break
        os.close(lock)  # Somebody cleared up before it was locked.
    try:
        yield pending
    finally:
        if _is_at(lock, pending):
            with suppress(OSError):
                _remove(pending)
        os.close(lock)


def _new_file(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)


def _new_directory(path: Path) -> int:
    path.mkdir(parents=True)
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)


def _remove_leftover(path: Path, *, wait: bool) -> None:
    """Removes what is at `path`, unless a writer has it; with `wait` when it has ended.

    Raises OSError.
    """
    if not path.is_symlink() and (path.is_file() or path.is_dir()):
        lock = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            if _is_at(lock, path):
                _remove(path)
        finally:
            os.close(lock)
    else:
        path.unlink(missing_ok=True)


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except FileNotFoundError:
        return False


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _place() -> str:
    """Who called this module: MODULE:FUNCTION, or MODULE:CLASS.FUNCTION."""
    frame = sys._getframe()
    while frame.f_back and frame.f_globals["__name__"] in (__name__, "contextlib"):
        frame = frame.f_back
    return f"{frame.f_globals['__name__']}:{frame.f_code.co_qualname.partition('.<locals>')[0]}"


def sha256(path: Path) -> str:
    """SHA-256 of a file, in hex. Raises OSError."""
    with inputs.open_bytes(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def digests(
    directory: Path, *, leave_out: str = "", known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """SHA-256 of every file in or below `directory`, by its path from there.

    Those that are `known` are not computed.
    """
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    names = {str(path.relative_to(directory)): path for path in files if path.name != leave_out}
    return {name: (known or {}).get(name) or sha256(path) for name, path in names.items()}


def damaged(directory: Path, expected: Mapping[str, str]) -> list[str]:
    """The names in `expected` whose file below `directory` is missing or has another digest."""
    return [name for name, digest in expected.items() if _digest(directory / name) != digest]


def _digest(path: Path) -> str:
    try:
        return sha256(path)
    except (OSError, ValueError):  # as for a name with a zero in it
        return ""
