# SPDX-License-Identifier: BSD-3-Clause
"""A sweep of the user's own programs: image variants that have them, and their benchmarks."""

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
"""What runs beside programs where nothing is named: what R is relative to."""


def with_programs(sweep: SweepFile, variants: Sequence[str], known: Sequence[str]) -> SweepFile:
    """`sweep` of variants with its programs in them, whose recipes are written.

    `variants` are those that there are, `known` all benchmarks, as SUITE/NAME. Each program is a
    benchmark, run after those that the sweep names. Raises OsgapError and OSError.
    """
    programs, contents = read_programs([Path(one) for one in sweep.program], sweep.args)
    taken = {name.partition("/")[2]: name for name in known}
    for program in programs:
        if program.name in taken:
            raise ConfigError(
                f"program: found {program.name}, which is the benchmark {taken[program.name]}; "
                "allowed: a file of another name"
            )
    recipes = []
    for name in sweep.variant:
        if name not in (DEFAULT, *variants):
            raise ConfigError(unknown("variant", name, [DEFAULT, *variants]))
        recipes.append(Recipe(extends=name, program=programs))
    for recipe in recipes:
        write_recipe(recipe, contents)
    own = [program.benchmark for program in programs]
    others = [name for name in sweep.run if name != SUITE and name not in own]
    return sweep.model_copy(
        update={
            "variant": tuple(recipe.variant for recipe in recipes),
            "run": (*others, *own),
            "program": (),
            "args": (),
        }
    )


def settled(data: Mapping[str, object], folder: Path) -> dict[str, object]:
    """What a sweep file says, its programs' paths from the file's `folder` on."""
    paths = data.get("program", ())
    assert isinstance(paths, Sequence)
    own = [str(folder / path) for path in paths]
    return {**data, **({"program": own} if own else {})}
