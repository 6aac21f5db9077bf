# SPDX-License-Identifier: BSD-3-Clause
"""Loads a built image: its files, which engines boot, and their digests."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from osgap.base import durable, inputs
from osgap.base.config import ConfigError, parse_json
from osgap.base.errors import OsgapError
from osgap.base.frozen import Frozen
from osgap.image.variants import VARIANT_NAME

RECORD, CONTENTS = "image.json", "contents.json"
VARIANT_SUITES = ("boards", "extractions")
"""The suites of images whose variant has a key of this name: VARIANT_SUITES in recipe.conf."""
IMAGE_FILES = ("Image", "vmlinux", "fw_jump.bin", "fw_jump.elf")
"""The files in the image's directory that engines boot."""
PROGRAMS_FILE = "programs.cpio"
"""The file beside them with a user's programs, which the guest takes in after its boot."""
_BOOTED = ("Image", "fw_jump.bin")
_REBUILD = "remove it and build it with: scons image"


class ImageError(OsgapError):
    """An image is not built, or is incomplete."""


class FileStamp(Frozen):
    """A file's SHA-256, valid while it has this size and time."""

    size: int
    mtime_ns: int
    sha256: str


Stamps = Mapping[str, FileStamp]


@dataclass(frozen=True)
class Image:
    """A kernel with its initramfs, the firmware that starts it, and stamps of hashed files."""

    kernel: Path
    firmware: Path
    digest: str
    stamps: Stamps = field(default_factory=dict, compare=False)

    @property
    def directory(self) -> Path:
        """The directory of the image's files."""
        return self.kernel.parent

    @property
    def programs(self) -> Path | None:
        """The archive of the user's programs; None for an image without them."""
        return self.directory / PROGRAMS_FILE if PROGRAMS_FILE in self.stamps else None

    @property
    def boot_digest(self) -> str:
        """The digest of the files that boot: the image's, without its archive of programs."""
        return _digest(self.stamps, _BOOTED) if self.programs else self.digest

    @property
    def kernel_elf(self) -> Path:
        """The same kernel as an ELF file."""
        return self.kernel.with_name("vmlinux")

    @property
    def firmware_elf(self) -> Path:
        """The same firmware as an ELF file."""
        return self.firmware.with_name("fw_jump.elf")


def no_image(directory: Path) -> Image:
    """Returns the placeholder of an engine that boots no image."""
    return Image(directory, directory, "none")


def load_image(directory: Path, stamps: Stamps | None = None) -> Image:
    """Returns the image that `scons image` built in `directory`. Raises ImageError.

    Does not hash files again that match `stamps`.
    """
    kernel, firmware = directory / "Image", directory / "fw_jump.bin"
    for path in (kernel, firmware):
        if not path.is_file():
            raise ImageError(f"{path}: not there; build it with: {_command(directory)}")
    names = (*IMAGE_FILES, PROGRAMS_FILE)
    present = [name for name in names if (directory / name).is_file()]
    stamps = {name: _stamped(directory / name, (stamps or {}).get(name)) for name in present}
    _check_image(directory, stamps)
    digested = [*_BOOTED, *({PROGRAMS_FILE} & set(stamps))]
    return Image(kernel, firmware, _digest(stamps, digested), stamps)


def _digest(stamps: Stamps, names: Sequence[str]) -> str:
    return hashlib.sha256(b"".join(bytes.fromhex(stamps[n].sha256) for n in names)).hexdigest()


def _stamped(path: Path, stamp: FileStamp | None) -> FileStamp:
    # Before it is read, so that a file that changes meanwhile does not match its stamp.
    info = path.stat()
    if stamp is not None and (stamp.size, stamp.mtime_ns) == (info.st_size, info.st_mtime_ns):
        return stamp
    return FileStamp(size=info.st_size, mtime_ns=info.st_mtime_ns, sha256=durable.sha256(path))


def _check_image(directory: Path, stamps: Stamps) -> None:
    """Raises ImageError unless the image's files are those that image.json names."""
    recorded = _recorded(directory)["files"]
    for name in (*IMAGE_FILES, *({PROGRAMS_FILE} & {*stamps, *recorded})):
        if name not in stamps or stamps[name].sha256 != recorded.get(name):
            raise ImageError(
                f"{directory / name}: is not the file that image.json names; remove it and build "
                f"it with: {_command(directory)}"
            )


def _command(directory: Path) -> str:
    """Returns the command that builds the image in `directory`, which may be a run's copy."""
    try:
        name = _json(directory / RECORD)["variant"]["name"]
        return f"scons image variant={name}" if re.fullmatch(VARIANT_NAME, name) else "scons image"
    except (ImageError, TypeError, KeyError):
        return "scons image"


def image_record(image: Image) -> dict[str, Any]:
    """Returns the content of image.json; empty for `no_image`. Raises ImageError."""
    return dict(_recorded(image.directory)) if image.stamps else {}


def knows_remote_files(directory: Path) -> bool:
    """Returns True if the guest of the image in `directory` has files on a server, by image.json.

    Raises ImageError.
    """
    return has_suite(directory, "remote")


def has_suite(directory: Path, suite: str) -> bool:
    """Returns True if the image in `directory` has a suite that others lack, by image.json.

    Raises ImageError.
    """
    variant = _recorded(directory).get("variant")
    return isinstance(variant, dict) and variant.get(suite) is True


def image_contents(image: Image) -> dict[str, str]:
    """Returns the SHA-256 of the files in an image, by path; {} without them. Raises ImageError."""
    path = image.directory / CONTENTS
    if not image.stamps or not path.exists():
        return {}
    entries = _json(path)
    try:
        files = {entry["path"]: entry["sha256"] for entry in entries if "sha256" in entry}
        texts = [*files, *files.values()]
    except (TypeError, KeyError):
        texts = [None]
    if not isinstance(entries, list) or not all(isinstance(text, str) for text in texts):
        raise ImageError(f"{path}: is no list of files with their paths")
    return files


def _recorded(directory: Path) -> Mapping[str, Any]:
    """Returns the content of image.json, with the digests of `files`. Raises ImageError."""
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
