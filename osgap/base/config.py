# SPDX-License-Identifier: BSD-3-Clause
"""Reads TOML and JSON into typed models; errors name file and key, what was found and allowed."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from osgap.base import inputs
from osgap.base.errors import OsgapError
from osgap.base.quoting import reason, shortened
from osgap.base.suggestions import hint
from osgap.base.validation import sentence

Model = TypeVar("Model", bound=BaseModel)
Location = tuple[int | str, ...]
"""The keys that lead to a value, from the top of a file."""
_LARGEST = 16 << 20
"""Bytes of a configuration file or a record."""
_TELL = 3
# Of names that are known, characters.
_KNOWN = 500


class ConfigError(OsgapError):
    """A configuration file that cannot be used."""


def read_model(path: Path, model: type[Model]) -> Model:
    """The model that the TOML file at `path` describes.

    Raises ConfigError when the file is missing, is not TOML or does not fit the model.
    """
    return validate(read_toml(path), model, str(path))


def read_toml(path: Path) -> dict[str, Any]:
    """The table that the TOML file at `path` is. Raises ConfigError."""
    try:
        return tomllib.loads(inputs.read_text(path, largest=_LARGEST))
    except FileNotFoundError:
        folder, known = known_files(path)
        name = path.relative_to(folder).with_suffix("").as_posix()
        told = f"{hint(name, known)}known here: {shortened(', '.join(known), _KNOWN) or 'none'}"
        raise ConfigError(f"{path}: no such file; {told}") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not readable as TOML: {reason(error)}") from None


def read_json_model(path: Path, model: type[Model]) -> Model:
    """The model that the JSON file at `path` describes. Raises ConfigError."""
    try:
        content = inputs.read_bytes(path, largest=_LARGEST)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    return parse_json_model(content, model, str(path))


def parse_json_model(content: bytes, model: type[Model], where: str) -> Model:
    """The model that the JSON text `content` describes; `where` names it. Raises ConfigError."""
    return validate(parse_json(content, where), model, where)


def parse_json(content: bytes, where: str, *, not_finite: bool = False) -> Any:
    """The value that the JSON text `content` is; `where` names it.

    Raises ConfigError, also for a key that is given twice, for numbers that are too large and,
    but with `not_finite`, for NaN and Infinity, which Python's writer has.
    """
    try:
        return json.loads(
            inputs.decoded(content),
            object_pairs_hook=_object,
            parse_constant=float if not_finite else _not_a_number,
            parse_float=_finite,
        )
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{where}: not readable as JSON: {reason(error)}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {shortened(repr(twice))} is there twice")
    return made


def _not_a_number(word: str) -> NoReturn:
    raise ValueError(f"found {word}; allowed: a finite number")


def _finite(word: str) -> float:
    number = float(word)
    if not math.isfinite(number):
        _not_a_number(shortened(word))
    return number


def known_files(path: Path) -> tuple[Path, list[str]]:
    """The folder of files like the one at `path`, and their names there, with folders.

    It is the folder above, if that has such files: paper/DS3100 is one of configs/machines.
    """
    above = path.parent.parent
    folder = above if any(above.glob("*.toml")) else path.parent
    files = [*folder.glob("*.toml"), *folder.glob("*/*.toml")]
    names = (file.relative_to(folder).with_suffix("").as_posix() for file in files if file != path)
    return folder, sorted(names)


def validate(data: Any, model: type[Model], where: str | Callable[[Location], str]) -> Model:
    """`data` as a `model`. Raises ConfigError.

    `where` names the data's origin in errors, or that of the key at a location.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise ConfigError(_told(error, model, where)) from None


def _told(
    error: ValidationError, model: type[BaseModel], where: str | Callable[[Location], str]
) -> str:
    """A sentence for each of the first faults, and how many more there are."""
    every = error.errors(include_url=False)
    # A list with a wrong value in it is then too short as well.
    faults = [one for one in every if one["type"] != "too_short" or not _has_inner(one, every)]
    told = [
        f"{where if isinstance(where, str) else where(one['loc'])}: {sentence(one, model)}"
        for one in faults[:_TELL]
    ]
    if len(faults) > _TELL:
        told.append(f"and {len(faults) - _TELL} more")
    return "; ".join(told)


def _has_inner(fault: ErrorDetails, every: list[ErrorDetails]) -> bool:
    place = fault["loc"]
    return any(len(one["loc"]) > len(place) == _common(one["loc"], place) for one in every)


def _common(one: Location, other: Location) -> int:
    return sum(a == b for a, b in zip(one, other, strict=False))
