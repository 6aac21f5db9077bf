# SPDX-License-Identifier: BSD-3-Clause
"""Series of a run's points, and their names, which are made of the points' axes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from osgap.machines.axes import FIGURES, MEMORY_KEYS, POLICIES, PolicyAxis

_BOTH: Mapping[tuple[str, ...], tuple[str, ...]] = {("memory", "disk"): ("both",)}
"""The one name of several scaled parts that is not made of theirs."""
_NUMBER = r"[0-9][0-9.e+]{0,15}"


@dataclass(frozen=True)
class Series:
    """Points of the same policies and figures, which differ in their clocks.

    `policies` is one of POLICY_NAMES. `values` are figures that are not the machine's own, by the
    key of their axis, before scaling.
    """

    policies: str
    values: tuple[tuple[str, float], ...] = ()

    @property
    def name(self) -> str:
        """The name in run.json: fixed, memory-lat100, both-lat100-bw800."""
        return self.policies + values_part(dict(self.values))

    @property
    def rank(self) -> tuple[int, tuple[float, ...], str]:
        """A sort key: by policies as in POLICY_NAMES, others last, then by values."""
        names = [*POLICY_NAMES, self.policies]
        values = dict(self.values)
        return (
            names.index(self.policies),
            tuple(values.get(axis.key, 0.0) for axis in FIGURES),
            self.name,
        )

    @property
    def varies_memory_alone(self) -> bool:
        """True if the figures are the machine's own, but for those of memory."""
        return {key for key, _ in self.values} <= set(MEMORY_KEYS)

    @property
    def texts(self) -> list[str]:
        """The values with their units: 100 ns, 800 MB/s."""
        values = dict(self.values)
        return [f"{values[axis.key]:g} {axis.unit}" for axis in FIGURES if axis.key in values]


def scaled_parts(policies: str) -> list[PolicyAxis]:
    """The parts that series of these policies scale; none for a name not in POLICY_NAMES."""
    return _SCALED.get(policies, [])


def clock_and_parts(policies: str) -> str:
    """The parts that follow the clock, after it: clock; clock, memory and disk; "" as above."""
    parts = [axis.key for axis in scaled_parts(policies)]
    if not parts:
        return "clock" if policies in POLICY_NAMES else ""
    return f"{', '.join(['clock', *parts[:-1]])} and {parts[-1]}"


def figures_text(series: Iterable[Series]) -> str:
    """The figures that vary among the series: latencies or bandwidths of memory."""
    keys = {key for each in series for key, _ in each.values}
    parts = dict.fromkeys(axis.part for axis in FIGURES if axis.key in keys)
    subjects = {axis.key: axis.subject for axis in POLICIES}
    texts = [
        " or ".join(axis.plural for axis in FIGURES if axis.part == part)
        + f" of {subjects.get(part, part)}"
        for part in parts
    ]
    return " or ".join(texts)


def _policies_name(scaled: list[PolicyAxis]) -> str:
    keys = tuple(axis.key for axis in scaled)
    return "+".join((*_BOTH.get(keys[:2], keys[:2]), *keys[2:])) or "fixed"


def _combinations() -> dict[str, list[PolicyAxis]]:
    """Every choice of parts to scale, by its name; those without the last part come first."""
    numbers = range(2 ** len(POLICIES))
    scaled = [
        [axis for bit, axis in enumerate(POLICIES) if number >> bit & 1] for number in numbers
    ]
    return {_policies_name(axes): axes for axes in scaled}


_SCALED = _combinations()
POLICY_NAMES = tuple(_SCALED)
"""The names of series' policies, in the order in which they are shown."""
_VALUES = "".join(rf"(?:-{axis.name_part}(?P<{axis.key}>{_NUMBER}))?" for axis in FIGURES)
_NAME = re.compile(rf"(?P<policies>{'|'.join(map(re.escape, POLICY_NAMES))}){_VALUES}")


def values_part(values: Mapping[str, float | None]) -> str:
    """The end of a name with these values, by axis: "-lat100-bw800"; "" for the machine's own."""
    pairs = [(axis.name_part, values.get(axis.key)) for axis in FIGURES]
    return "".join(f"-{name}{value:g}" for name, value in pairs if value is not None)


def series_of(record: Mapping[str, Any]) -> Series:
    """The series of a point with this record of its axes."""
    scaled = [axis for axis in POLICIES if record.get(axis.key) == "scaled"]
    values = [(axis.key, record.get(axis.key)) for axis in FIGURES]
    return Series(
        _policies_name(scaled), tuple((key, value) for key, value in values if value is not None)
    )


def parse_series(name: str) -> Series:
    """The series called `name`; a name that no sweep gives is all policies."""
    match = _NAME.fullmatch(name)
    if match is None:
        return Series(name)
    texts = {axis.key: match[axis.key] for axis in FIGURES if match[axis.key] is not None}
    try:
        return Series(match["policies"], tuple((key, float(text)) for key, text in texts.items()))
    except ValueError:
        return Series(name)
