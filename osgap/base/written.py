# SPDX-License-Identifier: BSD-3-Clause
"""Numbers that are shown as they were written: 1.50 and not 1.5."""

from __future__ import annotations

from typing import Self


class WrittenFloat(float):
    """The number of a text, which it is shown as. Results of arithmetic are plain numbers."""

    text: str

    def __new__(cls, text: str) -> Self:
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __repr__(self) -> str:
        return self.text


class WrittenInt(int):
    """The same of a whole number."""

    text: str

    def __new__(cls, text: str) -> Self:
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __repr__(self) -> str:
        return self.text
