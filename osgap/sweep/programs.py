# SPDX-License-Identifier: BSD-3-Clause
"""A sweep of the user's programs: the image variants that have them, and their benchmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from osgap.base.config import ConfigError
from osgap.base.suggestions import unknown
from osgap.image.programrecipe import SUITE, Recipe, write_recipe
from osgap.image.programs import read_programs
from osgap.image.variants import DEFAULT
from osgap.sweep.spec import SweepFile

ALONE = ("checks",)
"""Benchmarks that run beside programs if the user names none: R needs their rating."""


def with_programs(
    sweep: SweepFile, variants: Sequence[str], benchmarks: Sequence[str]
) -> SweepFile:
    """`sweep` on image variants that have its programs; writes the recipes of these variants.

    `variants` and `benchmarks` (as SUITE/NAME) are the existing ones. Each program is a benchmark,
    which runs after those that the sweep names. Raises OsgapError and OSError.
    """
    programs, contents = read_programs([Path(path) for path in sweep.program], sweep.args)
    existing = {name.partition("/")[2]: name for name in benchmarks}
    for program in programs:
        if program.name in existing:
            raise ConfigError(
                f"program: found {program.name}, which is the benchmark {existing[program.name]}; "
                "allowed: a file of another name"
            )
    recipes = []
    for name in sweep.variant:
        if name not in (DEFAULT, *variants):
            raise ConfigError(unknown("variant", name, [DEFAULT, *variants]))
        recipes.append(Recipe(extends=name, program=programs))
    for recipe in recipes:
        write_recipe(recipe, contents)
    program_names = [program.benchmark for program in programs]
    named = [name for name in sweep.run if name != SUITE and name not in program_names]
    return sweep.model_copy(
        update={
            "variant": tuple(recipe.variant for recipe in recipes),
            "run": (*named, *program_names),
            "program": (),
            "args": (),
        }
    )


def absolute_programs(data: Mapping[str, object], folder: Path) -> dict[str, object]:
    """A sweep file's content; the paths of its programs, relative to `folder`, made absolute."""
    paths = data.get("program", ())
    assert isinstance(paths, Sequence)
    programs = [str(folder / path) for path in paths]
    return {**data, **({"program": programs} if programs else {})}
