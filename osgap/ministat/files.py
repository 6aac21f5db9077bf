# SPDX-License-Identifier: BSD-3-Clause
"""Columns of numbers in text files."""

from __future__ import annotations

from pathlib import Path

from osgap.ministat.compare import SampleError


def read_values(path: Path, column: int = 1) -> list[float]:
    """The numbers in a column (from 1) of lines of words; `#` begins a comment.

    Raises SampleError naming the line that has none, OSError when there is no such file.
    """
    if column < 1:
        raise SampleError(f"column: found {column}; allowed: 1 or more")
    values = []
    text = path.read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) < column:
            raise SampleError(f"{path}:{number}: found {len(words)} columns; allowed: {column}")
        values.append(_number(words[column - 1], path, number))
    return values


def _number(word: str, path: Path, line: int) -> float:
    try:
        return float(word)
    except ValueError:
        raise SampleError(f"{path}:{line}: found {word!r}; allowed: a number") from None
