# SPDX-License-Identifier: BSD-3-Clause
"""RUN/inputs/image: the run's own copy of the image that its points boot."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from osgap.base import durable
from osgap.image.files import (
    CONTENTS,
    IMAGE_FILES,
    RECORD,
    FileStamp,
    Image,
    ImageError,
    Stamps,
    load_image,
)

_RECORDS = (RECORD, CONTENTS)


def keep_image(run: Path, image: Image, known: Stamps) -> Image:
    """`image` as copied to RUN/inputs/image, where its points find it.

    It was hashed when it was loaded: its copy is not. An equal and whole copy from before is left
    alone; it is not hashed either where it fits the stamps `known` of it. Raises ImageError when
    the source changed while it was copied.
    """
    target = run / "inputs" / "image"
    if not image.stamps or image.directory == target:
        return image
    kept = _whole(target, known)
    if kept is not None and kept.digest == image.digest:
        return kept
    _copy(image, target)
    stamps = {name: _of_copy(target / name, stamp) for name, stamp in image.stamps.items()}
    return replace(image, kernel=target / "Image", firmware=target / "fw_jump.bin", stamps=stamps)


def _whole(target: Path, known: Stamps) -> Image | None:
    try:
        return load_image(target, known)
    except ImageError:
        return None


def _copy(image: Image, target: Path) -> None:
    source = image.directory
    durable.clear_leftovers(target.parent)
    with durable.whole_directory(target) as pending:
        for name in (*IMAGE_FILES, *_RECORDS):
            if (source / name).is_file():
                shutil.copyfile(source / name, pending / name)
        for name, stamp in image.stamps.items():
            info = (source / name).stat()
            if (info.st_size, info.st_mtime_ns) != (stamp.size, stamp.mtime_ns):
                raise ImageError(
                    f"{source / name}: changed while it was copied; repeat the command"
                )
        shutil.rmtree(target, ignore_errors=True)


def _of_copy(path: Path, stamp: FileStamp) -> FileStamp:
    info = path.stat()
    return stamp.model_copy(update={"mtime_ns": info.st_mtime_ns, "size": info.st_size})
