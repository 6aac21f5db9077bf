# SPDX-License-Identifier: BSD-3-Clause
"""Writes the folder of a recipe: its record and copies of a user's files, whole or not at all."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from osgap.base import durable, inputs
from osgap.base.frozen import Frozen

RECORD = "recipe.json"


def write_folder(target: Path, recipe: Frozen, files: Mapping[str, bytes]) -> None:
    """Writes RECORD and `files`, by path, into `target` unless they are there. Raises OSError."""
    record = json.dumps(recipe.model_dump(mode="json"), indent=1, sort_keys=True) + "\n"
    contents = {RECORD: record.encode(), **files}
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
