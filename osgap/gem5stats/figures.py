# SPDX-License-Identifier: BSD-3-Clause
"""Extracts the figures of the analysis from a dump, and rejects those it cannot calculate with.

An engine checks them before its point is done, and every loader of a point again.
"""

import math
from collections.abc import Mapping

from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.gem5stats import names

LARGEST = 1e18
"""Limit of any figure: products and ratios of three of them stay finite."""
_DIVISORS = ("sim_freq", "clock_ticks", "cycles")


def figures(scalars: names.Scalars, where: str) -> Mapping[str, float]:
    """Returns names.REQUIRED and names.OPTIONAL of a dump; NaN for an optional one it lacks.

    Raises OsgapError, which begins with `where`, for a missing one, for one that is not from 0
    (from 1 if it divides) to LARGEST, and for an optional one beyond LARGEST.
    """
    scalars = names.sum_cores(scalars)
    for alternatives in names.REQUIRED.values():
        if names.find(scalars, alternatives) is None:
            raise OsgapError(f"{where}: the dump has no {' or '.join(alternatives)}")
    columns = {**names.REQUIRED, **names.OPTIONAL}
    values = {column: names.find(scalars, alternatives) for column, alternatives in columns.items()}
    values["cycles"] = names.elapsed_cycles(scalars, values["cycles"] or 0.0)
    if values["stall_cycles"] is None:
        values["stall_cycles"] = names.miss_cycles(scalars, values["clock_ticks"] or math.nan)
    defined = {column: math.nan if value is None else value for column, value in values.items()}
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
        raise OsgapError(f"{where}: {column}: found {quoted(value)}; allowed: {allowed}")
