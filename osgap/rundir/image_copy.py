# SPDX-License-Identifier: BSD-3-Clause
"""Copies the image to RUN/inputs/image, from which the run's points boot."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from osgap.base import durable
from osgap.image.files import (
    CONTENTS,
    IMAGE_FILES,
    PROGRAMS_FILE,
    RECORD,
    FileStamp,
    Image,
    ImageError,
    Stamps,
    load_image,
)

_RECORDS = (RECORD, CONTENTS)


def copy_image(run: Path, image: Image, stamps: Stamps) -> Image:
    """Copies `image` to RUN/inputs/image, unless an equal copy is there; the copy.

    An earlier copy is hashed unless its files still match their `stamps`. Raises ImageError if the
    source is not the one that was hashed.
    """
    target = run / "inputs" / "image"
    if not image.stamps or image.directory == target:
        return image
    earlier = _intact_copy(target, stamps)
    if earlier is not None and earlier.digest == image.digest:
        return earlier
    _copy(image, target)
    copied = {name: _copied_stamp(target / name, stamp) for name, stamp in image.stamps.items()}
    return replace(image, kernel=target / "Image", firmware=target / "fw_jump.bin", stamps=copied)


def _intact_copy(target: Path, stamps: Stamps) -> Image | None:
    try:
        return load_image(target, stamps)
    except ImageError:
        return None


def _copy(image: Image, target: Path) -> None:
    source = image.directory
    durable.clear_leftovers(target.parent)
    with durable.whole_directory(target) as pending:
        for name in (*IMAGE_FILES, PROGRAMS_FILE, *_RECORDS):
            if (source / name).is_file():
                shutil.copyfile(source / name, pending / name)
        for name, stamp in image.stamps.items():
            info = (source / name).stat()
            if (info.st_size, info.st_mtime_ns) != (stamp.size, stamp.mtime_ns):
                raise ImageError(
                    f"{source / name}: changed after the command began; repeat the command"
                )
        shutil.rmtree(target, ignore_errors=True)


def _copied_stamp(path: Path, stamp: FileStamp) -> FileStamp:
    info = path.stat()
    return stamp.model_copy(update={"mtime_ns": info.st_mtime_ns, "size": info.st_size})
