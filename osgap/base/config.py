# SPDX-License-Identifier: BSD-3-Clause
"""Reads TOML and JSON into typed models; errors name file, key, found and allowed value."""

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
from osgap.base.suggestions import alternatives
from osgap.base.validation import sentences
from osgap.base.written import WrittenFloat

Model = TypeVar("Model", bound=BaseModel)
Location = tuple[int | str, ...]
"""The keys that lead to a value, from the top of a file."""
_LARGEST = 16 << 20
"""Bytes of a configuration file or a record."""
_MOST_FAULTS = 3
"""Faults of one file that an error describes; it counts the others."""


class ConfigError(OsgapError):
    """A configuration file that cannot be used."""


def read_model(path: Path, model: type[Model]) -> Model:
    """Returns the model that the TOML file at `path` describes.

    Raises ConfigError when the file is missing, is not TOML or does not fit the model.
    """
    return validate(read_toml(path), model, str(path))


def read_toml(path: Path) -> dict[str, Any]:
    """Returns the content of the TOML file at `path`. Raises ConfigError."""
    try:
        text = inputs.read_text(path, largest=_LARGEST)
        return tomllib.loads(text, parse_float=WrittenFloat)
    except FileNotFoundError:
        folder, names = known_files(path)
        name = path.relative_to(folder).with_suffix("").as_posix()
        near = alternatives(folder.name.removesuffix("s"), name, names)
        raise ConfigError(f"{path}: no such file; {near}") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not readable as TOML: {reason(error)}") from None


def read_json_model(path: Path, model: type[Model]) -> Model:
    """Returns the model that the JSON file at `path` describes. Raises ConfigError."""
    try:
        content = inputs.read_bytes(path, largest=_LARGEST)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    return parse_json_model(content, model, str(path))


def parse_json_model(content: bytes, model: type[Model], where: str) -> Model:
    """Returns the model of a JSON text, which errors call `where`. Raises ConfigError."""
    return validate(parse_json(content, where), model, where)


def parse_json(content: bytes, where: str, *, not_finite: bool = False) -> Any:
    """Returns the value of a JSON text, which errors call `where`.

    `not_finite` permits NaN and Infinity, which are not JSON but which Python's json writes.
    Raises ConfigError, also for a repeated key and for a number too large for a float.
    """
    try:
        return decoder(not_finite=not_finite).decode(inputs.decoded(content))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{where}: not readable as JSON: {reason(error)}") from None


def decoder(*, not_finite: bool) -> json.JSONDecoder:
    """Returns the decoder of `parse_json`, which raises ValueError."""
    return json.JSONDecoder(
        object_pairs_hook=unrepeated,
        parse_constant=float if not_finite else _not_a_number,
        parse_float=_finite,
    )


def unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns the members of a JSON object. Raises ValueError for a key that is there twice."""
    table = dict(pairs)
    if len(table) != len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {shortened(repr(repeated))} is there twice")
    return table


def _not_a_number(word: str) -> NoReturn:
    raise ValueError(f"found {word}; allowed: a finite number")


def _finite(word: str) -> float:
    number = float(word)
    if not math.isfinite(number):
        _not_a_number(shortened(word))
    return number


def known_files(path: Path) -> tuple[Path, list[str]]:
    """Returns the folder of the TOML files beside `path`, and their names, without `path`.

    The folder is the parent's parent if that holds TOML files too: configs/machines for
    configs/machines/paper/DS3100.toml. Names are relative to it and have no suffix.
    """
    above = path.parent.parent
    folder = above if any(above.glob("*.toml")) else path.parent
    files = [*folder.glob("*.toml"), *folder.glob("*/*.toml")]
    names = (file.relative_to(folder).with_suffix("").as_posix() for file in files if file != path)
    return folder, sorted(names)


def validate(data: Any, model: type[Model], where: str | Callable[[Location], str]) -> Model:
    """Returns `data` as a `model`. Raises ConfigError.

    `where` names the data's origin in errors, or returns the name for a location.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise ConfigError(_explanation(error, model, where)) from None


def _explanation(
    error: ValidationError, model: type[BaseModel], where: str | Callable[[Location], str]
) -> str:
    """Returns a sentence for each of the first faults, and the number of the others."""
    details = error.errors(include_url=False)
    # pydantic also calls a list too short when a value in it is wrong.
    faults = [
        fault for fault in details if fault["type"] != "too_short" or not _has_inner(fault, details)
    ]
    first = faults[:_MOST_FAULTS]
    clauses = [
        f"{where if isinstance(where, str) else where(fault['loc'])}: {sentence}"
        for fault, sentence in zip(first, sentences(first, model), strict=True)
    ]
    if len(faults) > _MOST_FAULTS:
        clauses.append(f"and {len(faults) - _MOST_FAULTS} more")
    return "; ".join(clauses)


def _has_inner(fault: ErrorDetails, details: list[ErrorDetails]) -> bool:
    outer = fault["loc"]
    return any(
        len(detail["loc"]) > len(outer) and detail["loc"][: len(outer)] == outer
        for detail in details
    )
