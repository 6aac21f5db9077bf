# SPDX-License-Identifier: BSD-3-Clause
"""The recipe of an image variant with a user's programs, known by its content.

It is written below build/variants/NAME, with copies of the programs' files, and not into
disk-images/variants. From then on the variant is one as any other.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from osgap.base import durable, inputs
from osgap.base.config import ConfigError, parse_json_model
from osgap.base.digest import record_digest
from osgap.base.frozen import Frozen
from osgap.image.variants import DEFAULT, PROGRAMS, image_directory

Content = Mapping[str, bytes]
"""Files by their paths in a program's folder."""
SUITE = "program"
"""The suite that they are benchmarks of."""
_RECIPE, _LIST, _FILES = "recipe.json", "list.c", "files"
_DIGITS = 12
_VARIANT = re.compile(rf"(?:([A-Za-z0-9_][A-Za-z0-9_-]*)-)?{SUITE}-[0-9a-f]{{{_DIGITS}}}")
_PLAIN = re.compile(rb"[A-Za-z0-9_./=,:+-]")


class File(Frozen):
    """A file of a program, by its path in the program's folder."""

    path: str
    sha256: str
    executable: bool


class Program(Frozen):
    """A program: `start` is the file that is started, in its folder, with `args`.

    With `source` its one file is C, which the image's compiler makes `start` of.
    """

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
        """The program of these files."""
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
        """What `sweep --run` calls it."""
        return f"{SUITE}/{self.name}"

    @property
    def installed(self) -> tuple[tuple[str, int], ...]:
        """What of it is in the guest: paths in its folder, with their modes."""
        if self.source:
            return ((self.start, 0o755),)
        return tuple((file.path, 0o755 if file.executable else 0o644) for file in self.files)

    @property
    def folder(self) -> str:
        """Where it is in the guest."""
        return f"{PROGRAMS}/{self.name}"


class Recipe(Frozen):
    """What a variant adds to the variant that it `extends`: programs."""

    extends: str = DEFAULT
    program: tuple[Program, ...]

    @property
    def variant(self) -> str:
        """The variant's name, which tells its content."""
        own = f"{SUITE}-{record_digest(self.model_dump(mode='json'))[:_DIGITS]}"
        return own if self.extends == DEFAULT else f"{self.extends}-{own}"


def is_recipe(variant: str) -> bool:
    """Whether a variant's name is that of a recipe."""
    return _VARIANT.fullmatch(variant) is not None


def folder_of(variant: str) -> Path:
    """Where a recipe's own files are."""
    return image_directory(variant).parent / SUITE


def list_file(variant: str) -> Path:
    """The C file that makes benchmarks of the programs."""
    return folder_of(variant) / _LIST


def file_of(variant: str, program: Program, path: str) -> Path:
    """The copy of a program's file."""
    return folder_of(variant) / _FILES / program.name / path


def load_recipe(variant: str) -> Recipe:
    """The recipe of a variant that was written before. Raises ConfigError."""
    path = folder_of(variant) / _RECIPE
    try:
        recipe = parse_json_model(inputs.read_bytes(path), Recipe, str(path))
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be read: {error.strerror}; repeat the command with --program"
        ) from None
    if recipe.variant != variant:
        raise ConfigError(f"{path}: is the recipe of {recipe.variant}; allowed: that of {variant}")
    return recipe


def write_recipe(recipe: Recipe, contents: Sequence[Content]) -> None:
    """Writes a recipe and its files, of each program in its order, unless they are there.

    Raises OSError.
    """
    target, wanted = folder_of(recipe.variant), _files_of(recipe, contents)
    if _holds(target, wanted):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    durable.clear_leftovers(target.parent)
    with durable.whole_directory(target) as pending:
        for name, data in wanted.items():
            (pending / name).parent.mkdir(parents=True, exist_ok=True)
            (pending / name).write_bytes(data)
        shutil.rmtree(target, ignore_errors=True)


def _files_of(recipe: Recipe, contents: Sequence[Content]) -> dict[str, bytes]:
    """All files of a recipe's folder, by their paths there."""
    record = json.dumps(recipe.model_dump(mode="json"), indent=1, sort_keys=True) + "\n"
    return {
        _RECIPE: record.encode(),
        _LIST: c_list(recipe.program).encode(),
        **{
            f"{_FILES}/{program.name}/{path}": data
            for program, content in zip(recipe.program, contents, strict=True)
            for path, data in content.items()
        },
    }


def _holds(folder: Path, wanted: Mapping[str, bytes]) -> bool:
    try:
        return all(inputs.read_bytes(folder / name) == data for name, data in wanted.items())
    except OSError:
        return False


def c_list(programs: Sequence[Program]) -> str:
    """The C file that registers the programs; disk-images/program/program.c runs them."""
    lines = ['#include "program.h"', ""]
    for program in programs:
        words = (f"{program.folder}/{program.start}", *program.args)
        told = ", ".join(map(_literal, words))
        lines.append(f"static char *const argv_{program.name}[] = {{{told}, 0}};")
    lines += ["", "const struct program programs[] = {"]
    lines += [f"    {{{_literal(program.folder)}, argv_{program.name}}}," for program in programs]
    lines += ["};", ""]
    for at, program in enumerate(programs):
        lines += [
            f'BENCHMARK({program.name}, .metric = "ms", .count = 1, .batches = 1, .arg = {at},',
            "          .flags = BENCH_NO_WARM_UP, .setup = program_setup,",
            "          .before = program_before, .body = program_body,",
            "          .teardown = program_teardown);",
        ]
    return "\n".join(lines) + "\n"


def _literal(text: str) -> str:
    """A C string: all but plain characters as three octal digits, which end by themselves."""
    parts = (bytes([one]) for one in text.encode())
    told = (part.decode() if _PLAIN.match(part) else f"\\{part[0]:03o}" for part in parts)
    return f'"{"".join(told)}"'
