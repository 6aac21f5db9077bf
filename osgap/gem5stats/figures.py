# SPDX-License-Identifier: BSD-3-Clause
"""The figures that the analysis takes from a dump, refused where it could not calculate with them.

An engine asks before its point is done, and whoever loads a point asks again.
"""

import math
from collections.abc import Mapping

from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.gem5stats import names

LARGEST = 1e18
"""Of any figure: products and ratios of three of them stay finite."""
_DIVISORS = ("sim_freq", "clock_ticks", "cycles")


class FiguresError(OsgapError):
    """A dump without a figure that it must have, or with one that nothing can be computed from."""


def figures(scalars: names.Scalars, where: str) -> Mapping[str, float]:
    """Each of names.REQUIRED and names.OPTIONAL of a dump; NaN for an optional one it lacks.

    Raises FiguresError, which begins with `where`, for one that is missing, for one that is no
    number from 0 (from 1 where it divides) to LARGEST, and for an optional one beyond LARGEST.
    """
    scalars = names.of_all_cores(scalars)
    for places in names.REQUIRED.values():
        if names.find(scalars, places) is None:
            raise FiguresError(f"{where}: the dump has no {' or '.join(places)}")
    known = {**names.REQUIRED, **names.OPTIONAL}
    taken = {column: names.find(scalars, places) for column, places in known.items()}
    taken["cycles"] = names.elapsed_cycles(scalars, taken["cycles"] or 0.0)
    if taken["stall_cycles"] is None:
        taken["stall_cycles"] = names.miss_cycles(scalars, taken["clock_ticks"] or math.nan)
    defined = {column: math.nan if v is None else v for column, v in taken.items()}
    for column, value in defined.items():
        _check(column, value, where)
    return defined


def _check(column: str, value: float, where: str) -> None:
    if column not in names.REQUIRED:
        if math.isnan(value):
            return
        least = -LARGEST
    else:
        least = 1.0 if column in _DIVISORS else 0.0
    if not least <= value <= LARGEST:
        allowed = f"{least:g} to {LARGEST:g}"
        raise FiguresError(f"{where}: {column}: found {quoted(value)}; allowed: {allowed}")
