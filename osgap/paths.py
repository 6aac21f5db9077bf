# SPDX-License-Identifier: BSD-3-Clause
"""Where things are: the checkout, the cache outside it, and runs."""

from __future__ import annotations

import os
from pathlib import Path


def project_root() -> Path:
    """The checkout that this package is in."""
    return Path(__file__).resolve().parents[1]


def cache_directory() -> Path:
    """$OSGAP_CACHE, else osgap under the user's cache directory."""
    explicit = os.environ.get("OSGAP_CACHE")
    if explicit:
        return Path(explicit)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "osgap"


def runs_below(directory: Path) -> list[Path]:
    """The run directories (they have a run.json) in or below `directory`, sorted."""
    return sorted(path.parent for path in directory.rglob("run.json"))
