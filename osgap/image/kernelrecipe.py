# SPDX-License-Identifier: BSD-3-Clause
"""Recipes of changed kernels: image variants with a user's patches or source tree, in a layout.

A recipe and copies of the patches lie in build/variants/NAME/change, not in disk-images/variants.
The variant's name has a digest of the change; layouts of one change differ in its last number.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from pydantic import Field

from osgap.base.digest import record_digest
from osgap.base.frozen import Frozen
from osgap.image.recipefolder import RecipeRecord, load_record, write_folder
from osgap.image.variants import DEFAULT, image_directory

MOST_LAYOUTS = 1000
"""Numbers of layouts are below this."""
_FOLDER, _DIGITS = "change", 12
_NOT_PLAIN, _LONGEST_STEM = re.compile(r"[^A-Za-z0-9_-]"), 60
_VARIANT = re.compile(
    rf"(?:[A-Za-z0-9_][A-Za-z0-9_-]*-)?kernel-[0-9a-f]{{{_DIGITS}}}-layout-[0-9]{{1,3}}"
)


class KernelPatch(Frozen):
    """A patch's file name, and the SHA-256 of its content."""

    name: str
    sha256: str


class KernelSource(Frozen):
    """A user's Linux source tree: its path, and a digest of names, sizes and times of its files."""

    path: str
    digest: str


class KernelChange(Frozen):
    """A change of the kernel of the variant that it `extends`: another source, then patches.

    Without either it is that variant's own kernel.
    """

    extends: str = DEFAULT
    source: KernelSource | None = None
    patches: tuple[KernelPatch, ...] = ()

    def variant(self, layout: int) -> str:
        """Returns the name of the variant with this change in a layout."""
        contents = self.model_dump(mode="json")
        contents["patches"] = [patch.sha256 for patch in self.patches]
        name = f"kernel-{record_digest(contents)[:_DIGITS]}-layout-{layout}"
        return name if self.extends == DEFAULT else f"{self.extends}-{name}"


class KernelRecipe(RecipeRecord):
    """A change of the kernel, and the layout of its code and data."""

    change: KernelChange
    layout: int = Field(ge=0, lt=MOST_LAYOUTS)

    @property
    def variant(self) -> str:
        """The variant's name."""
        return self.change.variant(self.layout)


def is_kernel_recipe(variant: str) -> bool:
    """Returns True for the name of a changed kernel's variant."""
    return _VARIANT.fullmatch(variant) is not None


def plain_stem(name: str) -> str:
    """Returns a file's name without its suffix, with _ for whatever is not plain, and not long."""
    return _NOT_PLAIN.sub("_", Path(name).stem)[:_LONGEST_STEM]


def patch_of(content: bytes, name: str) -> KernelPatch:
    """Returns the record of a patch with this content."""
    return KernelPatch(name=name, sha256=hashlib.sha256(content).hexdigest())


def patch_files(recipe: KernelRecipe) -> list[Path]:
    """Returns the paths of the recipe's copies of the patches, in the order to apply them."""
    folder = _folder_of(recipe.variant)
    return [
        folder / _copy_name(number, patch) for number, patch in enumerate(recipe.change.patches)
    ]


def load_kernel_recipe(variant: str) -> KernelRecipe:
    """Returns the recipe of a variant. Raises ConfigError."""
    return load_record(
        _folder_of(variant), KernelRecipe, variant, "repeat the command osgap kernel-ab"
    )


def write_kernel_recipe(recipe: KernelRecipe, patches: Sequence[bytes]) -> None:
    """Writes a recipe and the contents of its patches unless they exist. Raises OSError."""
    names = [_copy_name(number, patch) for number, patch in enumerate(recipe.change.patches)]
    write_folder(_folder_of(recipe.variant), recipe, dict(zip(names, patches, strict=True)))


def _folder_of(variant: str) -> Path:
    return image_directory(variant).parent / _FOLDER


def _copy_name(number: int, patch: KernelPatch) -> str:
    """The file name of a patch's copy: its number, and what is plain of the user's name."""
    return f"{number:04}-{plain_stem(patch.name)}.patch"
