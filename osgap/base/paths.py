# SPDX-License-Identifier: BSD-3-Clause
"""Where things are: the checkout, and the cache outside it. Standard library only."""

from __future__ import annotations

import os
from pathlib import Path

from osgap.base.errors import OsgapError

_INSTALLED = ("site-packages", "dist-packages")
VARIABLES = ("OSGAP_CACHE", "OSGAP_ROOT", "XDG_CACHE_HOME", "GEM5")
"""The environment's variables that are paths."""
_MARKS = ("SConstruct", "configs/machines", "workloads")


def project_root() -> Path:
    """The checkout: the one that this code lies in, else $OSGAP_ROOT, else the current folder's.

    Installed by `pip install .`, the code lies outside of its checkout. Raises OsgapError.
    """
    own = Path(__file__).resolve().parents[2]
    if own.name not in _INSTALLED:
        return own
    explicit = os.environ.get("OSGAP_ROOT")
    here = Path.cwd()
    for folder in (*([Path(explicit)] if explicit else []), here, *here.parents):
        if all((folder / mark).exists() for mark in _MARKS):
            return folder.resolve()
    raise OsgapError(
        f"{here} is in no checkout of osgap: go to one, or give its path in $OSGAP_ROOT"
    )


def cache_directory() -> Path:
    """$OSGAP_CACHE, else osgap under the user's cache directory.

    Raises OsgapError for a user without a home.
    """
    explicit = os.environ.get("OSGAP_CACHE")
    if explicit:
        return Path(explicit).absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    if base:
        return Path(base).absolute() / "osgap"
    home = os.path.expanduser("~")
    if home == "~":
        raise OsgapError("this user has no home directory: give that of the cache in $OSGAP_CACHE")
    return Path(home).absolute() / ".cache" / "osgap"


def settle_environment() -> None:
    """Makes the paths in the environment absolute, once, for this process and those it starts.

    What is started elsewhere would take a relative one from there. A program's name without a
    slash is looked up in PATH, and stays.
    """
    for variable in VARIABLES:
        given = os.environ.get(variable, "")
        if given and (variable != "GEM5" or "/" in given):
            os.environ[variable] = str(Path(given).absolute())
