# SPDX-License-Identifier: BSD-3-Clause
"""Figures of a machine file: numbers with their sources, and their limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BeforeValidator, Field

from osgap.base.frozen import Frozen
from osgap.base.validation import NumberRange, check_number


def left_out(default: object, description: str | None = None) -> Any:
    """A field that is written where it is not the default: older digests and keys stay."""
    return Field(
        default=default, exclude_if=lambda value: value == default, description=description
    )


class Figure(Frozen):
    """A number of a machine, and its source."""

    value: float
    source: str = Field(min_length=1)


@dataclass(frozen=True)
class Range(NumberRange):
    """The limits of a figure. As a validator it checks a figure, and a file's table of one."""

    def __call__(self, figure: object) -> object:
        """Returns `figure`. Raises pydantic's error for a value that is out of range."""
        if isinstance(figure, dict) and "value" in figure:
            check_number(figure["value"], self.low, self.high, self.unit, integer=self.integer)
        elif isinstance(figure, Figure):
            check_number(figure.value, self.low, self.high, self.unit, integer=self.integer)
        return figure


def between(low: float, high: float, unit: str, *, integer: bool = False) -> BeforeValidator:
    """Returns a validator of figures from `low` to `high`, for Annotated."""
    return BeforeValidator(Range(low, high, unit, integer))
