# SPDX-License-Identifier: BSD-3-Clause
"""Reads and checks the user's programs of `osgap sweep --program`, without running them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from osgap.base import inputs
from osgap.base.errors import OsgapError
from osgap.base.quoting import counted, quoted
from osgap.image.elf import MAGIC, check_program
from osgap.image.programrecipe import Content, Program

MOST = 4
"""Most programs of a sweep: their output has to fit on one console."""
LARGEST = 16 << 20
"""Most bytes of a program's files, which lie in the guest's memory, twice while it boots."""
MOST_FILES = 200
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_LONGEST_FILE = 100
_MOST_ARGUMENTS, _LONGEST_ARGUMENTS = 64, 4096
_NOT_COMPILED = dict.fromkeys((".cc", ".cpp", ".cxx", ".c++", ".C"), "C++")
_SHELL = re.compile(rb"#! ?/bin/sh(?: .*)?")
_START = "run"
"""The name of a folder's program, if it is not the folder's."""


def read_programs(
    paths: Sequence[Path], arguments: Sequence[str]
) -> tuple[tuple[Program, ...], tuple[Content, ...]]:
    """Returns the programs at `paths`, and for each the content of its files by path.

    `arguments` are one text for all programs or one for each. Raises OsgapError.
    """
    if len(paths) > MOST:
        raise OsgapError(f"--program: found {len(paths)} programs; allowed: {MOST} at once")
    if len(arguments) not in (0, 1, len(paths)):
        raise OsgapError(
            f"--args: found {len(arguments)} times for {counted(len(paths), 'program')}; "
            "allowed: once for all, or once for each"
        )
    words = [_words(text) for text in arguments] or [()]
    words = words if len(words) == len(paths) else words * len(paths)
    pairs = list(map(_read, paths, words))
    names = [program.name for program, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise OsgapError(f"--program: found the name {name} twice; allowed: names that differ")
    return tuple(program for program, _ in pairs), tuple(content for _, content in pairs)


def name_of(path: Path) -> str:
    """Returns the name of the benchmark of the program at `path`. Raises OsgapError."""
    stem = path.resolve().name
    name = re.sub(r"[.+-]", "_", stem.removesuffix(".c").lower())
    if not _NAME.fullmatch(name):
        raise OsgapError(
            f"{path}: found the name {quoted(stem)}; allowed: a letter, and then at most 39 "
            "letters, digits, _ . + or -"
        )
    return name


def _words(text: str) -> tuple[str, ...]:
    """Returns the arguments in `text`. Raises OsgapError."""
    try:
        words = tuple(shlex.split(text))
        size = sum(len(word.encode()) + 1 for word in words)
    except ValueError as error:  # no closing quotation, or half a character
        raise OsgapError(f"--args: found {quoted(text)}: {error}") from None
    if len(words) > _MOST_ARGUMENTS or size > _LONGEST_ARGUMENTS:
        raise OsgapError(
            f"--args: found {counted(len(words), 'argument')} of {counted(size, 'byte')}; allowed: "
            f"{_MOST_ARGUMENTS} of {_LONGEST_ARGUMENTS} in all"
        )
    if "\0" in text:
        raise OsgapError("--args: found a zero in it; allowed: text")
    return words


def _read(path: Path, words: tuple[str, ...]) -> tuple[Program, Content]:
    name = name_of(path)
    if path.is_dir():
        content, runnable = _folder(path)
        start = _start_of(path, runnable)
    else:
        content = {path.resolve().name: _content(path, LARGEST)}
        (start,) = content
        runnable = frozenset(content)
    if language := _NOT_COMPILED.get(Path(start).suffix):
        raise OsgapError(
            f"{path}: is {language}, which is not compiled here; allowed: C (.c), or a static "
            "RISC-V program, as of riscv64-linux-gnu-g++ -static"
        )
    is_source = not path.is_dir() and start.endswith(".c")
    if is_source:
        content, start = {f"{name}.c": content[start]}, name
    else:
        _check_programs(path, content, runnable, start)
    return Program.of(name, start, words, content, runnable, is_source=is_source), content


def _content(path: Path, largest: int) -> bytes:
    try:
        return inputs.read_bytes(path, largest=largest)
    except OSError as error:
        raise OsgapError(f"{path}: cannot be read: {error.strerror}") from None


def _folder(path: Path) -> tuple[Content, frozenset[str]]:
    """Returns the files in a folder by path, and the paths of the executable ones."""
    content: dict[str, bytes] = {}
    runnable = set()
    left = LARGEST
    for file in _files(path):
        name = file.relative_to(path).as_posix()
        content[name] = _content(file, left)
        left -= len(content[name])
        if file.stat().st_mode & 0o100:
            runnable.add(name)
    return content, frozenset(runnable)


def _files(path: Path) -> Iterator[Path]:
    """Returns the regular files in `path`, sorted. Raises OsgapError."""
    try:
        below = sorted(path.rglob("*"))
    except OSError as error:
        raise OsgapError(f"{path}: cannot be read: {error.strerror}") from None
    files = [entry for entry in below if not entry.is_dir() or entry.is_symlink()]
    if not files:
        raise OsgapError(f"{path}: holds no file; allowed: a program in it called {_START}")
    if len(files) > MOST_FILES:
        raise OsgapError(f"{path}: found {len(files)} files; allowed: {MOST_FILES}")
    for file in files:
        name = file.relative_to(path).as_posix()
        if not all(_FILE.fullmatch(part) for part in name.split("/")) or len(name) > _LONGEST_FILE:
            raise OsgapError(
                f"{path}: found the file {quoted(name)}; allowed: at most {_LONGEST_FILE} letters, "
                "digits, _ . + or -, no name beginning with a dot"
            )
        if file.is_symlink() or not file.is_file():
            raise OsgapError(f"{file}: is no regular file; allowed: files and folders")
    return iter(files)


def _start_of(path: Path, runnable: frozenset[str]) -> str:
    """Returns the name of the program that a folder starts. Raises OsgapError."""
    allowed = (_START, path.resolve().name)
    for name in allowed:
        if name in runnable:
            return name
    raise OsgapError(
        f"{path}: found no program called {' or '.join(dict.fromkeys(allowed))} in it that may be "
        "executed (chmod +x)"
    )


def _check_programs(path: Path, content: Content, runnable: frozenset[str], start: str) -> None:
    """Raises OsgapError for an executable file that the guest cannot run."""
    for name in sorted(runnable):
        where = str(path / name) if path.is_dir() else str(path)
        if path.is_dir() and content[name].startswith(b"#!"):
            first = content[name][:200].partition(b"\n")[0]
            if not _SHELL.fullmatch(first):
                line = quoted(first.decode("utf-8", "replace"))
                raise OsgapError(f"{where}: begins with {line}; allowed in the guest: #!/bin/sh")
        elif name == start or content[name].startswith(MAGIC):
            check_program(content[name], where)
