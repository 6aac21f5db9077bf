# SPDX-License-Identifier: BSD-3-Clause
"""Chooses a dump of each file of statistics, and computes what changed from dump to dump.

A dump goes on counting from the one before, unless the statistics were reset between them
(m5.stats.reset(), or dumpresetstats of the guest).
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from osgap.gem5stats.opening import DumpSource
from osgap.gem5stats.sidebyside import listed
from osgap.gem5stats.textrow import Number
from osgap.gem5stats.tree import SelectedDump

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NO_COUNTERS = """
age average avg bandwidth bw clock cpi fanout fraction freq ipc max mean memory min occs
occupancies peak percent power rate ratio temperature util voltage warmup
"""
"""Words in the last part of a name: averages, ratios, extremes, and levels of a moment."""
_NAMES = frozenset(("tagsInUse",))
_MOMENTS = frozenset(("mean", "gmean", "stdev", "min_value", "max_value"))
"""Entries of a distribution that count nothing."""
_UNITS = frozenset(("Ratio", "Watt", "Volt", "Celsius", "DegreeCelsius"))
_NEVER_RESET = frozenset(("simInsts", "simOps", "finalTick"))


@dataclass(frozen=True)
class DumpView:
    """The dumps to keep of a file: the one of a `number`, or all if that is None.

    A negative number counts from the end. With `differences` the values of a dump are the changes
    since the one before.
    """

    number: int | None = None
    differences: bool = False

    def __call__(
        self, where: Path, dumps: list[SelectedDump], source: DumpSource
    ) -> list[SelectedDump]:
        """Returns the dumps to keep; adds sentences about the others to those of `source`."""
        if self.differences:
            dumps = _differences(where, dumps, source)
        if self.number is None or not dumps:
            return dumps
        if not -len(dumps) <= self.number < len(dumps):
            numbers = f"0 to {len(dumps) - 1}" if len(dumps) > 1 else "0"
            ends = f"-{len(dumps)} to -1" if len(dumps) > 1 else "-1"
            allowed = f"{numbers}, or {ends} from the end"
            source.faults.append(f"{where}: --dump: found {self.number}; allowed: {allowed}")
            return []
        return [dumps[self.number]]


@lru_cache(maxsize=1 << 17)
def is_counter(name: str, unit: str | None) -> bool:
    """Returns False for a ratio, a rate, an average, an extreme, or a level of a moment."""
    stem, _, entry = name.partition("::")
    leaf = stem.rpartition(".")[2]
    words = {word.lower() for word in _WORD.findall(leaf)}
    by_name = words & set(_NO_COUNTERS.split()) or leaf in _NAMES or entry in _MOMENTS
    return not by_name and (unit is None or (unit not in _UNITS and "/" not in unit))


def _differences(
    where: Path, dumps: Sequence[SelectedDump], source: DumpSource
) -> list[SelectedDump]:
    """Returns the dumps with their changes; the first one's are those since counting began."""
    changed = list(dumps[:1])
    resets = 0
    left_out: dict[str, None] = {}
    for before, dump in pairwise(dumps):
        kinds = [(name, dump.units.get(name)) for name in dump.values]
        counters = [name for name, unit in kinds if is_counter(name, unit)]
        if _is_reset(before, dump, counters):
            resets += 1
            counted_on = [name for name in counters if name in _NEVER_RESET and dump.end]
            values = {**dump.values, **_changes(before, dump, counted_on, source)}
        else:
            left_out |= dict.fromkeys(n for n, unit in kinds if not is_counter(n, unit))
            values = _changes(before, dump, counters, source)
        changed.append(replace(dump, values=values))
    if resets:
        dumps_reset = f"{resets} of {len(dumps)} dumps count from a reset of the statistics"
        source.notes.append(f"{where}: {dumps_reset}: their values are the changes already")
    if left_out:
        text = "no counters, so left out where a dump goes on counting"
        source.notes.append(f"{where}: {text}: {listed(list(left_out))}")
    return changed


def _changes(
    before: SelectedDump, dump: SelectedDump, counters: Sequence[str], source: DumpSource
) -> dict[str, Number]:
    """Returns how much counters grew, nan where that is unknown."""
    # gem5 leaves out many rows while they are 0; a damaged file may have lost them.
    absent = math.nan if source.faults else 0
    return {name: _minus(dump.values[name], before.values.get(name, absent)) for name in counters}


def _is_reset(before: SelectedDump, dump: SelectedDump, counters: Sequence[str]) -> bool:
    """Returns True if the statistics were reset between two dumps.

    finalTick, which nothing resets, tells it; in a file without it a counter that fell.
    """
    times = [(d.ticks, d.end) for d in (before, dump) if d.ticks is not None and d.end]
    if len(times) == 2:
        (ticks, end), (later_ticks, later_end) = times
        return later_ticks - ticks != later_end - end
    return any(dump.values[name] < before.values.get(name, -math.inf) for name in counters)


def _minus(value: Number, old: Number) -> Number:
    """Returns the difference of the decimal numbers that were printed, without rounding."""
    if isinstance(value, int) and isinstance(old, int):
        return value - old
    if not math.isfinite(value) or not math.isfinite(old):
        return value - old
    return float(Decimal(repr(value)) - Decimal(repr(old)))
