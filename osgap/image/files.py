# SPDX-License-Identifier: BSD-3-Clause
"""The files of a built image: what engines boot, known by digest."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from osgap.base import durable, inputs
from osgap.base.config import ConfigError, parse_json
from osgap.base.errors import OsgapError
from osgap.base.frozen import Frozen
from osgap.image.variants import VARIANT_NAME

RECORD, CONTENTS = "image.json", "contents.json"
IMAGE_FILES = ("Image", "vmlinux", "fw_jump.bin", "fw_jump.elf")
"""What the engines boot, in the image's directory."""


_REBUILD = "remove it and build it with: scons image"


class ImageError(OsgapError):
    """An image that is not built, or not whole."""


class FileStamp(Frozen):
    """A file that was hashed: with this size and time it still has this SHA-256."""

    size: int
    mtime_ns: int
    sha256: str


Stamps = Mapping[str, FileStamp]


@dataclass(frozen=True)
class Image:
    """What boots: a kernel with its initramfs, and the firmware before it.

    `stamps` are those of the files that were hashed, by name; none for an image that is not read.
    """

    kernel: Path
    firmware: Path
    digest: str
    stamps: Stamps = field(default_factory=dict, compare=False)

    @property
    def directory(self) -> Path:
        """Where its files are."""
        return self.kernel.parent

    @property
    def kernel_elf(self) -> Path:
        """The same kernel as an ELF file."""
        return self.kernel.with_name("vmlinux")

    @property
    def firmware_elf(self) -> Path:
        """The same firmware as an ELF file."""
        return self.firmware.with_name("fw_jump.elf")


def no_image(directory: Path) -> Image:
    """What stands for the image where an engine boots none."""
    return Image(directory, directory, "none")


def load_image(directory: Path, known: Stamps | None = None) -> Image:
    """The image that `scons image` left in `directory`.

    Files that fit their stamp in `known` are not hashed again. Raises ImageError when the image is
    not there or not whole.
    """
    kernel, firmware = directory / "Image", directory / "fw_jump.bin"
    for path in (kernel, firmware):
        if not path.is_file():
            raise ImageError(f"{path}: not there; build it with: {_command(directory)}")
    present = [name for name in IMAGE_FILES if (directory / name).is_file()]
    stamps = {name: _stamped(directory / name, (known or {}).get(name)) for name in present}
    _check_image(directory, stamps)
    digest = hashlib.sha256()
    for path in (kernel, firmware):
        digest.update(bytes.fromhex(stamps[path.name].sha256))
    return Image(kernel, firmware, digest.hexdigest(), stamps)


def _stamped(path: Path, known: FileStamp | None) -> FileStamp:
    # Asked before it is read: a file that changes meanwhile does not fit its stamp.
    info = path.stat()
    if known is not None and (known.size, known.mtime_ns) == (info.st_size, info.st_mtime_ns):
        return known
    return FileStamp(size=info.st_size, mtime_ns=info.st_mtime_ns, sha256=durable.sha256(path))


def _check_image(directory: Path, stamps: Stamps) -> None:
    """The image's files are those that image.json was written for."""
    recorded = _recorded(directory)["files"]
    for name in IMAGE_FILES:
        if name not in stamps or stamps[name].sha256 != recorded.get(name):
            raise ImageError(
                f"{directory / name}: is not the file that image.json names; remove it and build "
                f"it with: {_command(directory)}"
            )


def _command(directory: Path) -> str:
    """What builds the image in `directory`, which may be a run's copy."""
    try:
        name = _json(directory / RECORD)["variant"]["name"]
        return f"scons image variant={name}" if re.fullmatch(VARIANT_NAME, name) else "scons image"
    except (ImageError, TypeError, KeyError):
        return "scons image"


def image_record(image: Image) -> dict[str, Any]:
    """What image.json says of an image; nothing of one that is not read. Raises ImageError."""
    return dict(_recorded(image.directory)) if image.stamps else {}


def image_contents(image: Image) -> dict[str, str]:
    """SHA-256 of what is in an image, by path there, as contents.json says; nothing without one.

    Raises ImageError.
    """
    path = image.directory / CONTENTS
    if not image.stamps or not path.exists():
        return {}
    entries = _json(path)
    try:
        files = {entry["path"]: entry["sha256"] for entry in entries if "sha256" in entry}
        told = [*files, *files.values()]
    except (TypeError, KeyError):
        told = [None]
    if not isinstance(entries, list) or not all(isinstance(text, str) for text in told):
        raise ImageError(f"{path}: is no list of files with their paths")
    return files


def _recorded(directory: Path) -> Mapping[str, Any]:
    """What image.json says, among it the digests of `files`. Raises ImageError."""
    path = directory / RECORD
    record = _json(path)
    if not isinstance(record, dict) or not isinstance(record.get("files"), dict):
        raise ImageError(f"{path}: names no files; {_REBUILD}")
    return record


def _json(path: Path) -> Any:
    try:
        return parse_json(inputs.read_bytes(path), str(path))
    except OSError as error:
        raise ImageError(f"{path}: cannot be read: {error.strerror}; {_REBUILD}") from None
    except ConfigError as error:
        raise ImageError(f"{error}; {_REBUILD}") from None
