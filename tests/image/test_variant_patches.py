# SPDX-License-Identifier: BSD-3-Clause
"""The kernel patches that only some variants have."""

import hashlib
import re
import subprocess
from pathlib import Path
from unittest.mock import patch

import pytest

from osgap.base.config import ConfigError
from osgap.base.paths import project_root
from osgap.image.builder.variant import load_variant
from osgap.image.builder.variantkernels import ChangedVariant
from osgap.image.builder.variantparts import PATCHES
from osgap.image.kernelrecipe import KernelChange, KernelRecipe, patch_of

DISK = project_root() / "disk-images"
LIMIT = project_root() / PATCHES / "giant-spin-limit.patch"
LIMITED = sorted(DISK.glob("variants/smp-adaptive-*us.toml"))


def variant_file(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(f'description = "{name}"\n{text}')
    return path


def test_a_variant_has_the_patches_of_those_that_it_combines_once(tmp_path: Path) -> None:
    variant_file(tmp_path, "one", '[kernel]\npatches = ["b"]\n')
    mine = variant_file(tmp_path, "mine", 'combines = ["one"]\n[kernel]\npatches = ["a", "b"]\n')
    folder = tmp_path / PATCHES
    folder.mkdir(parents=True)
    for name in "ab":
        (folder / f"{name}.patch").write_text(name)
    with patch("osgap.image.builder.variantparts.project_root", lambda: tmp_path):
        variant = load_variant(mine)
        assert variant.patches == (folder / "b.patch", folder / "a.patch")
        assert variant.has_own_kernel
        records = variant.kernel.manifest()["patches"]
    assert records == [
        {"name": f"{name}.patch", "sha256": hashlib.sha256(name.encode()).hexdigest()}
        for name in "ba"
    ]


@pytest.mark.parametrize("name", ["absent", "../patches/0005-giant-vfs", "giant-spin-limit.patch"])
def test_a_patch_that_is_not_in_the_folder_is_named(tmp_path: Path, name: str) -> None:
    path = variant_file(tmp_path, "mine", f'[kernel]\npatches = ["{name}"]\n')
    with pytest.raises(ConfigError) as caught:
        load_variant(path)
    assert str(caught.value).startswith(f"{path}: kernel.patches.0: found '{name}'; allowed: ")
    assert "giant-spin-limit" in str(caught.value).partition("allowed: ")[2]


def test_a_users_patches_follow_the_variants_own() -> None:
    recipe = KernelRecipe(
        change=KernelChange(extends=LIMITED[0].stem, patches=(patch_of(b"x", "mine.patch"),)),
        layout=0,
    )
    base = load_variant(LIMITED[0]).model_dump()
    variant = ChangedVariant.model_validate({**base, "recipe": recipe})
    assert [path.name for path in variant.patches] == [LIMIT.name, "0000-mine.patch"]
    kernel = variant.manifest(recipe.variant, [])["kernel"]
    assert isinstance(kernel, dict)
    assert [record["name"] for record in kernel["patches"]] == [LIMIT.name, "mine.patch"]
    assert kernel["command_line"] == load_variant(LIMITED[0]).kernel.command_line


def test_limits_to_spinning_differ_in_a_number_alone() -> None:
    assert [path.stem for path in LIMITED] == [f"smp-adaptive-{n}us" for n in (100, 10, 40)]
    base = load_variant(DISK / "variants" / "smp-adaptive.toml")
    for path in LIMITED:
        variant = load_variant(path)
        limit = re.fullmatch(r"smp-adaptive-(\d+)us", path.stem)
        assert limit and variant.patches == (LIMIT,)
        assert variant.kernel.command_line == f"giant_vfs=adaptive giant_spin_us={limit[1]}"
        assert (variant.kernel.options, variant.suites) == (base.kernel.options, base.suites)


@pytest.mark.build
def test_the_limit_to_spinning_fits_the_lock(tmp_path: Path) -> None:
    """Applies it to the one file that it changes, which patch 0005 adds."""
    lock = (DISK / "kernel" / "patches" / "0005-giant-vfs.patch").read_text(encoding="utf-8")
    new_file = re.search(
        r"^--- /dev/null\n\+\+\+ b/fs/giant_vfs\.c\n.*?(?=^--- )", lock, re.M | re.S
    )
    assert new_file
    files = re.findall(r"^\+\+\+ b/(.*)$", LIMIT.read_text(encoding="utf-8"), re.MULTILINE)
    assert files == ["fs/giant_vfs.c"]
    for text in (new_file[0], LIMIT.read_text(encoding="utf-8")):
        argv = ["patch", "-p1", "--forward", "--batch", "--fuzz=0", "-d", str(tmp_path)]
        done = subprocess.run(argv, input=text, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout
    assert "giant_spin_us" in (tmp_path / "fs" / "giant_vfs.c").read_text(encoding="utf-8")
