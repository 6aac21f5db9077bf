# SPDX-License-Identifier: BSD-3-Clause
"""Reads workloads/recipe.conf, the compiler flags of the guest's programs; a shell reads it too."""

import re
from collections.abc import Mapping
from pathlib import Path

from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.base.quoting import quoted

_LINE = re.compile(r'([A-Z][A-Z_]*)="([A-Za-z0-9_.,:=/ -]*)"')


def recipe(path: Path | None = None) -> Mapping[str, tuple[str, ...]]:
    """Returns the words of each name in the checkout's file, or in that at `path`.

    Raises OsgapError for a line that a shell may read otherwise.
    """
    file = path or project_root() / "workloads" / "recipe.conf"
    read: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None or match[1] in read:
            allowed = 'NAME="WORDS", plain words, each name once'
            raise OsgapError(f"{file}:{number}: found {quoted(line)}; allowed: {allowed}")
        read[match[1]] = tuple(match[2].split())
    return read
