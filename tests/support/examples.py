# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of examples of the tests that draw their input (hypothesis), by the run's level.

And numbers of rounds of a test that repeats one thing at random moments.
"""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

import pytest

Value = TypeVar("Value")

DEFAULT = 100
"""Examples of a test that states no number, above --quick."""
_SHARE_AT_QUICK = 0.3
_levels = ["usual"]


def set_level(level: str | None) -> None:
    """States the level of this run before its tests are collected."""
    _levels[:] = [level or "all"]


def examples(count: int, usual: int | None = None) -> int:
    """`count`, `usual` at that level if given, or less than a third of it at the level quick."""
    if _levels != ["all"] and usual is not None:
        count = usual
    return max(int(_SHARE_AT_QUICK * count), 1) if _levels == ["quick"] else count


def some(values: Sequence[Value], seed: str, count: int) -> Sequence[Value]:
    """`count` of the values, the same ones for a seed; with all tests all of them."""
    return values if _levels == ["all"] else Random(seed).sample(values, count)


def rounds(usual: int, most: int) -> list[object]:
    """The one case of a test: `usual` rounds, or with all tests `most` of them."""
    return [pytest.param(most, marks=pytest.mark.long)] if _levels == ["all"] else [usual]
