# SPDX-License-Identifier: BSD-3-Clause
"""Base classes of the pydantic models that are written to and read from files."""

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
    """A model whose scalars are not converted, and whose numbers are finite."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type[BaseModel], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Returns the model's schema with strict scalars; lists and tables are still converted."""
        schema = handler(source)
        _make_exact(schema)
        return schema


class Frozen(Exact):
    """A model that rejects unknown keys and cannot be changed."""

    model_config = ConfigDict(extra="forbid")
