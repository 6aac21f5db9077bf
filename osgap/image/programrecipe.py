# SPDX-License-Identifier: BSD-3-Clause
"""Recipes: image variants with a user's programs, named by a digest of their content.

A recipe and copies of the programs' files lie in build/variants/NAME/program, not in
disk-images/variants. Its variant is then used as any other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from osgap.base.digest import record_digest
from osgap.base.frozen import Frozen
from osgap.image.recipefolder import RecipeRecord, load_record, write_folder
from osgap.image.variants import DEFAULT, PROGRAMS, image_directory

Content = Mapping[str, bytes]
"""Contents of files, by their paths in a program's folder."""
SUITE = "program"
"""The suite of users' programs."""
_FILES = "files"
_DIGITS = 12
_VARIANT = re.compile(rf"(?:([A-Za-z0-9_][A-Za-z0-9_-]*)-)?{SUITE}-[0-9a-f]{{{_DIGITS}}}")


class File(Frozen):
    """A file of a program, with its path in the program's folder."""

    path: str
    sha256: str
    executable: bool


class Program(Frozen):
    """A program: the file to start in its folder, with `args`; or the one file of C to make it."""

    name: str
    start: str
    args: tuple[str, ...]
    source: bool
    files: tuple[File, ...]

    @classmethod
    def of(
        cls,
        name: str,
        start: str,
        args: Sequence[str],
        content: Content,
        executable: frozenset[str],
        *,
        is_source: bool,
    ) -> Program:
        """Returns the program of these files; those in `executable` may be executed."""
        files = tuple(
            File(
                path=path,
                sha256=hashlib.sha256(data).hexdigest(),
                executable=path in executable and not is_source,
            )
            for path, data in sorted(content.items())
        )
        return cls(name=name, start=start, args=tuple(args), source=is_source, files=files)

    @property
    def benchmark(self) -> str:
        """The program's name in `sweep --run`."""
        return f"{SUITE}/{self.name}"

    @property
    def installed(self) -> tuple[tuple[str, int], ...]:
        """The program's files in the guest: paths in its folder, with their modes."""
        if self.source:
            return ((self.start, 0o755),)
        return tuple((file.path, 0o755 if file.executable else 0o644) for file in self.files)

    @property
    def folder(self) -> str:
        """The program's folder in the guest."""
        return f"{PROGRAMS}/{self.name}"


class Recipe(RecipeRecord):
    """The programs that a variant adds to the variant that it `extends`."""

    extends: str = DEFAULT
    program: tuple[Program, ...]

    @property
    def variant(self) -> str:
        """The variant's name, with a digest of the recipe."""
        name = f"{SUITE}-{record_digest(self.model_dump(mode='json'))[:_DIGITS]}"
        return name if self.extends == DEFAULT else f"{self.extends}-{name}"


def receiver_of(variant: str) -> str:
    """Returns the name of the variant that takes programs in after its boot, else as `variant`."""
    return f"{variant}-receiver"


def is_recipe(variant: str) -> bool:
    """Returns True for the name of a recipe's variant."""
    return _VARIANT.fullmatch(variant) is not None


def folder_of(variant: str) -> Path:
    """Returns the folder of a recipe."""
    return image_directory(variant).parent / SUITE


def file_of(variant: str, program: Program, path: str) -> Path:
    """Returns the path of the recipe's copy of a program's file."""
    return folder_of(variant) / _FILES / program.name / path


def load_recipe(variant: str) -> Recipe:
    """Returns the recipe of a variant. Raises ConfigError."""
    return load_record(folder_of(variant), Recipe, variant, "repeat the command with --program")


def write_recipe(recipe: Recipe, contents: Sequence[Content]) -> None:
    """Writes a recipe and its programs' `contents` unless they exist. Raises OSError."""
    files = {
        f"{_FILES}/{program.name}/{path}": data
        for program, content in zip(recipe.program, contents, strict=True)
        for path, data in content.items()
    }
    write_folder(folder_of(recipe.variant), recipe, files)
