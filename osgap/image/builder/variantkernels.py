# SPDX-License-Identifier: BSD-3-Clause
"""The variant of a changed kernel: a user's patches or source tree on another variant's options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from osgap.image.builder.variant import Variant, extended_fields
from osgap.image.kernelrecipe import KernelRecipe, load_kernel_recipe, patch_files


class ChangedVariant(Variant):
    """A variant whose kernel has a user's change."""

    recipe: KernelRecipe

    @property
    def extends(self) -> str:
        return self.recipe.change.extends

    @property
    def has_own_kernel(self) -> bool:
        change = self.recipe.change
        return bool(super().has_own_kernel or change.patches or change.source)

    @property
    def source_tree(self) -> tuple[str, str]:
        source = self.recipe.change.source
        return (source.path, source.digest) if source else ("", "")

    @property
    def patches(self) -> tuple[Path, ...]:
        return (*super().patches, *patch_files(self.recipe))

    def manifest(self, name: str, library: Sequence[Path]) -> Mapping[str, object]:
        """Returns the variant's part of image.json, with the change among the kernel's options."""
        record = dict(super().manifest(name, library))
        change = self.recipe.change.model_dump(mode="json", exclude={"extends"})
        change["patches"] = [*self.kernel.patch_records, *change["patches"]]
        kernel = {
            **self.kernel.manifest(),
            **{key: value for key, value in change.items() if value},
        }
        return {**record, "kernel": kernel}


def changed_variant(directory: Path, name: str) -> Variant:
    """Returns the variant of a changed kernel; `directory` has the variants' files.

    Raises ConfigError.
    """
    recipe = load_kernel_recipe(name)
    description = "the default image, with a changed kernel"
    base = extended_fields(directory, recipe.change.extends, description)
    return ChangedVariant.model_validate({**base, "layout": recipe.layout, "recipe": recipe})
