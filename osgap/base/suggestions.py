# SPDX-License-Identifier: BSD-3-Clause
"""Error texts for an unknown name, with similar names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

from osgap.base.quoting import quoted, shortened

_LONGEST_LIST = 500
"""Characters of a list of names."""
LISTED = ("machine", "benchmark", "suite", "sweep", "variant", "engine", "figure", "table")
"""Kinds of names that `osgap list KINDs` lists."""


def unknown(kind: str, name: str, names: Iterable[str]) -> str:
    """Returns the error text for a `kind` called `name` that is not in `names`.

    It gives similar names, and all names or, for LISTED kinds, the command that lists them.
    """
    return f"there is no {kind} {quoted(name)}; {alternatives(kind, name, names)}"


def alternatives(kind: str, name: str, names: Iterable[str]) -> str:
    """Returns the end of an error: names of a `kind` in place of `name`, the similar ones first."""
    names = list(names)
    similar = hint(name, names)
    if similar and kind in LISTED:
        return f"{similar}(osgap list {kind}s shows all)"
    return f"{similar}known: {shortened(', '.join(names) or 'none', _LONGEST_LIST)}"


def no_directory(path: Path, kind: str = "directory") -> str:
    """Returns the error text for a missing directory, with similar names beside it.

    `kind` "file or directory" permits files too.
    """
    beside = path.parent.iterdir() if path.parent.is_dir() else iter(())
    permitted = (other for other in beside if other.is_dir() or kind.startswith("file"))
    names = sorted(other.name for other in permitted)
    near = difflib.get_close_matches(path.name, names, n=1)
    question = f"; did you mean {path.with_name(near[0])}?" if near else ""
    return f"{path}: no such {kind}{question}"


def hint(name: str, names: Sequence[str]) -> str:
    """Returns a question that suggests similar `names`; "" if there are none.

    A name may have a folder: paper/DS3100 is similar to DS3100.
    """
    similar = [path for path in names if path.lower().rpartition("/")[2] == name.lower()]
    similar.sort(key=len)
    similar += [near for near in difflib.get_close_matches(name, names) if near not in similar]
    return f"did you mean {' or '.join(similar)}? " if similar else ""
