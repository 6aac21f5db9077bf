# SPDX-License-Identifier: BSD-3-Clause
"""Numbers that are shown as they were written: 1.50 and not 1.5."""

from __future__ import annotations

from typing import Self


class _Written:
    """A number of a text, which it is shown as. Results of arithmetic are plain numbers."""

    text: str

    def __new__(cls, text: str) -> Self:
        number = super().__new__(cls, text)  # type: ignore[call-arg]
        number.text = text
        return number

    def __repr__(self) -> str:
        return self.text


class WrittenFloat(_Written, float):
    """A floating-point number with its text."""


class WrittenInt(_Written, int):
    """A whole number with its text."""
