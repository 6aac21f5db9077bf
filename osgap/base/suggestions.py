# SPDX-License-Identifier: BSD-3-Clause
"""What to say of a name that nothing has."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from osgap.base.quoting import found


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """That there is no `what` called `name`, which known names are near it, and all of them.

    Names may have folders: DS3100 is near paper/DS3100.
    """
    names = list(known)
    return (
        f"there is no {what} {found(name)}; {hint(name, names)}known: {', '.join(names) or 'none'}"
    )


def hint(name: str, known: Sequence[str]) -> str:
    """A question after the `known` names that are near `name`; "" where none is."""
    near = [one for one in known if one.lower().rpartition("/")[2] == name.lower()]
    near.sort(key=len)
    near += [one for one in difflib.get_close_matches(name, known) if one not in near]
    return f"did you mean {' or '.join(near)}? " if near else ""
