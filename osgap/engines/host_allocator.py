# SPDX-License-Identifier: BSD-3-Clause
"""The memory allocator of a simulator's process: finds a quick one, and tells which is in use.

It is optional. A process gets it from its start, by LD_PRELOAD.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from osgap.base import durable, inputs
from osgap.base.processes import environment, program_path

PACKAGE = "libtcmalloc-minimal4"
"""Debian's package with the library."""
LIBRARY = "libtcmalloc_minimal.so.4"
VARIABLE = "LD_PRELOAD"
_ALLOCATORS = ("tcmalloc", "jemalloc", "mimalloc")
_FOLDERS = ("/lib", "/usr/lib", "/lib64", "/usr/lib64")
_LDCONFIG = "/sbin/ldconfig"
_LDCONFIG_S = 10.0
_ENTRY = re.compile(rf"^\s*{re.escape(LIBRARY)} \(.*\) => (/\S+)$", re.MULTILINE)
# ld.so(8): these separate the libraries in LD_PRELOAD, so no path may have them.
_SEPARATORS = re.compile(r"[\s:]")
_HEADER = 20


def preload() -> Mapping[str, str]:
    """Returns the variable that preloads the allocator; {} without one, or with the user's own."""
    if os.environ.get(VARIABLE):
        return {}
    path = find()
    return {} if path is None else {VARIABLE: str(path)}


def find() -> Path | None:
    """Returns the library where the dynamic linker finds it; None if it is not installed."""
    return next(filter(_is_usable, _candidates()), None)


def in_use() -> Path | None:
    """Returns the library of an allocator that this process has loaded; None with libc's."""
    try:
        text = inputs.read_text(Path("/proc/self/maps"), errors="replace")
    except OSError:
        return None
    paths = (line.split(None, 5)[5] for line in text.splitlines() if len(line.split(None, 5)) > 5)
    return next((Path(path) for path in paths if _kind(Path(path))), None)


def describe(path: Path | None) -> str:
    """Returns an allocator's name, file and digest in one line; libc's for None."""
    if path is None:
        return "libc's, " + " ".join(platform.libc_ver()).strip()
    try:
        digest = durable.sha256(path)[:16]
    except OSError:
        digest = "unknown"
    return f"{_kind(path)}, {path.resolve().name}, SHA-256 {digest}"


def _kind(path: Path) -> str:
    if not path.name.startswith("lib"):
        return ""
    return next((name for name in _ALLOCATORS if name in path.name), "")


def _candidates() -> Iterator[Path]:
    """Yields the paths at which ld.so(8) looks, in its order."""
    for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":"):
        if os.path.isabs(folder):
            yield Path(folder) / LIBRARY
    yield from map(Path, _ENTRY.findall(_linker_cache()))
    for folder in _FOLDERS:
        yield Path(folder) / LIBRARY


def _linker_cache() -> str:
    command = [program_path("ldconfig") or _LDCONFIG, "-p"]
    try:
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_LDCONFIG_S,
            env=environment({"LC_ALL": "C"}),
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def _is_usable(path: Path) -> bool:
    """Returns True for a library of this Python's kind of machine that LD_PRELOAD can name."""
    if _SEPARATORS.search(str(path)):
        return False
    header = _elf_header(path)
    return header is not None and header == _elf_header(Path(sys.executable))


def _elf_header(path: Path) -> tuple[bytes, bytes] | None:
    """Returns an ELF file's class and byte order, and its machine; None for another file."""
    try:
        with inputs.open_bytes(path) as stream:
            header = stream.read(_HEADER)
    except OSError:
        return None
    if len(header) < _HEADER or not header.startswith(b"\x7fELF"):
        return None
    return header[4:6], header[18:20]
