# SPDX-License-Identifier: BSD-3-Clause
"""Reads and writes the folder of a recipe: its record and copies of a user's files.

A folder is written whole or not at all.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from osgap.base import durable, inputs
from osgap.base.config import ConfigError, parse_json_model
from osgap.base.frozen import Frozen

_RECORD = "recipe.json"


class RecipeRecord(Frozen):
    """A recipe, which names its variant by its content."""

    @property
    def variant(self) -> str:
        """The variant's name."""
        raise NotImplementedError


Kind = TypeVar("Kind", bound=RecipeRecord)


def load_record(folder: Path, kind: type[Kind], variant: str, remedy: str) -> Kind:
    """Returns the recipe in `folder`. Raises ConfigError if it is missing or of another variant.

    `remedy` says what writes it again.
    """
    path = folder / _RECORD
    try:
        recipe = parse_json_model(inputs.read_bytes(path), kind, str(path))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}; {remedy}") from None
    if recipe.variant != variant:
        raise ConfigError(f"{path}: is the recipe of {recipe.variant}; allowed: that of {variant}")
    return recipe


def write_folder(target: Path, recipe: RecipeRecord, files: Mapping[str, bytes]) -> None:
    """Writes a recipe and `files`, by path, into `target` unless they exist. Raises OSError."""
    record = json.dumps(recipe.model_dump(mode="json"), indent=1, sort_keys=True) + "\n"
    contents = {_RECORD: record.encode(), **files}
    if _holds(target, contents):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    durable.clear_leftovers(target.parent)
    with durable.whole_directory(target) as pending:
        for name, data in contents.items():
            (pending / name).parent.mkdir(parents=True, exist_ok=True)
            (pending / name).write_bytes(data)
        shutil.rmtree(target, ignore_errors=True)


def _holds(folder: Path, files: Mapping[str, bytes]) -> bool:
    try:
        return all(inputs.read_bytes(folder / name) == data for name, data in files.items())
    except OSError:
        return False
