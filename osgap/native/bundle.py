# SPDX-License-Identifier: BSD-3-Clause
"""The archive to carry to a machine that has no Python, no compiler and no network."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

from osgap.base import durable

MACHINES = ("riscv64", "arm64")
BUILT = ("osgap-bench", "execl", "hello", "andrew-crt.o")


def write_bundle(root: Path, machine: str) -> Path:
    """Writes the archive of what `scons native bundle=MACHINE` built in `root`. Raises OSError."""
    target = root / "build" / "bundle" / f"osgap-native-{machine}.tar.gz"
    folder = f"osgap-native-{machine}"
    raw = io.BytesIO()
    # Without the time, which gzip stores otherwise.
    with (
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed,
        tarfile.TarFile(fileobj=packed, mode="w") as archive,
    ):
        for name, file in _files(root, machine):
            archive.add(file, f"{folder}/{name}", recursive=False, filter=_anonymous)
    with durable.whole_file(target) as pending:
        pending.write_bytes(raw.getvalue())
    return target


def _files(root: Path, machine: str) -> Iterator[tuple[str, Path]]:
    built, workloads = root / "build" / "bundle" / machine, root / "workloads"
    for name in BUILT:
        yield name, built / name
    for script in ("measure.sh", "facts.sh"):
        yield script, workloads / "native" / script
    for name, tree in (("andrew", workloads / "andrew"), ("byte", workloads / "byte" / "data")):
        for file in sorted(path for path in tree.rglob("*") if path.is_file()):
            yield f"{name}/{file.relative_to(tree)}", file


def _anonymous(info: tarfile.TarInfo) -> tarfile.TarInfo:
    """The file without its owner and its time."""
    info.uid = info.gid = info.mtime = 0
    info.uname = info.gname = ""
    info.mode = 0o755 if info.mode & 0o100 else 0o644
    return info
