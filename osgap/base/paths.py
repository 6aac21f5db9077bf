# SPDX-License-Identifier: BSD-3-Clause
"""Paths of the checkout and of the cache. Standard library only."""

from __future__ import annotations

import os
from pathlib import Path

from osgap.base.errors import OsgapError

_INSTALLED = ("site-packages", "dist-packages")
VARIABLES = ("OSGAP_CACHE", "OSGAP_ROOT", "XDG_CACHE_HOME", "GEM5")
"""Environment variables that hold paths."""
_MARKS = ("SConstruct", "configs/machines", "workloads")


def project_root() -> Path:
    """Returns the checkout: the one around this code, else $OSGAP_ROOT, else the current one.

    `pip install .` puts the code outside of a checkout. Raises OsgapError if there is none.
    """
    root = Path(__file__).resolve().parents[2]
    if root.name not in _INSTALLED:
        return root
    explicit = os.environ.get("OSGAP_ROOT")
    here = Path.cwd()
    for folder in (*([Path(explicit)] if explicit else []), here, *here.parents):
        if all((folder / mark).exists() for mark in _MARKS):
            return folder.resolve()
    raise OsgapError(
        f"{here} is in no checkout of osgap: go to one, or give its path in $OSGAP_ROOT"
    )


def cache_directory() -> Path:
    """Returns $OSGAP_CACHE, else osgap in the user's cache directory.

    Raises OsgapError for a user without a home.
    """
    explicit = os.environ.get("OSGAP_CACHE")
    if explicit:
        return Path(explicit).absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    if base:
        return Path(base).absolute() / "osgap"
    home = os.path.expanduser("~")
    if not os.path.isabs(os.environ.get("HOME", home)):
        raise OsgapError("this user has no home directory: give that of the cache in $OSGAP_CACHE")
    return Path(home).absolute() / ".cache" / "osgap"


def settle_environment() -> None:
    """Makes the paths in the environment absolute, for this process and its children.

    A child in another directory would resolve a relative path from there. $GEM5 without a slash is
    a name to look up in PATH, and stays.
    """
    for variable in VARIABLES:
        value = os.environ.get(variable, "")
        if value and (variable != "GEM5" or "/" in value):
            os.environ[variable] = str(Path(value).absolute())
