# SPDX-License-Identifier: BSD-3-Clause
"""Error texts for an unknown name, with similar names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from osgap.base.quoting import quoted


def unknown(kind: str, name: str, names: Iterable[str]) -> str:
    """Returns the error text for a `kind` called `name` that is not in `names`.

    It lists similar names and all names.
    """
    names = list(names)
    listed = ", ".join(names) or "none"
    return f"there is no {kind} {quoted(name)}; {hint(name, names)}known: {listed}"


def hint(name: str, names: Sequence[str]) -> str:
    """Returns a question that suggests similar `names`; "" if there are none.

    A name may have a folder: paper/DS3100 is similar to DS3100.
    """
    similar = [path for path in names if path.lower().rpartition("/")[2] == name.lower()]
    similar.sort(key=len)
    similar += [near for near in difflib.get_close_matches(name, names) if near not in similar]
    return f"did you mean {' or '.join(similar)}? " if similar else ""
