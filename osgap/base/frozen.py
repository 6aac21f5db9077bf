# SPDX-License-Identifier: BSD-3-Clause
"""The base of every record that is written or read."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler
from pydantic_core import CoreSchema

_EXACT = ("int", "float", "bool", "str")


def _make_exact(part: Any) -> None:
    if isinstance(part, dict):
        if part.get("type") in _EXACT:
            part["strict"] = True
        for inner in part.values():
            _make_exact(inner)
    elif isinstance(part, list | tuple):
        for inner in part:
            _make_exact(inner)


class Exact(BaseModel):
    """A value whose numbers are numbers: no text, no boolean, nothing that is not finite."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type[BaseModel], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """The model's schema in which no scalar is converted; lists and tables still are."""
        schema = handler(source)
        _make_exact(schema)
        return schema


class Frozen(Exact):
    """A value that rejects unknown keys and cannot be changed."""

    model_config = ConfigDict(extra="forbid")
