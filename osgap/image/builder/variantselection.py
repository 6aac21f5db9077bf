# SPDX-License-Identifier: BSD-3-Clause
"""Selects the variants to build: those of files, and those of recipes.

A recipe extends a variant by a user's programs (osgap/image/programrecipe.py) or changes its kernel
(osgap/image/kernelrecipe.py).
"""

from __future__ import annotations

import re
from pathlib import Path

from osgap.base.config import ConfigError
from osgap.base.quoting import quoted
from osgap.image.builder.variant import Variant, extended_fields, load_variant
from osgap.image.builder.variantkernels import changed_variant
from osgap.image.kernelrecipe import is_kernel_recipe
from osgap.image.programrecipe import Program, Recipe, is_recipe, load_recipe, receiver_of
from osgap.image.variants import DEFAULT, VARIANT_NAME, names

_ALL = "all"


class ReceiverVariant(Variant):
    """A variant whose /init takes a user's programs in after the boot."""

    extended: str

    @property
    def extends(self) -> str:
        return self.extended

    @property
    def receives(self) -> bool:
        return True


class RecipeVariant(Variant):
    """A variant with a user's programs: the image of its receiver, and beside it their archive."""

    recipe: Recipe

    @property
    def added(self) -> tuple[Program, ...]:
        return self.recipe.program

    @property
    def extends(self) -> str:
        return self.recipe.extends


def _recipe_variants(directory: Path, name: str) -> dict[str, Variant]:
    """Returns the variant of a recipe, and before it that of its receiver. Raises ConfigError."""
    recipe = load_recipe(name)
    base = extended_fields(directory, recipe.extends, "the default image, with programs")
    return {
        receiver_of(recipe.extends): ReceiverVariant.model_validate(
            {**base, "extended": recipe.extends}
        ),
        name: RecipeVariant.model_validate({**base, "recipe": recipe}),
    }


def select_variants(directory: Path, selection: str) -> dict[str, Variant]:
    """Returns the variants of `variant=NAME,...` or `variant=all`, by name.

    A recipe brings its receiver. Raises ConfigError for an unknown or a broken variant.
    """
    files = names(directory)
    if DEFAULT in files:
        raise ConfigError(f"{directory / DEFAULT}.toml: the name is the default image's own")
    selected = files if selection == _ALL else selection.split(",")
    for name in selected:
        exists = name in (*files, DEFAULT) or is_recipe(name) or is_kernel_recipe(name)
        if not re.fullmatch(VARIANT_NAME, name) or not exists:
            allowed = ", ".join((DEFAULT, *files, _ALL))
            raise ConfigError(f"variant={selection}: found {quoted(name)}; allowed: {allowed}")
    chosen: dict[str, Variant] = {}
    for name in selected:
        if name in files:
            chosen[name] = load_variant(directory / f"{name}.toml")
        elif is_kernel_recipe(name):
            chosen[name] = changed_variant(directory, name)
        elif name != DEFAULT:
            chosen |= _recipe_variants(directory, name)
    return chosen
