# SPDX-License-Identifier: BSD-3-Clause
"""Columns of numbers in text files."""

from __future__ import annotations

from pathlib import Path

from osgap.analysis.ministat.compare import SampleError
from osgap.base import inputs
from osgap.base.quoting import quoted


def read_values(path: Path, column: int = 1) -> list[float]:
    """The numbers in a column (from 1) of lines of words; `#` begins a comment.

    Raises SampleError naming the line that has none, OSError when there is no such file.
    """
    if column < 1:
        raise SampleError(f"column: found {column}; allowed: 1 or more")
    values = []
    text = _text(path)
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) < column:
            raise SampleError(f"{path}:{number}: found {len(words)} columns; allowed: {column}")
        values.append(_number(words[column - 1], path, number))
    return values


def _text(path: Path) -> str:
    """Of a file, of standard input (`-`), or of a pipe that the shell hands over as <(command)."""
    try:
        opened = Path("/dev/stdin") if path == Path("-") else path
        return inputs.read_text(opened, errors="replace", handed=True)
    except inputs.TextError as error:
        raise SampleError(f"{path}: {error}") from None


def _number(word: str, path: Path, line: int) -> float:
    try:
        return float(word)
    except ValueError:
        raise SampleError(f"{path}:{line}: found {quoted(word)}; allowed: a number") from None
