# SPDX-License-Identifier: BSD-3-Clause
"""Makes the archive of a user's programs, which the guest takes in after its boot.

An image with it is one with a receiver (disk-images/program), of the same kernel and firmware for
all programs, and so of one boot checkpoint.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from osgap.base import durable, inputs
from osgap.base.errors import OsgapError
from osgap.image.builder import cpio, steps
from osgap.image.files import CONTENTS, IMAGE_FILES, PROGRAMS_FILE, RECORD
from osgap.image.programrecipe import Program
from osgap.image.variants import PROGRAMS

ROOM = 16 << 20
"""Most bytes of an archive: the pages that the guest reserves (disk-images/program/receive.c)."""
COPIED = (*IMAGE_FILES, RECORD, CONTENTS)
"""The files of the receiver's image that the programs' image is made of."""
WRITTEN = (RECORD, CONTENTS, PROGRAMS_FILE, *IMAGE_FILES)
"""The files of the programs' image; its manifest is the first."""


def guest_list(programs: Sequence[Program]) -> bytes:
    """Returns the list of the programs, zero-terminated strings, for the guest to register."""
    texts: list[str] = []
    for program in programs:
        words = (f"{program.folder}/{program.start}", *program.args)
        texts += [program.name, program.folder, str(len(words)), *words]
    return b"".join(text.encode() + b"\0" for text in texts)


def build_image(
    receiver: Sequence[Path],
    files: Sequence[cpio.CpioEntry],
    programs: Sequence[Program],
    name: str,
    targets: Sequence[Path],
) -> None:
    """Writes the image of the variant `name`, of `programs` with their `files`.

    `targets` are WRITTEN in its folder, `receiver` the COPIED files of the receiver's image. Raises
    OsgapError for an archive larger than ROOM.
    """
    folder, sources = targets[0].parent, {path.name: path for path in receiver}
    listing = cpio.CpioEntry(f"{PROGRAMS}/.list", "file", 0o444, guest_list(programs))
    entries = cpio.complete([*files, listing])
    archive = cpio.archive(entries)
    if len(archive) > ROOM:
        size = -(-len(archive) >> 20)
        raise OsgapError(f"program: found {size} MiB of files; allowed: {ROOM >> 20} MiB in all")
    (folder / PROGRAMS_FILE).write_bytes(archive)
    for file in IMAGE_FILES:
        shutil.copyfile(sources[file], folder / file)
    contents = [*json.loads(inputs.read_bytes(sources[CONTENTS])), *cpio.contents(entries)]
    steps.write_record(folder / CONTENTS, contents)
    record = json.loads(inputs.read_bytes(sources[RECORD]))
    record["files"][PROGRAMS_FILE] = durable.sha256(folder / PROGRAMS_FILE)
    described = [program.model_dump(mode="json") for program in programs]
    record["variant"] |= {"name": name, "program": described}
    steps.write_record(folder / RECORD, record)
