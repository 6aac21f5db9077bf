# SPDX-License-Identifier: BSD-3-Clause
"""Converts a distribution of gem5's JSON statistics to the rows of stats.txt.

JSON numbers the buckets, without the bounds that name them in the text. Nor does it tell a
histogram, whose buckets grow, from a distribution, whose buckets are fixed. Both follow from the
other numbers in most cases (gem5's src/base/stats: storage.hh, `prepare`; the names are those of
text.cc, `DistPrint`).
"""

import math
from collections.abc import Mapping, Sequence

_MOST = 2.0**53
"""Largest count that a double holds exactly."""


def distribution(counts: Sequence[float], figures: Mapping[str, float]) -> dict[str, float]:
    """Returns the rows, by the name after `::`, of a distribution with `counts` in its buckets.

    `figures` has min, max, bin_size, sum, sum_squared, underflow, overflow and logs. Buckets of
    unknown bounds are called bucket0, bucket1 and so on, and are left out if all are 0.
    """
    histogram = _is_histogram(counts, figures)
    outside = (0.0, 0.0) if histogram else (figures["underflow"], figures["overflow"])
    samples = sum(counts) + sum(outside)
    rows = {"samples": samples, "mean": figures["sum"] / samples if samples else math.nan}
    if histogram:
        rows["gmean"] = _geometric_mean(figures["logs"], samples)
    rows["stdev"] = _deviation(figures["sum"], figures["sum_squared"], samples)
    if not histogram:
        rows["underflows"] = outside[0]
    if any(counts) or _lowest(counts, figures, histogram) is not None:
        rows.update(zip(_bounds(counts, figures, histogram), counts, strict=True))
    if not histogram:
        rows.update(overflows=outside[1], min_value=figures["min"], max_value=figures["max"])
    rows["total"] = samples
    return rows


def _is_histogram(counts: Sequence[float], figures: Mapping[str, float]) -> bool:
    """Returns True for a histogram, whose min and max are its first and last lower bounds.

    Those of a distribution are samples. They can be equal to the bounds, but then the outermost
    buckets are not empty. A histogram's underflow and overflow are uninitialised.
    """
    if figures["max"] - figures["min"] != (len(counts) - 1) * figures["bin_size"]:
        return not (_is_count(figures["underflow"]) and _is_count(figures["overflow"]))
    ends = bool(counts) and counts[0] > 0 and counts[-1] > 0
    counted = _is_count(figures["underflow"]) and _is_count(figures["overflow"])
    return figures["bin_size"] != 1 or not ends or not counted


def _is_count(value: float) -> bool:
    return 0 <= value <= _MOST and value.is_integer()


def _lowest(counts: Sequence[float], figures: Mapping[str, float], histogram: bool) -> float | None:
    """Returns the lower bound of the first bucket, or None if it is unknown.

    The least sample lies in the first bucket that is not empty, the largest in the last one. That
    determines buckets of width 1.
    """
    if histogram:
        return figures["min"]
    filled = [index for index, count in enumerate(counts) if count]
    if figures["bin_size"] != 1 or not filled:
        return None
    if not figures["underflow"]:
        return math.floor(figures["min"]) - filled[0]
    return None if figures["overflow"] else math.floor(figures["max"]) - filled[-1]


def _bounds(counts: Sequence[float], figures: Mapping[str, float], histogram: bool) -> list[str]:
    lowest, size = _lowest(counts, figures, histogram), figures["bin_size"]
    if lowest is None:
        return [f"bucket{index}" for index in range(len(counts))]
    lows = [lowest + index * size for index in range(len(counts))]
    return [f"{low:g}-{low + size - 1:g}" if size > 1 else f"{low:g}" for low in lows]


def _geometric_mean(logs: float, samples: float) -> float:
    try:
        return math.exp(logs / samples)
    except (OverflowError, ZeroDivisionError):
        return math.nan


def _deviation(total: float, squares: float, samples: float) -> float:
    """Returns the standard deviation by gem5's formula, which rounds the same."""
    try:
        return math.sqrt((samples * squares - total * total) / (samples * (samples - 1)))
    except (ValueError, ZeroDivisionError):
        return math.nan
