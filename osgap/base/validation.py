# SPDX-License-Identifier: BSD-3-Clause
"""Describes pydantic's validation errors as `KEY: found VALUE; allowed: VALUES`."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Union, cast, get_args, get_origin

from pydantic import BaseModel, BeforeValidator
from pydantic_core import ErrorDetails, PydanticCustomError

from osgap.base.quoting import quoted, shortened, visible

OUT_OF_RANGE = "out_of_range"
"""The type of osgap's own validation errors, which carry the found and the allowed value."""
_LONGEST_KEY = 120
_LONGEST_LIST = 300

Context = Mapping[str, Any]
_ALLOWED_TYPES = {
    "string_type": "a text",
    "float_type": "a number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a table",
    "mapping_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "finite_number": "a finite number",
    "none_required": "nothing",
}
"""Names of the allowed type, by pydantic's error type for a value of another type."""
_BY_BOUND: Mapping[str, Callable[[Context], str]] = {
    "greater_than": lambda context: f"more than {context['gt']:g}",
    "greater_than_equal": lambda context: f"{context['ge']:g} or more",
    "less_than": lambda context: f"less than {context['lt']:g}",
    "less_than_equal": lambda context: f"{context['le']:g} or less",
    "too_short": lambda context: f"at least {context['min_length']}",
    "too_long": lambda context: f"at most {context['max_length']}",
    "string_too_short": lambda context: f"a text of {context['min_length']} or more",
    "string_too_long": lambda context: f"{context['max_length']} characters or less",
    "string_pattern_mismatch": lambda context: f"what fits {context['pattern']}",
    "string_unicode": lambda context: "a text in UTF-8",
    "literal_error": lambda context: str(context["expected"]).replace(" or ", ", "),
    "enum": lambda context: str(context["expected"]).replace(" or ", ", "),
    "int_parsing_size": lambda context: "a smaller number",
    "value_error": lambda context: str(context["error"]),
    OUT_OF_RANGE: lambda context: str(context["allowed"]),
}
ERROR_KINDS = frozenset({*_ALLOWED_TYPES, *_BY_BOUND, "missing", "extra_forbidden"})
"""The error types that have a description."""


def out_of_range(value: object, allowed: str, key: str = "") -> PydanticCustomError:
    """Returns an error for a validator to raise: `value` is wrong, below its own key at `key`."""
    context = {"found": value, "allowed": allowed, "key": key}
    return PydanticCustomError(OUT_OF_RANGE, "out of range", context)


def check_number(
    value: object, low: float, high: float, unit: str = "", *, integer: bool = False
) -> None:
    """Raises `out_of_range` unless `value` is a number from `low` to `high`."""
    good = isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
    if not good or (integer and value != int(cast(float, value))):
        kind = "a whole number" if integer else "a number"
        raise out_of_range(value, f"{kind} from {low:g} to {high:g} {unit}".rstrip())


@dataclass(frozen=True)
class NumberRange:
    """The limits of a number; as a validator it checks a value."""

    low: float
    high: float
    unit: str = ""
    integer: bool = False

    def __call__(self, value: object) -> object:
        """Returns `value`. Raises pydantic's error for a value that is out of range."""
        check_number(value, self.low, self.high, self.unit, integer=self.integer)
        return value


def number_from(low: float, high: float, unit: str = "") -> BeforeValidator:
    """Returns a validator of numbers from `low` to `high`, for Annotated."""
    return BeforeValidator(NumberRange(low, high, unit))


def sentences(errors: Iterable[ErrorDetails], model: type[BaseModel]) -> list[str]:
    """Returns a sentence for each validation error of a file that describes a `model`.

    The keys that a table may have are listed once, with the first unknown key in it.
    """
    clauses: list[str] = []
    listed: set[tuple[int | str, ...]] = set()
    for error in errors:
        table = error["loc"][:-1]
        is_unknown = error["type"] == "extra_forbidden"
        clauses.append(_sentence(error, model, is_listed=is_unknown and table in listed))
        if is_unknown:
            listed.add(table)
    return clauses


def _sentence(error: ErrorDetails, model: type[BaseModel], *, is_listed: bool) -> str:
    kind, context = error["type"], error.get("ctx", {})
    inner = context.get("key", "") if kind == OUT_OF_RANGE else ""
    location = (*error["loc"], *([inner] if inner else []))
    key = shortened(visible(".".join(map(_part, location))), _LONGEST_KEY) or "the file"
    if kind == "extra_forbidden":
        allowed = "" if is_listed else f"; allowed: {_listed(_keys_at(model, location[:-1]))}"
        return f"{key}: unknown key{allowed}"
    if kind == "missing":
        return f"{key}: missing"
    value = context.get("found", error["input"])
    if kind in _ALLOWED_TYPES:
        return f"{key}: found {_with_type(value)}; allowed: {_ALLOWED_TYPES[kind]}"
    allowed = _BY_BOUND[kind](context) if kind in _BY_BOUND else "another value"
    text = _with_type(value) if kind == OUT_OF_RANGE else quoted(value)
    return f"{key}: found {text}; allowed: {allowed}"


def _part(part: int | str) -> str:
    """Returns a key; quoted if it has a dot, a line end or a tab."""
    text = str(part)
    return text if text and not set(text) & set(".\n\t") else quoted(text)


def _with_type(value: object) -> str:
    """Returns a value, with its type if it is a boolean or a text."""
    if isinstance(value, bool):
        return f"{str(value).lower()}, a boolean"
    if isinstance(value, str):
        return f"{quoted(value)}, a text"
    return quoted(value)


def _listed(names: Iterable[str]) -> str:
    return shortened(", ".join(names), _LONGEST_LIST)


def _keys_at(model: type[BaseModel], path: Iterable[int | str]) -> list[str]:
    """Returns the keys of the table that `path` leads to."""
    current: Any = model
    for part in path:
        is_model = isinstance(current, type) and issubclass(current, BaseModel)
        field = current.model_fields.get(str(part)) if is_model else None
        current = _inside(field.annotation if field else current, named=field is not None)
    if isinstance(current, type) and issubclass(current, BaseModel):
        return sorted(current.model_fields)
    return ["none"]


def _inside(annotation: Any, *, named: bool) -> Any:
    """Returns the model in an annotation such as `Annotated[Model, ...] | None`.

    Without `named` (the key is no field of a model) the model of a table's values.
    """
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _inside(parts[0], named=named)
    if origin in (Union, types.UnionType):
        return next((_inside(part, named=named) for part in parts if part is not type(None)), None)
    if origin in (dict, tuple, list) and not named:
        return parts[-1] if origin is dict else parts[0]
    return annotation
