# SPDX-License-Identifier: BSD-3-Clause
"""Image variants by name: which there are, and where their images are built.

What is in a variant's file, disk-images/variants/NAME.toml, is for the build alone
(osgap/image/builder/variant.py).
"""

from __future__ import annotations

from pathlib import Path

from osgap.base.paths import project_root

DEFAULT = "default"
"""The image without a variant: build/image, gcc -O2, glibc, kernel/osgap.config as it is."""
PROGRAMS = "/program"
"""Where a user's own programs are in the guest, a folder each."""
VARIANT_NAME = r"^[A-Za-z0-9_][A-Za-z0-9_-]*$"


def names(directory: Path) -> list[str]:
    """The variants that have a file in `directory`, sorted."""
    return sorted(path.stem for path in directory.glob("*.toml"))


def image_directory(variant: str) -> Path:
    """Where `scons image variant=NAME` leaves the image."""
    build = project_root() / "build"
    return build / "image" if variant == DEFAULT else build / "variants" / variant / "image"


def is_built(directory: Path) -> bool:
    """Whether there is an image in `directory`: its manifest is what SCons writes last."""
    return (directory / "image.json").is_file()
