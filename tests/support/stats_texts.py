# SPDX-License-Identifier: BSD-3-Clause
"""Writes small statistics files of gem5's."""

from collections.abc import Mapping
from pathlib import Path

from osgap.gem5stats.gem5text import BEGIN, END


def write_stats(path: Path, *dumps: Mapping[str, float]) -> Path:
    """Writes a text of dumps, whose values have the unit Count, and returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        "".join(f"{name} {value} # d (Count)\n" for name, value in dump.items()) for dump in dumps
    ]
    path.write_text("".join(f"\n{BEGIN}\n{row}\n{END}\n" for row in rows))
    return path
