# SPDX-License-Identifier: BSD-3-Clause
"""What the guest's first file system holds."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from osgap.build import cpio

FOLDERS = ("/dev", "/proc", "/sys", "/tmp", "/mnt")
ANDREW = "/usr/share/andrew"


@dataclass(frozen=True)
class Parts:
    """The built files that go in, and the tree that the Andrew benchmark copies."""

    init: Path
    busybox: Path
    tcc: Path
    crt: Path
    cp: Path
    module: Path
    andrew: Path


def tree_files(root: Path) -> list[Path]:
    """All files below a folder, in a fixed order."""
    found = [Path(folder) / name for folder, _, names in os.walk(root) for name in names]
    return sorted(found)


def entries(parts: Parts) -> Iterator[cpio.Entry]:
    """Every declared entry; the folders above files are added by cpio.complete."""
    yield from (cpio.folder(path) for path in (*FOLDERS, ANDREW))
    yield cpio.char("/dev/console", 5, 1)
    yield cpio.char("/dev/null", 1, 3)
    yield cpio.char("/dev/mem", 1, 1)
    yield cpio.file("/init", parts.init, 0o755)
    yield cpio.file("/bin/busybox", parts.busybox, 0o755)
    yield cpio.link("/bin/sh", "busybox")
    yield cpio.file("/bin/tcc", parts.tcc, 0o755)
    yield cpio.file("/lib/andrew/crt.o", parts.crt)
    yield cpio.file("/lib/andrew/cp", parts.cp, 0o755)
    yield cpio.file("/lib/osgap_disk.ko", parts.module)
    for path in tree_files(parts.andrew):
        # One mode for all: a clone's umask must not change the image.
        yield cpio.file(f"{ANDREW}/{path.relative_to(parts.andrew).as_posix()}", path)
