# SPDX-License-Identifier: BSD-3-Clause
"""Writes files and directories atomically, also across a kill or a power cut; SHA-256 of files.

A file is written as `.NAME.partial`, on which its writer holds a lock. The lock tells a live
writer's file, on any host, from a leftover of a killed writer.
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
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from osgap.base import inputs
from osgap.base.errors import OsgapError, about
from osgap.base.quoting import quoted

FAULT = "OSGAP_KILL_BEFORE_RENAME"
"""For tests: a MODULE:FUNCTION. A process kills itself where that function would rename."""
PARTIAL = ".partial"
"""Suffix of a file or directory that is being written."""
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
    """Replaces `path` by JSON text as `write_text` does, unless it holds this text already."""
    text = json.dumps(data, indent=1, sort_keys=True) + "\n"
    if not path.is_file() or path.read_bytes() != text.encode():
        write_text(path, text)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yields an empty file to write to, which replaces `path` in one step at the end.

    An error leaves `path` as it was and nothing beside it. An OSError names `path`.
    """
    with about(path), _partial(path, _new_file) as pending:
        yield pending
        sync_path(pending)
        rename(pending, path)


@contextmanager
def whole_directory(target: Path, *, synced: bool = True) -> Iterator[Path]:
    """Yields an empty directory to fill, which gets the name `target` in one step at the end.

    `target` must not exist by then. An error leaves nothing. Without `synced` a power cut may
    leave incomplete files in `target`.
    """
    with _partial(target, _new_directory) as pending:
        yield pending
        if synced:
            sync_tree(pending)
        rename(pending, target)
        sync_path(target.parent)


@contextmanager
def scratch(name: str, folder: Path | None = None) -> Iterator[Path]:
    """Yields an empty directory in `folder` (None: the host's temporary one), removed at the end.

    Removes first the directories of this name that killed processes left.
    """
    with about("TMPDIR"):
        folder = folder or Path(tempfile.gettempdir())
    clear_leftovers(folder, name)
    with _partial(folder / f"{name}.{os.urandom(4).hex()}", _new_directory) as directory:
        directory.chmod(0o700)
        yield directory


def rename(pending: Path, target: Path) -> None:
    """Renames `pending` to `target`; nothing else in osgap renames.

    Replaces a file, or an empty directory. Raises OSError.
    """
    if os.environ.get(FAULT) == _caller():
        os.kill(os.getpid(), signal.SIGKILL)
    pending.replace(target)


def clear_leftovers(folder: Path, name: str = "") -> None:
    """Removes leftovers of killed writers from `folder`, but no live writer's file.

    Looks only at targets whose names begin with `name`.
    """
    for path in folder.glob(".*" + PARTIAL):
        if path.name.startswith(f".{name}"):
            with suppress(OSError):  # locked by a live writer, or another user's
                _remove_leftover(path, wait=False)


def refuse_strange(path: Path, *, directory: bool = False) -> None:
    """Raises OsgapError if `path` exists and is no regular file (no directory, with `directory`).

    A symbolic link in a cache that other users can write to could lead anywhere.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not (stat.S_ISDIR if directory else stat.S_ISREG)(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "a device")
        to = f" to {quoted(os.readlink(path))}" if stat.S_ISLNK(mode) else ""
        allowed = "a directory" if directory else "a file"
        raise OsgapError(f"{path}: found {kind}{to}; allowed: {allowed} of osgap's own; remove it")


def open_regular(path: Path, flags: int) -> int:
    """Opens the regular file `path` without following a link; returns its descriptor.

    `flags` are os.open's. Raises OsgapError for a link, a directory, a pipe or a device, without
    waiting for it; otherwise OSError.
    """
    refuse_strange(path)
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)


def open_lock(path: Path) -> IO[bytes]:
    """Opens the file `path` for flock, creating it if missing. Raises as `open_regular`."""
    return open(open_regular(path, os.O_RDWR | os.O_CREAT), "rb+", buffering=0)


def create(path: Path, text: str) -> None:
    """Writes a new file that no other process, of any host, has created. Raises FileExistsError."""
    with open(_new_file(path), "wb") as file:
        file.write(text.encode())


def age_s(path: Path) -> float:
    """Returns the seconds since `path` was touched, by the clock of its file system's host.

    Raises OSError.
    """
    with inputs.open_bytes(path) as stream:  # opening asks a file server for the time anew
        touched = os.fstat(stream.fileno()).st_mtime
    try:
        with tempfile.TemporaryFile(dir=path.parent, prefix=".", suffix=PARTIAL) as probe:
            os.utime(probe.fileno())
            return os.fstat(probe.fileno()).st_mtime - touched
    except OSError:  # no right to write, or no room
        return time.time() - touched


@contextmanager
def directory(path: Path) -> Iterator[Path]:
    """Yields a path to the directory `path` that this process can use even if it is renamed."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield Path(f"/proc/self/fd/{descriptor}")
    finally:
        os.close(descriptor)


def sync_tree(directory: Path) -> None:
    """Writes the files of `directory`, and their names, through to the disk."""
    for path in sorted(directory.rglob("*"), reverse=True):
        if path.is_file() or path.is_dir():
            sync_path(path)
    sync_path(directory)


def sync_path(path: Path) -> None:
    """Writes a file, or the names in a directory, through to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _partial(target: Path, make: _Make) -> Iterator[Path]:
    """Yields a new, locked file or directory beside `target`; removes it unless it was renamed.

    Removes a killed writer's leftover first, and waits for a live writer.
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
        os.close(lock)  # Another process removed it before it was locked.
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
    while True:
        path.mkdir(parents=True)
        try:
            return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            continue  # Another process took it for a leftover before it was locked.


def _remove_leftover(path: Path, *, wait: bool) -> None:
    """Removes `path`; with `wait`, after its writer's end. Raises OSError, also if it has one."""
    if not path.is_symlink() and (path.is_file() or path.is_dir()):
        # NFS locks a file for itself alone only if it can be written.
        access = os.O_RDWR if path.is_file() and os.access(path, os.W_OK) else os.O_RDONLY
        lock = os.open(path, access | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
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


def _caller() -> str:
    """Returns the caller of this module, as MODULE:FUNCTION or MODULE:CLASS.FUNCTION."""
    frame = sys._getframe()
    while frame.f_back and frame.f_globals["__name__"] in (__name__, "contextlib"):
        frame = frame.f_back
    return f"{frame.f_globals['__name__']}:{frame.f_code.co_qualname.partition('.<locals>')[0]}"


def sha256(path: Path) -> str:
    """Returns the SHA-256 of a file, in hex. Raises OSError."""
    with inputs.open_bytes(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def digests(
    directory: Path, *, leave_out: str = "", computed: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Returns the SHA-256 of each file in or below `directory`, by its path from there.

    Skips files called `leave_out`. Takes digests from `computed` where it has them.
    """
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    names = {str(path.relative_to(directory)): path for path in files if path.name != leave_out}
    return {name: (computed or {}).get(name) or sha256(path) for name, path in names.items()}
