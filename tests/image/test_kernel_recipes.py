# SPDX-License-Identifier: BSD-3-Clause
"""Recipes of changed kernels: their names, files and variants; no kernel is built here."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from osgap.base.config import ConfigError
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.image import kernelrecipe
from osgap.image.builder import kernel, steps
from osgap.image.builder.variantselection import select_variants
from osgap.image.kernelrecipe import (
    KernelChange,
    KernelRecipe,
    KernelSource,
    is_kernel_recipe,
    load_kernel_recipe,
    patch_files,
    patch_of,
    write_kernel_recipe,
)

VARIANTS = project_root() / "disk-images" / "variants"


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Path]:
    """A folder in place of build/variants."""
    with patch.object(kernelrecipe, "image_directory", lambda name: tmp_path / name / "image"):
        yield tmp_path


def _recipe(
    extends: str = "default", name: str = "a b;$(x).patch", layout: int = 2
) -> KernelRecipe:
    change = KernelChange(extends=extends, patches=(patch_of(b"content", name),))
    return KernelRecipe(change=change, layout=layout)


def test_a_recipe_comes_back_with_its_patches(build: Path) -> None:
    recipe = _recipe()
    write_kernel_recipe(recipe, [b"content"])
    assert load_kernel_recipe(recipe.variant) == recipe
    (copy,) = patch_files(recipe)
    assert copy.read_bytes() == b"content" and copy.name == "0000-a_b___x_.patch"
    assert is_kernel_recipe(recipe.variant) and is_kernel_recipe(_recipe("smp").variant)


@pytest.mark.parametrize(
    "name", ["kernel", "kernel-12-layout-1", "layout-1", "program-0123456789ab"]
)
def test_other_names_are_no_recipes(name: str) -> None:
    assert not is_kernel_recipe(name)


def test_the_variant_has_the_options_of_the_one_that_it_extends(build: Path) -> None:
    recipe = _recipe("smp")
    write_kernel_recipe(recipe, [b"content"])
    plain = select_variants(VARIANTS, "smp")["smp"]
    (variant,) = select_variants(VARIANTS, recipe.variant).values()
    assert variant.kernel == plain.kernel and variant.extractions and variant.layout == 2
    assert variant.has_own_kernel and variant.extends == "smp"
    assert [path.name for path in variant.patches] == ["0000-a_b___x_.patch"]
    described = variant.manifest(recipe.variant, [])["kernel"]
    assert isinstance(described, dict) and described["patches"][0]["name"] == "a b;$(x).patch"


def test_without_a_change_it_is_the_default_kernel_in_a_layout(build: Path) -> None:
    recipe = KernelRecipe(change=KernelChange(), layout=3)
    write_kernel_recipe(recipe, [])
    (variant,) = select_variants(VARIANTS, recipe.variant).values()
    assert not variant.has_own_kernel and variant.layout == 3 and variant.patches == ()
    assert variant.manifest("x", [])["kernel"] == {"options": [], "command_line": ""}


def test_a_recipe_that_is_lost_or_another_one_is_refused(build: Path) -> None:
    recipe, other = _recipe(), _recipe(layout=5)
    with pytest.raises(ConfigError, match="repeat the command osgap kernel-ab"):
        load_kernel_recipe(recipe.variant)
    write_kernel_recipe(recipe, [b"content"])
    (build / recipe.variant).rename(build / other.variant)
    with pytest.raises(ConfigError, match=f"is the recipe of {recipe.variant}"):
        load_kernel_recipe(other.variant)


def test_a_tree_that_was_changed_since_is_refused(tmp_path: Path) -> None:
    for file in ("Kbuild", "arch/riscv/Kconfig"):
        (tmp_path / "linux" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "linux" / file).write_text("x")
    tree, record = tmp_path / "linux", tmp_path / "linux.json"
    digest = kernel.source_digest(tree)
    steps.record_tree(tree, digest, record)
    inputs = steps.KernelInputs(record, tmp_path, (), tree)
    settings = steps.Settings(cache=tmp_path, jobs=1, kernel_source=None)
    assert inputs.tree(settings).source == tree and inputs.tree(settings).source_digest == digest
    (tree / "Kbuild").write_text("longer")
    with pytest.raises(OsgapError, match="was changed since the command began"):
        steps.record_tree(tree, digest, record)


def test_the_source_of_a_change_is_in_the_name_and_the_record(build: Path) -> None:
    change = KernelChange(source=KernelSource(path="/home/me/linux", digest="0" * 64))
    recipe = KernelRecipe(change=change, layout=0)
    write_kernel_recipe(recipe, [])
    (variant,) = select_variants(VARIANTS, recipe.variant).values()
    assert variant.source_tree == ("/home/me/linux", "0" * 64) and variant.has_own_kernel
