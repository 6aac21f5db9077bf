# SPDX-License-Identifier: BSD-3-Clause
"""Reads TOML and JSON into typed models; errors name file and key, what was found and allowed."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from osgap.errors import OsgapError

Model = TypeVar("Model", bound=BaseModel)


class ConfigError(OsgapError):
    """A configuration file that cannot be used."""


def read_model(path: Path, model: type[Model]) -> Model:
    """The model that the TOML file at `path` describes.

    Raises ConfigError when the file is missing, is not TOML or does not fit the model.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        known = ", ".join(sorted(p.stem for p in path.parent.glob("*.toml"))) or "none"
        raise ConfigError(f"{path}: no such file; known here: {known}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not readable as TOML: {error}") from None
    return validate(data, model, str(path))


def read_json_model(path: Path, model: type[Model]) -> Model:
    """The model that the JSON file at `path` describes. Raises ConfigError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not readable as JSON: {error}") from None
    return validate(data, model, str(path))


def validate(data: Any, model: type[Model], where: str) -> Model:
    """`data` as a `model`; `where` names its origin in errors (ConfigError)."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise ConfigError("; ".join(_sentences(error, model, where))) from None


def _sentences(error: ValidationError, model: type[BaseModel], where: str) -> list[str]:
    return [_sentence(dict(item), model, where) for item in error.errors()]


def _sentence(item: dict[str, Any], model: type[BaseModel], where: str) -> str:
    key = ".".join(str(part) for part in item["loc"]) or "the file"
    if item["type"] == "extra_forbidden":
        allowed = ", ".join(_keys_at(model, item["loc"][:-1]))
        return f"{where}: {key}: unknown key; allowed: {allowed}"
    if item["type"] == "missing":
        return f"{where}: {key}: missing"
    message = str(item["msg"]).removeprefix("Value error, ")
    return f"{where}: {key}: found {item['input']!r}; allowed: {message}"


def _keys_at(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    current: type[BaseModel] = model
    for part in path:
        field = current.model_fields.get(str(part))
        inner = field.annotation if field else None
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return ["(see the documentation)"]
        current = inner
    return sorted(current.model_fields)
