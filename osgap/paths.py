# SPDX-License-Identifier: BSD-3-Clause
"""Where things are: the checkout, and the cache outside it."""

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
