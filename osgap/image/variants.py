# SPDX-License-Identifier: BSD-3-Clause
"""Names of the image variants, and the directories of their images.

Only the build reads the content of a variant's file, disk-images/variants/NAME.toml
(osgap/image/builder/variant.py).
"""

from __future__ import annotations

from pathlib import Path

from osgap.base.paths import project_root

DEFAULT = "default"
"""The image without a variant: build/image, of gcc -O2, glibc and kernel/osgap.config."""
PROGRAMS = "/program"
"""The guest's directory of users' programs, a folder each."""
VARIANT_NAME = r"^[A-Za-z0-9_][A-Za-z0-9_-]*$"


def names(directory: Path) -> list[str]:
    """Returns the variants that have a file in `directory`, sorted."""
    return sorted(path.stem for path in directory.glob("*.toml"))


def image_directory(variant: str) -> Path:
    """Returns the directory in which `scons image variant=NAME` builds the image."""
    build = project_root() / "build"
    return build / "image" if variant == DEFAULT else build / "variants" / variant / "image"


def is_built(directory: Path) -> bool:
    """Returns True if `directory` holds an image: SCons writes its manifest last."""
    return (directory / "image.json").is_file()
