# SPDX-License-Identifier: BSD-3-Clause
"""The image of a user's own programs: its recipe, its files and its digests."""

import hashlib
import json
from pathlib import Path

import pytest
from elves import elf

from osgap.base import durable
from osgap.base.config import ConfigError
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.image import programrecipe
from osgap.image.builder import cpio, programarchive
from osgap.image.builder.variantselection import select_variants
from osgap.image.files import (
    CONTENTS,
    IMAGE_FILES,
    PROGRAMS_FILE,
    RECORD,
    Image,
    ImageError,
    load_image,
)
from osgap.image.programrecipe import Recipe, is_recipe, load_recipe, receiver_of, write_recipe
from osgap.image.programs import read_programs
from osgap.image.variants import names
from osgap.rundir.image_copy import copy_image

VARIANTS = project_root() / "disk-images" / "variants"


def test_an_image_is_known_by_all_that_its_programs_are(program: Path, tmp_path: Path) -> None:
    def variant(*args: str, extends: str = "default") -> str:
        return Recipe(extends=extends, program=read_programs([program], args)[0]).variant

    first = variant()
    assert is_recipe(first) and variant() == first and first.startswith("program-")
    found = {first, variant("a"), variant("b"), variant(extends="musl"), variant("a b")}
    program.write_bytes(elf() + b"\0")
    found.add(variant())
    program.rename(tmp_path / "another")
    program = tmp_path / "another"
    found.add(variant())
    assert len(found) == 7
    assert variant(extends="musl").startswith("musl-program-") and is_recipe(variant("c"))
    assert not any(
        map(is_recipe, [*names(VARIANTS), "default", "program-x", "../program-" + 12 * "0"])
    )


def test_a_recipe_is_a_variant_for_scons(program: Path, recipes: Path) -> None:
    made, contents = read_programs([program], ["-x"])
    recipe = Recipe(extends="musl", program=made)
    write_recipe(recipe, contents)
    assert load_recipe(recipe.variant) == recipe
    chosen = select_variants(VARIANTS, recipe.variant)
    assert list(chosen) == ["musl-receiver", recipe.variant]
    receiver, variant = chosen.values()
    assert variant.programs.libc == "musl" and variant.added == made and not variant.receives
    assert receiver.programs.libc == "musl" and receiver.receives and not receiver.added
    plain = select_variants(VARIANTS, "musl")["musl"]
    assert not plain.added and not plain.receives
    copied = programrecipe.file_of(recipe.variant, made[0], "my-Bench.riscv")
    assert copied.read_bytes() == elf()
    assert "program-" not in " ".join(select_variants(VARIANTS, "all"))
    stamp = copied.stat().st_mtime_ns
    write_recipe(recipe, contents)
    assert copied.stat().st_mtime_ns == stamp
    copied.write_bytes(b"changed")
    write_recipe(recipe, contents)
    assert copied.read_bytes() == elf() and list(recipes.rglob("*.partial")) == []


def test_a_recipe_that_is_none_is_a_sentence(program: Path, recipes: Path) -> None:
    made, contents = read_programs([program], [])
    recipe = Recipe(program=made)
    with pytest.raises(ConfigError, match="repeat the command with --program"):
        select_variants(VARIANTS, recipe.variant)
    write_recipe(recipe, contents)
    other = f"program-{12 * '0'}"
    (recipes / recipe.variant).rename(recipes / other)
    with pytest.raises(ConfigError, match=f"is the recipe of {recipe.variant}; allowed: that of"):
        select_variants(VARIANTS, other)
    (recipes / other / "program" / "recipe.json").write_text("{")
    with pytest.raises(ConfigError, match=r"recipe\.json"):
        select_variants(VARIANTS, other)


def receiver_image(folder: Path) -> list[Path]:
    """The files of an image that could take programs in, each of a few bytes."""
    folder.mkdir()
    record = {"files": {"Image": "1"}, "variant": {"name": receiver_of("default"), "layout": 0}}
    texts = {**dict.fromkeys(IMAGE_FILES, "x"), CONTENTS: "[]", RECORD: json.dumps(record)}
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [folder / name for name in programarchive.COPIED]


def test_an_image_of_programs_is_its_receivers_and_an_archive(
    program: Path, tmp_path: Path
) -> None:
    made, (content,) = read_programs([program], ['-x "a b" "" é'])
    receiver, folder = receiver_image(tmp_path / "receiver"), tmp_path / "image"
    folder.mkdir()
    targets = [folder / name for name in programarchive.WRITTEN]
    files = [cpio.CpioEntry(f"{made[0].folder}/{made[0].start}", "file", 0o755, *content.values())]
    programarchive.build_image(receiver, files, made, "program-0", targets)
    assert all(path.is_file() for path in targets)
    entries = {one.path: one for one in cpio.read((folder / PROGRAMS_FILE).read_bytes())}
    assert list(entries) == [
        "/program",
        "/program/.list",
        "/program/my_bench_riscv",
        "/program/my_bench_riscv/my-Bench.riscv",
    ]
    assert entries["/program/my_bench_riscv/my-Bench.riscv"].data == elf()
    words = ["my_bench_riscv", "/program/my_bench_riscv", "5"]
    words += ["/program/my_bench_riscv/my-Bench.riscv", "-x", "a b", "", "é"]
    assert entries["/program/.list"].data.decode().split("\0") == [*words, ""]
    record = json.loads((folder / RECORD).read_text())
    assert record["files"][PROGRAMS_FILE] == durable.sha256(folder / PROGRAMS_FILE)
    assert record["variant"] == {
        "name": "program-0",
        "layout": 0,
        "program": [made[0].model_dump(mode="json")],
    }
    large = cpio.CpioEntry("/program/large", "file", 0o644, bytes(programarchive.ROOM))
    with pytest.raises(OsgapError, match="program: found 17 MiB of files; allowed: 16 MiB in all"):
        programarchive.build_image(receiver, [large], made, "program-0", targets)


def test_an_edit_changes_an_images_digest_and_not_its_boots(tmp_path: Path) -> None:
    """The key of a point is of the one, the checkpoint's of the other."""

    def image(archive: bytes | None) -> Image:
        texts = {name: f"the {name}".encode() for name in IMAGE_FILES}
        texts |= {} if archive is None else {PROGRAMS_FILE: archive}
        for name, data in texts.items():
            (tmp_path / name).write_bytes(data)
        record = {"files": {name: hashlib.sha256(data).hexdigest() for name, data in texts.items()}}
        (tmp_path / RECORD).write_text(json.dumps(record))
        return load_image(tmp_path)

    plain, first, second = image(None), image(b"1"), image(b"2")
    assert plain.programs is None and first.programs == tmp_path / PROGRAMS_FILE
    assert len({plain.digest, first.digest, second.digest}) == 3
    assert {image.boot_digest for image in (plain, first, second)} == {plain.digest}
    copied = copy_image(tmp_path / "run", second, {})
    assert copied.programs and copied.programs.read_bytes() == b"2"
    assert load_image(copied.directory) == second.__class__(
        copied.kernel, copied.firmware, second.digest
    )
    (tmp_path / PROGRAMS_FILE).write_bytes(b"3")
    with pytest.raises(ImageError, match=r"programs\.cpio: is not the file that image\.json names"):
        load_image(tmp_path)
    (tmp_path / PROGRAMS_FILE).unlink()
    with pytest.raises(ImageError, match=r"programs\.cpio: is not the file that image\.json names"):
        load_image(tmp_path)
